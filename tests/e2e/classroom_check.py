"""Checks messages of a classroom against their schema: classroom_check.py SCHEMA < LINES

A line is TOPIC PAYLOAD, as `mosquitto_sub -v` prints it. Knows the words of JSON Schema that the schema uses, and fails
for any other. Prints how many of each were checked; ends with 1 when one does not fit, and prints it.
"""
import json
import re
import sys

KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
WORDS = {"description", "title", "$schema", "$id", "$defs", "$ref", "type", "const", "enum", "oneOf", "pattern", "minLength",
         "maxLength", "minimum", "maximum", "exclusiveMinimum", "items", "properties", "required", "additionalProperties"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_kind(value, kind):
    if kind == "number":
        return is_number(value)
    if kind == "integer":
        return is_number(value) and float(value).is_integer()
    return isinstance(value, KINDS[kind])


def faults(value, schema, whole, where):
    """Yields what does not fit."""
    unknown = set(schema) - WORDS
    if unknown:
        raise SystemExit(f"the schema has words that are not known here: {unknown}")
    if "$ref" in schema:
        yield from faults(value, whole["$defs"][schema["$ref"].removeprefix("#/$defs/")], whole, where)
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_kind(value, kind) for kind in kinds):
        yield f"{where}: is no {kinds}"
        return
    if "const" in schema and (value != schema["const"] or type(value) is not type(schema["const"])):
        yield f"{where}: is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: is none of {schema['enum']}"
    if "oneOf" in schema:
        fitting = [one for one in schema["oneOf"] if not list(faults(value, one, whole, where))]
        if len(fitting) != 1:
            yield f"{where}: fits {len(fitting)} of {len(schema['oneOf'])}"
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield f"{where}: {value!r} is not like {schema['pattern']}"
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            yield f"{where}: is {len(value)} long"
    if is_number(value):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        if not low <= value <= high or not value > schema.get("exclusiveMinimum", value - 1):
            yield f"{where}: {value} is out of range"
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            yield from faults(item, schema["items"], whole, f"{where}[{number}]")
    if isinstance(value, dict):
        yield from object_faults(value, schema, whole, where)


def object_faults(value, schema, whole, where):
    properties, further = schema.get("properties", {}), schema.get("additionalProperties", True)
    for key in schema.get("required", []):
        if key not in value:
            yield f"{where}: lacks {key}"
    for key, item in value.items():
        if key in properties:
            yield from faults(item, properties[key], whole, f"{where}.{key}")
        elif further is False:
            yield f"{where}: has {key}"
        elif further is not True:
            yield from faults(item, further, whole, f"{where}.{key}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        whole = json.load(file)
    counts, bad = {}, 0
    for line in sys.stdin:
        topic, _, payload = line.rstrip("\n").partition(" ")
        leaf = topic.rsplit("/", 1)[-1]
        counts[leaf] = counts.get(leaf, 0) + 1
        try:
            found = list(faults(json.loads(payload), whole["$defs"][leaf], whole, leaf))
        except (ValueError, KeyError) as error:
            found = [f"{leaf}: {error}"]
        if len(payload.encode()) > (1024 if leaf == "state" else 65536):
            found.append(f"{leaf}: {len(payload)} bytes")
        bad += bool(found)
        for text in found[:5]:
            print(f"{text} in {payload[:300]}")
    print(" ".join(f"{leaf}={count}" for leaf, count in sorted(counts.items())))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
