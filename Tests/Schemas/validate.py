"""Holds values against the JSON schemas of a folder, with PyPI's jsonschema.

Standard input is a JSON array of pairs, a schema's name and a value; one line for each comes back:
`ok`, or what is wrong with it.
"""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource


def main():
    folder, cases = pathlib.Path(sys.argv[1]), json.load(sys.stdin)
    schemas = {}
    for path in folder.glob("*.schema.json"):
        schema = json.loads(path.read_text("utf-8"))
        Draft202012Validator.check_schema(schema)
        schemas[path.name.removesuffix(".schema.json")] = schema
    registry = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in schemas.values()
    )
    checker = FormatChecker(["date-time"])
    for name, value in cases:
        validator = Draft202012Validator(schemas[name], registry=registry, format_checker=checker)
        error = next(validator.iter_errors(value), None)
        said = f"{error.json_path}: {error.message}"[:200].replace("\n", " ") if error else "ok"
        print(said)


main()
