"""Check records against results/record.schema.json: validate_record.py FILE...

Exit status 0 if all are valid, 1 if one is not (each error on stderr with its place in the file), 2 for wrong usage.
Needs the package jsonschema. No number in a record may be NaN or infinite, which JSON has no words for.
"""

import json
import sys
from pathlib import Path

import jsonschema

SCHEMA = Path(__file__).resolve().parent.parent / "results" / "record.schema.json"
MOST_ERRORS = 10  # a systematic error repeats in every row


def refuse_constant(name: str) -> float:
    """Stand in for json's own reading of NaN and Infinity."""
    raise ValueError(f"{name} is no JSON")


def errors_in(path: Path, validator: jsonschema.Draft202012Validator) -> list[str]:
    """The errors of one file, as `place: message`."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse_constant)
    except (OSError, ValueError) as unreadable:
        return [str(unreadable)]
    errors = []
    for error in validator.iter_errors(record):
        errors.append(f"{error.json_path}: {error.message[:300]}")
        if len(errors) == MOST_ERRORS:
            break
    return errors


def main(arguments: list[str]) -> int:
    """Validate the files named in `arguments`; returns the exit status."""
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    invalid = 0
    for name in arguments:
        errors = errors_in(Path(name), validator)
        invalid += bool(errors)
        for error in errors:
            print(f"{name}: {error}", file=sys.stderr)
        if not errors:
            print(f"{name}: valid")
    return 1 if invalid else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
