#!/usr/bin/env python3
"""How the time of the explorer's commands grows with their documents, made here of several kinds and sizes.

    Tests/Exploring/growth.py [--limit EXPONENT] [KIND…]

Prints the exponent of each kind: 1 is linear, 2 quadratic. Fails above EXPONENT, 1.1 by default; times below a tenth of a second are not
judged. The smaller and the larger document take turns, and each time is the least of three: of up to twelve while the exponent is above the
limit, since whatever else runs only adds to a time.
"""
import argparse, json, math, os, pathlib, random, resource, subprocess, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def combining(size):
    return json.dumps([{"name": "e" + "\u0301\u0323" * size, "id": index} for index in range(2)], ensure_ascii=False)


def values(size):
    marks = ["\u0301", "\u0323", "\u0300", "\u0328"]
    draw = random.Random(1)
    return json.dumps([{"state": "e" + "".join(draw.choice(marks) for _ in range(20)) + str(i % 7)} for i in range(size)], ensure_ascii=False)


def shapes(size):
    return json.dumps({"items": [{f"a{index}": {f"b{index}": 1, f"c{index}": "x"}} for index in range(size)]})


def similar(size):
    draw = random.Random(1)
    return json.dumps([{f"k{draw.randrange(200)}": 1 for _ in range(10)} for _ in range(size)])


def wide(size):
    return json.dumps([{f"key{index}": index % (row + 2) for index in range(size)} for row in range(12)])


def worded(size):
    draw = random.Random(1)
    word = lambda: draw.choice("alpha beta gamma".split())
    return json.dumps([{f"key{chr(97 + index % 26)}_{index}x": word() for index in range(size)} for row in range(12)])


def tagged(size):
    return json.dumps([{"type": f"t{index % 40}", f"m{index % 40}": 1, "inner": {"kind": "a", "x": index}} for index in range(size)])


def tagKinds(size):
    return json.dumps([{"type": f"kind{index}", f"own{index}": 1, f"more{index}": "x"} for index in range(size) for _ in range(2)])


def holders(size):
    return json.dumps([{f"h{index}": {"type": "ab"[row % 2], f"x{row % 2}": 1} for index in range(size)} | {"type": "ab"[row % 2]}
                       for row in range(6)])


def nested(size):
    return "[" + ",".join(["[" * 200 + "1" + "]" * 200] * size) + "]"


def records(size):
    return json.dumps([{"id": index, "name": f"name {index}", "owner": {"login": "x", "ok": True}} for index in range(size)])


def keyed(size):
    return json.dumps({"packages": {f"node_modules/p{index}": {"version": "1.0.0", "dev": True} for index in range(size)}})


def anchors(size):
    names = {f"p{index}": {"$ref": f"#a{index}"} for index in range(size)}
    there = {f"d{index}": {"$anchor": f"a{index}", "type": "string", "minLength": index} for index in range(size)}
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": names, "$defs": there})


def dependent(size):
    names = {f"p{index}": {"type": "string"} for index in range(size)}
    needs = {f"p{index}": [f"p{index + 1}"] for index in range(size - 1)}
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": names,
                       "dependentRequired": needs})


def choices(size):
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", "oneOf": [
        {"type": "object", "properties": {"type": {"const": f"t{index}"}, f"m{index}": {"type": "string"}}, "required": ["type"]}
        for index in range(size)]})


def broken(size):
    return '{"a" 1' + "x" * (100_000 * size)


# Of each kind: the command, how a document is made, and its sizes.
KINDS = {
    "records": ("infer", records, 20_000, 80_000),
    "distinct shapes": ("infer", shapes, 2_000, 8_000),
    "similar shapes": ("infer", similar, 2_000, 8_000),
    "wide objects": ("infer", wide, 1_000, 4_000),
    "wide objects of words": ("infer", worded, 1_000, 4_000),
    "objects with tags": ("infer", tagged, 5_000, 20_000),
    "many tags": ("infer", tagKinds, 300, 1_200),
    "tagged members": ("infer", holders, 300, 1_200),
    "nested arrays": ("infer", nested, 200, 800),
    "keys that are data": ("infer", keyed, 5_000, 20_000),
    "combining marks": ("infer", combining, 10_000, 40_000),
    "values with combining marks": ("infer", values, 5_000, 20_000),
    "schema with anchors": ("infer", anchors, 500, 2_000),
    "schema with dependencies": ("infer", dependent, 500, 2_000),
    "schema with choices": ("infer", choices, 200, 800),
    "drift of records": ("drift", records, 20_000, 80_000),
    "drift of distinct shapes": ("drift", shapes, 5_000, 20_000),
    "check of records": ("check", records, 10_000, 40_000),
    "stats of wide objects": ("stats", wide, 2_000, 8_000),
    "stats of combining marks": ("stats", combining, 40_000, 160_000),
    "stats of a broken document": ("stats", broken, 100, 400),
    "query of records": ("query", records, 40_000, 160_000),
}


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert result.returncode in (0, 1), f"{command}: {result.returncode}: {result.stderr[-500:]}"
    return after.ru_utime - before.ru_utime


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(KINDS))
    parser.add_argument("--limit", type=float, default=1.1)
    arguments = parser.parse_args()
    subprocess.run(["swift", "build", "-c", "release", "--product", "Playground"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    program = ROOT / ".build/release/Playground"
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in arguments.kinds:
            name, make, *sizes = KINDS[kind]
            commands, times, bytes = [["--version"]], [math.inf] * 3, []
            for size in sizes:
                path = pathlib.Path(folder, f"{size}.json")
                path.write_text(make(size))
                more = {"infer": ["--name", "Thing"], "drift": [path], "check": ["--against", "User"], "query": ["$..login"]}.get(name, [])
                commands.append([name, path, *more])
                bytes.append(path.stat().st_size)
            for round in range(12):
                times = [min(least, seconds([program, *command])) for least, command in zip(times, commands)]
                small, large = (max(time - times[0], 0.001) for time in times[1:])
                exponent = math.log(large / small) / math.log(bytes[1] / bytes[0])
                if round >= 2 and (exponent <= arguments.limit or large < 0.1):
                    break
            if large >= 0.1:
                worst = max(worst, exponent)
            print(f"{kind:28} {bytes[0]:>9} B {small:7.3f} s   {bytes[1]:>9} B {large:7.3f} s   exponent {exponent:.2f}", flush=True)
    if worst > arguments.limit:
        raise SystemExit(f"FAILED: an exponent is {worst:.2f}; at most {arguments.limit} is allowed")


main()
