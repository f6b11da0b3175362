#!/usr/bin/env python3
"""Lists the schemas and documents of the JSON-Schema-Test-Suite, and judges what the inferred classes make of them.

    suite.py list|judge SCRATCH SUITE [CASE...]

A schema without `type` gets that of the document, which changes no verdict: classes have types. A verdict other than that of a
document of that type is not asked for.
"""
import collections
import json
import subprocess
import sys
from pathlib import Path

# The share of invalid documents, in percent, that must be refused.
RECORDED = {"expressible": 95, "all": 88}
# The keywords that no class expresses, with the reason.
OUTSIDE = {
    "refRemote": "references leave the document",
    "vocabulary": "a meta-schema outside of the document decides what keywords mean",
    "dynamicRef": "the target of a reference depends on the schemas that led to it",
}

# The valid documents that are refused on purpose, with the reason.
STRICTER = {
    "content": (3, "encodings are enforced"),
    "format": (8, "formats are enforced"),
    "ref": (3, "a schema with properties and without a type is taken for that of an object"),
    "vocabulary": (1, "a meta-schema outside of the document decides what keywords mean"),
}

mode, scratch, suite, *chosen = sys.argv[1:]
scratch = Path(scratch)


def git(*arguments):
    return subprocess.run(["git", "-C", suite, *arguments], check=True, capture_output=True, text=True).stdout


def kind(value):
    if value is None:
        return "null"
    for types, name in [(bool, "boolean"), ((int, float), "number"), (str, "string"), (list, "array")]:
        if isinstance(value, types):
            return name
    return "object"


def moved(schema):
    """A schema as that of the property `a`: references from the root lead to it."""
    if isinstance(schema, list):
        return [moved(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: moved(value) for key, value in schema.items() if key not in ("const", "enum")}
    made |= {key: schema[key] for key in ("const", "enum") if key in schema}
    for key in ("$ref", "$dynamicRef"):
        if isinstance(made.get(key), str) and (made[key] == "#" or made[key].startswith("#/")):
            made[key] = "#/properties/a" + made[key][1:]
    return made


def cases():
    folder = "tests/draft2020-12/"
    number = 0
    for path in git("ls-tree", "--name-only", "HEAD", folder).split():
        name = path.removeprefix(folder)
        if not name.endswith(".json") or chosen and name not in chosen:
            continue
        for group in json.loads(git("show", f"HEAD:{path}")):
            by_kind = collections.defaultdict(list)
            for test in group["tests"]:
                by_kind[kind(test["data"])].append(test)
            for type_name, tests in by_kind.items():
                number += 1
                schema = group["schema"]
                if isinstance(schema, dict) and "type" not in schema:
                    schema = schema | {"type": type_name}
                yield number, name.removesuffix(".json"), type_name, schema, group["description"], tests


if mode == "list":
    with open(scratch / "schemas", "w") as schemas, open(scratch / "documents", "w") as documents:
        for number, _, type_name, schema, _, tests in cases():
            outer = {"type": "object", "required": ["a"], "properties": {"a": moved(schema)}}
            if isinstance(schema, dict):
                outer |= {key: schema[key] for key in ("$schema", "$id") if key in schema}
                outer["properties"]["a"].pop("$id", None)
            root = schema if type_name == "object" and isinstance(schema, dict) else None
            print(json.dumps({"number": number, "root": root, "member": outer}), file=schemas)
            for test in tests:
                print(number, json.dumps(test["data"]), file=documents)
    sys.exit()

without = dict(line.split(" ", 1) for line in (scratch / "without-classes").read_text().splitlines())
verdicts = iter((scratch / "verdicts").read_text().splitlines())
counts = collections.defaultdict(collections.Counter)
listed = collections.defaultdict(list)
for number, name, _, schema, description, tests in cases():
    for test in tests:
        if str(number) in without:
            verdict = "without classes"
        else:
            verdict = next(verdicts)
        counts[name][test["valid"], verdict] += 1
        if (verdict == "refused") == test["valid"] or verdict.startswith("failed"):
            what = "valid" if test["valid"] else "invalid"
            listed[name].append(f"    {number} {what}, {verdict}: {json.dumps(test['data'])[:90]} by {json.dumps(schema)[:260]}")

sums = {"expressible": [0, 0], "all": [0, 0]}
failed = False
print("| keyword | invalid documents | refused | without classes | valid ones refused |\n|---|---|---|---|---|")
for name, count in sorted(counts.items()):
    invalid = sum(number for (valid, _), number in count.items() if not valid)
    refused = count[False, "refused"]
    wrong = sum(number for (valid, verdict), number in count.items() if valid and verdict not in ("mapped", "without classes"))
    most, reason = STRICTER.get(name, (0, ""))
    failed = failed or wrong > most
    note = f" outside: {OUTSIDE[name]}" if name in OUTSIDE else ""
    print(f"| {name} | {invalid} | {refused} | {count[False, 'without classes']} | {f'{wrong}; {reason}' if wrong else 0} |{note}")
    for key in ["all"] + ([] if name in OUTSIDE else ["expressible"]):
        sums[key][0] += refused
        sums[key][1] += invalid
    if chosen:
        print("\n".join(listed[name]))
(scratch / "listed").write_text("\n".join(line for name in listed for line in [name] + listed[name]) + "\n")
for key, (refused, invalid) in sums.items():
    share = 100 * refused / max(invalid, 1)
    failed = failed or not chosen and share < RECORDED[key]
    print(f"{key}: {refused} of {invalid} invalid documents refused, {share:.1f} %; at least {RECORDED[key]} %")
sys.exit(failed)
