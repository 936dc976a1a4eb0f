#!/usr/bin/python3
"""`lodestone schema` against scenes: it lets through every scene of scenes/ and validation/ and every example of
docs/scene.md, knows what may stand at every key, and stops what is spoilt.

usage: tests/schema_test.py LODESTONE SOURCE
"""
import copy
import json
import pathlib
import re
import subprocess
import sys
import tomllib

import jsonschema

USERS_OWN = [("define",), ("material",)]  # any key may stand there
QUANTITY = re.compile(r"\b(angle|damping|density|field|force|length|mass|number|pressure|rate|speed|stiffness|"
                      r"temperature|time|torque|velocity|viscosity|kinematic|A|A/m|N m|N/m|T/m|kg/s)\b")
POINT = ["1 mm", 2, "3*L"]
SAMPLES = {
    "as in the rod": [POINT],
    "as what is compared": ["1 mm"],
    "a face, or [low, high]": ["no-slip", ["no-slip", "free-slip"], "table"],
    "[[x, y, z], [x, y, z]], lengths": [[POINT, POINT]],
    "two vectors, lengths": [[POINT, POINT]],
    "list of [x, y, z]": [[POINT] * 4],
    "list of [x, y, z], lengths": [[POINT] * 4],
    "two whole numbers from 2": [[2, 20]],
    "number > −1, or three": [0.3, [1, 2, 3]],
    "number in (−1, 0.5]": [0.5],
}


def scenes_of(source):
    """What the reader takes: pairs of a name and the tree."""
    files = sorted(source.glob("scenes/*.toml")) + sorted(source.glob("validation/*/*.toml"))
    for file in files:
        yield str(file.relative_to(source)), tomllib.loads(file.read_text())
    page = (source / "docs/scene.md").read_text()
    for number, example in enumerate(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)):
        yield f"example {number} of docs/scene.md", tomllib.loads(example)


def tables_of(tree, path=()):
    """Paths of all tables of a tree but those whose keys are the user's own."""
    if isinstance(tree, dict):
        if path not in USERS_OWN and "set" not in path[-1:]:
            yield path
        for key, value in tree.items():
            yield from tables_of(value, path + (key,))
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from tables_of(value, path + (index,))


def at(tree, path):
    for step in path:
        tree = tree[step]
    return tree


def spoilt(tree):
    """Copies of a scene, each with one mistake that a schema can see."""
    for path in tables_of(tree):
        other = copy.deepcopy(tree)
        at(other, path)["zebra"] = 1
        yield f"zebra in {path}", other
        for key in at(tree, path):
            if path + (key,) in USERS_OWN:
                continue
            other = copy.deepcopy(tree)
            at(other, path)[key] = {"zebra": {}}
            yield f"a table of zebras at {path + (key,)}", other


SPOILT_BY_HAND = [
    ("a choice", '[solver]\nkind = "explizit"\n'),
    ("a number out of its range", "[solver]\nsafety = 1.5\n"),
    ("a bound that does not count", "[material.m]\nyoung = 0\n"),
    ("no number", "[solver]\nthreads = 1.5\n"),
    ("two of three", "[gravity]\ng = [0, 1]\n"),
    ("a list where one table stands", "[[gravity]]\ng = [0, 0, 1]\n"),
    ("a table where a list stands", '[rod]\nname = "a"\n'),
    ("a missing key", '[[probe]]\nof = "beam.end"\n'),
    ("two centre lines", '[[rod]]\nmaterial = "m"\nsection = { diameter = 1 }\nbonds = 3\n'
     "points = [[0, 0, 0], [1, 0, 0]]\narc = { radius = 1, angle = 1 }\n"),
    ("no centre line", '[[rod]]\nmaterial = "m"\nsection = { diameter = 1 }\nbonds = 3\n'),
    ("a truth", '[[rigid]]\nshape = "sphere"\nfixed = "yes"\n'),
    ("a table of another version", "bond = 3\n"),
]


def samples_of(sort):
    """Values that may stand at a key which docs/scene.md says is of this sort; "table": some table."""
    if sort in SAMPLES:
        return SAMPLES[sort]
    words = re.findall(r'"([a-z][^"]*)"', sort)
    plain = re.sub(r'"[^"]*"', "", sort)
    if plain.startswith("list of") and words:
        return [words, words[0]]
    samples = [word.replace("NAME", "hinge") for word in words]
    bracket = re.search(r"\[([^\[\]]*)\]", plain)
    if bracket and not re.search(r"number ", plain):
        length = len(bracket[1].split(","))
        samples = [[word] * length for word in words + ["1"]]
    if re.search(r"\btables?\b", plain):
        samples.append("list of tables" if "list" in plain else "table")
    if plain == "true or false":
        samples.append(True)
    if re.match(r"list of (parts|faces|two names)|(name|node|body|file|folder|text|condition|quantity)", plain):
        samples.append(["a", "b"] if plain.startswith("list") else "a")
    if QUANTITY.search(plain) and not plain.startswith(("[", "list", "name")):
        samples.append("3 m")
    return samples


def ways_of(schema):
    """The alternatives of a key, without references."""
    for way in schema.get("anyOf", schema.get("allOf", [schema])):
        yield way


def lets_through(validator, schema, sample):
    if sample == "table":
        return any("$ref" in way for way in ways_of(schema))
    if sample == "list of tables":
        return any("$ref" in way.get("items", {}) for way in ways_of(schema))
    return validator.evolve(schema=schema).is_valid(sample)


def misunderstood_keys(schema, validator):
    """Keys of which the schema says something else than docs/scene.md, which its descriptions come from."""
    tables = {"": schema, **schema["definitions"]}
    for name, table in tables.items():
        for key, value in table["properties"].items():
            description = value.get("description", "")
            if not set(value) & {"type", "anyOf", "enum", "allOf", "$ref"} or value.get("items") == {} or not description:
                yield f"{name}.{key}: what may stand there?"
                continue
            sort = re.split(r"; default: |\. ", description)[0]
            samples = samples_of(sort)
            if not samples:
                yield f"{name}.{key}: what is `{sort}`?"
            for sample in samples:
                if not lets_through(validator, value, sample):
                    yield f"{name}.{key}: {sample!r} is refused, though it is {sort}: {value}"


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    printed = subprocess.run([program, "schema"], check=True, capture_output=True, text=True).stdout
    schema = json.loads(printed)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    wrong, scenes, mistakes = list(misunderstood_keys(schema, validator)), 0, 0
    for name, tree in scenes_of(source):
        scenes += 1
        error = jsonschema.exceptions.best_match(validator.iter_errors(tree))
        if error:
            wrong.append(f"{name}: refused: {list(error.absolute_path)}: {error.message}")
            continue
        for what, other in spoilt(tree) if scenes % 4 == 0 else ():
            mistakes += 1
            if validator.is_valid(other):
                wrong.append(f"{name}: {what} passes")
    for what, text in SPOILT_BY_HAND:
        if validator.is_valid(tomllib.loads(text)):
            wrong.append(f"{what} passes:\n{text}")
    print("\n".join(wrong))
    print(f"{scenes} scenes pass, {mistakes} spoilt ones do not; {len(wrong)} wrong")
    return 1 if wrong or scenes < 90 or mistakes < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
