#!/usr/bin/env python3
"""Compares stats with DuckDB's SUMMARIZE, and query with jq, on NDJSON that is made here with a seed.

    Tests/Exploring/compare.py [MEGABYTES]

MEGABYTES is 200 by default. Prints processor time, peak memory and ratios, medians of three rounds in which the programs take turns; DuckDB,
of which the Python package is taken, has one thread. Fails if figures that both state exactly differ, if stats is slower than DuckDB, query
less than five times as fast as jq, or stats takes more than 64 MB. A program that is not installed is left out with a line.
"""
import importlib.util, json, os, pathlib, random, shutil, statistics, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DUCKDB = """
import duckdb, json, sys
connection = duckdb.connect()
connection.execute("SET threads = 1")
connection.execute("SET enable_progress_bar = false")
rows = connection.execute("SUMMARIZE SELECT * FROM read_ndjson_auto('" + sys.argv[1] + "')").fetchall()
counts = connection.execute("SELECT count(*), count(count), min(price), max(price) FROM read_ndjson_auto('" + sys.argv[1] + "')").fetchone() \\
    if len(sys.argv) > 2 else None
print(json.dumps([[[str(value) for value in row] for row in rows], counts], default=str))
"""


def make(path, size):
    draw = random.Random(7)
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()
    written = number = 0
    with open(path, "w") as file:
        while written < size:
            number += 1
            day = "20%02d-%02d-%02d" % (draw.randrange(10, 26), draw.randrange(1, 13), draw.randrange(1, 29))
            time = "%02d:%02d:%02d" % (draw.randrange(24), draw.randrange(60), draw.randrange(60))
            line = json.dumps({
                "id": number, "state": draw.choice(["open", "closed", "merged"]), "count": draw.randrange(1000) if draw.random() < 0.9 else None,
                "created_at": f"{day}T{time}Z", "price": round(draw.random() * 1000, 2),
                "user": {"login": draw.choice(words) + str(draw.randrange(5000)), "admin": draw.random() < 0.1},
                "tags": [draw.choice(words) for _ in range(draw.randrange(4))]}, separators=(",", ":")) + "\n"
            file.write(line)
            written += len(line)


def run(command):
    """Processor time in seconds, and peak memory in MB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, f"{command}: {status}"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / (1024 if sys.platform == "linux" else 1 << 20)


def main():
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    subprocess.run(["swift", "build", "-c", "release", "--product", "Playground"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    program = ROOT / ".build/release/Playground"
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.ndjson")
        make(path, size * 1_000_000)
        rows = [(f"query {ours}", [program, "query", path, ours], ["jq", "-c", theirs, path], 5) for ours, theirs in
                [("$.user.login", ".user.login"), ("$..login", ".. | .login? // empty"), ("$[?@ > 990]", ".[] | select(type == \"number\" and . > 990)")]]
        if not shutil.which("jq"):
            print("left out: jq is not installed")
            rows = []
        if importlib.util.find_spec("duckdb"):
            rows.insert(0, ("stats", [program, "stats", path], [sys.executable, "-c", DUCKDB, path], 1))
            output = subprocess.run([program, "stats", path, "--json"], stdout=subprocess.PIPE, check=True).stdout
            ours = {place["place"]: place for place in json.loads(output)["places"]}
            output = subprocess.run([sys.executable, "-c", DUCKDB, path, "exact"], stdout=subprocess.PIPE, check=True).stdout
            theirs, (count, counts, least, greatest) = json.loads(output)
            ranges = {row[0]: row[2:4] for row in theirs}
            exact = [
                ("documents", ours["$"]["count"], count), ("counts", ours["$.count"]["count"] - ours["$.count"]["nulls"], counts),
                ("least id", str(ours["$.id"]["minimum"]), ranges["id"][0]),
                ("greatest id", str(ours["$.id"]["maximum"]), ranges["id"][1]),
                ("least price", ours["$.price"]["minimum"], least), ("greatest price", ours["$.price"]["maximum"], greatest),
            ]
            faults += [f"{what} is {own}, DuckDB says {other}" for what, own, other in exact if own != other]
        else:
            print("left out: DuckDB is not installed")
        for name, ours, theirs, least in rows:
            rounds = [(run(ours), run(theirs)) for _ in range(3)]
            own, other = (statistics.median(each[side][0] for each in rounds) for side in (0, 1))
            memory = max(each[0][1] for each in rounds)
            peer = "jq" if theirs[0] == "jq" else "DuckDB"
            print(f"{name:22} {own:6.2f} s   {peer:6} {other:6.2f} s   {other / own:5.2f} times as fast   {memory:4.0f} MB")
            if other / own < least:
                faults.append(f"{name} is {other / own:.2f} times as fast, asked are {least}")
            if name == "stats" and memory > 64:
                faults.append(f"stats takes {memory:.0f} MB, at most 64 are asked")
    for fault in faults:
        print(f"FAILED: {fault}")
    sys.exit(bool(faults))


main()
