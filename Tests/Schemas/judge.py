#!/usr/bin/env python3
"""Judges the documents that Judging.swift prints by the schemas that it prints, with Python's jsonschema.

    judge.py < LINES

Numbers are compared by their decimal digits, as JSON Schema does; patterns as ECMAScript reads them (with the flag u).
"""

import collections
import decimal
import json
import re
import sys

import jsonschema

decimal.getcontext().prec = 2000
SPACES = r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
TOKEN = re.compile(r"\\u\{([0-9a-fA-F]+)\}|\\s|\\.|\(\?<(?=[A-Za-z])|[\[\].$]")


def translated(pattern):
    """An ECMAScript expression for Python's module re, with its flag ASCII."""
    depth = 0

    def token(match):
        nonlocal depth
        text = match.group()
        if match.group(1):
            return re.escape(chr(int(match.group(1), 16)))
        if text == "[":
            depth += 1
        elif text == "]":
            depth = 0
        elif text == "(?<":
            return "(?P<"
        elif text == r"\s":
            return SPACES if depth else "[" + SPACES + "]"
        elif text == "." and not depth:
            return r"[^\n\r\u2028\u2029]"
        elif text == "$" and not depth:
            return r"\Z"
        return text

    return re.compile(TOKEN.sub(token, pattern), re.ASCII)


PATTERNS = {}


def matches_pattern(validator, pattern, instance, schema):
    if not validator.is_type(instance, "string"):
        return
    if pattern not in PATTERNS:
        PATTERNS[pattern] = translated(pattern)
    if not PATTERNS[pattern].search(instance):
        yield jsonschema.ValidationError("pattern")


def is_multiple(validator, divisor, instance, schema):
    if validator.is_type(instance, "number") and decimal.Decimal(instance) % decimal.Decimal(divisor) != 0:
        yield jsonschema.ValidationError("multipleOf")


def key(value):
    """What is equal for equal values only; for Python, 1 is True."""
    if isinstance(value, list):
        return ("array", tuple(map(key, value)))
    if isinstance(value, dict):
        return ("object", frozenset((name, key(member)) for name, member in value.items()))
    return (isinstance(value, bool), value)


def are_unique(validator, is_set, instance, schema):
    if is_set and validator.is_type(instance, "array") and len(set(map(key, instance))) < len(instance):
        yield jsonschema.ValidationError("uniqueItems")


def is_integer(checker, value):
    if isinstance(value, decimal.Decimal):
        return value == value.to_integral_value()
    return isinstance(value, int) and not isinstance(value, bool)


def parsed(text):
    return json.loads(text, parse_float=decimal.Decimal)


base = jsonschema.Draft202012Validator
Validator = jsonschema.validators.extend(
    base,
    {"pattern": matches_pattern, "multipleOf": is_multiple, "uniqueItems": are_unique},
    type_checker=base.TYPE_CHECKER.redefine("integer", is_integer),
)
formats = jsonschema.FormatChecker(["email", "ipv4"])
validators = {}
counts = collections.defaultdict(lambda: [0, 0])
wrong = collections.defaultdict(list)
for line in sys.stdin:
    entry = json.loads(line)
    name = entry["class"]
    if "schema" in entry:
        schema = parsed(json.dumps(entry["schema"]))
        Validator.check_schema(schema, format_checker=formats)
        validators[name] = (Validator(schema, format_checker=formats), schema)
        continue
    is_valid = validators[name][0].is_valid(parsed(entry["document"]))
    counts[name][is_valid] += 1
    if is_valid != entry["fits"]:
        wrong[name].append((entry["document"], is_valid))

for name, (invalid, valid) in counts.items():
    if "not described" in json.dumps(validators[name][1], default=str):
        print(f"{name}: {valid} valid, {invalid} invalid; a comment in the schema")
        wrong.pop(name, None)
for name, documents in wrong.items():
    definition = next(iter(validators[name][1]["$defs"].values()))
    print(f"FAILED {name}: {len(documents)} of {sum(counts[name])} documents, {json.dumps(definition['properties'], default=str)}")
    for document, is_valid in sorted(set(documents), key=lambda item: len(item[0]))[:8]:
        print(f"    {document} is {'valid' if is_valid else 'invalid'} by the schema alone")
total = sum(map(sum, counts.values()))
print(f"{len(counts)} rules, {total} documents, {sum(map(len, wrong.values()))} judged differently")
sys.exit(bool(wrong) or not total)
