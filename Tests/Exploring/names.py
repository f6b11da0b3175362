#!/usr/bin/env python3
"""Makes an OpenAPI document whose schemas, properties, enum cases, operations, parameters and tags are named by reserved words of Swift and by
names of the libraries: those that HiddenNameTests.swift lists.

    Tests/Exploring/names.py > names.json
"""
import json, pathlib, re, sys

source = (pathlib.Path(__file__).resolve().parents[2] / "Tests/ModelMirrorExploringTests/Inference/HiddenNameTests.swift").read_text()
names = []
for variable in ("types", "words"):
    names += re.findall(r'"([^"]+)"', re.search(rf"static let {variable} = \[(.*?)\n    \]", source, re.S)[1])
names = list(dict.fromkeys(names))
assert len(names) > 140 and {"Value", "_"} < set(names), names


def schema(name):
    return {"type": "object", "required": [name], "properties": {
        name: {"type": "string"}, "inner": {"$ref": f"#/components/schemas/{name}"}, "state": {"enum": names}}}


def operation(name):
    body = {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}}
    return {"operationId": name, "parameters": [{"name": name, "in": "query", "schema": {"type": "string"}},
                                                {"name": "in", "in": "path", "required": True, "schema": {"type": "string"}}],
            "requestBody": body, "responses": {"200": {"description": "", **body}}}


json.dump({"openapi": "3.1.0", "info": {"title": "Names", "version": "1"},
           "paths": {f"/{index}/{{in}}": {"post": operation(name)} for index, name in enumerate(names)},
           "components": {"schemas": {name: schema(name) for name in names}}}, sys.stdout)
