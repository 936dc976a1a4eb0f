#!/usr/bin/python3
"""Fail where a layer includes a layer it may not know, a file has grown past 400 lines or a folder past 40 files, a
header lacks #pragma once, or two headers define a class of the same name.

usage: tools/check_layers.py [src]
"""
import pathlib
import re
import sys

# The layers from left to right, each with those to its left that it may include as well; what they may include, it may
# too. A folder that is not named here belongs to the layer above it. The picture is in ARCHITECTURE.md.
LAYERS = {
    "base": "",
    "math": "base",
    "language": "math",
    "dipoles": "math",
    "physics": "math",
    "model": "physics",
    "collide": "model",
    "fluid/lattice": "model",
    "fluid/immersed": "fluid/lattice",
    "fluid": "fluid/immersed",
    "build": "collide",
    "terms": "collide fluid dipoles",
    "gpu": "terms",
    "step": "terms gpu build",
    "step/newton": "step",
    "step/coupled": "step/newton",
    "output": "step/newton",
    "picture": "output",
    "scene": "build fluid language",
    "scene/read": "scene",
    "run": "scene/read step/coupled picture",
    "view": "run",
    "lodestone": "view",
}


def reachable(layer):
    found = {layer}
    for other in LAYERS[layer].split():
        found |= reachable(other)
    return found


MAY_INCLUDE = {layer: reachable(layer) for layer in LAYERS}
ADAPTERS_MAY_INCLUDE = {"base", "math", "physics"}
MAX_LINES = 400
MAX_FILES = 40

CODE = {".h", ".hpp", ".cuh", ".cpp", ".cu"}
HEADERS = {".h", ".hpp", ".cuh"}
MEASURED = CODE | {".py", ".sh", ".cmake", ""}  # "": scripts without a suffix
FOLDERS = ("src", "apps", "bench", "examples", "tests", "tools", "validation", "python", "viewer", "adapters")
SKIPPED = {"__pycache__", "node_modules", "third_party", "dist"}

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
# A class of a namespace, not a forward declaration: in two headers of one program it would be two meanings of one name.
CLASS = re.compile(r"^(?:class|struct|enum class) ([A-Z]\w*)(?: final)?(?: :.*)?\s*\{", re.MULTILINE)
BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def without_comments(text):
    """Block comments become blank lines, so that line numbers stay right."""
    return BLOCK_COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)


def includes(path):
    for number, line in enumerate(without_comments(read(path)).splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1)


def layer_of(path, src):
    """The layer of the innermost folder that is one; None for no layer at all."""
    folder = path.relative_to(src).parent
    while folder.parts:
        if folder.as_posix() in LAYERS:
            return folder.as_posix()
        folder = folder.parent
    return None


def layer_of_include(path, name, src):
    """The layer an include leads to, or None for a library's header. "x.h" and "../math/x.h" are looked up from path."""
    for target in (src / name, (path.parent / name).resolve()):
        if target.is_file() and target.is_relative_to(src):
            return layer_of(target, src)
    return None


def check_includes(path, layer, allowed, src):
    for number, name in includes(path):
        other = layer_of_include(path, name, src)
        if other is not None and other not in allowed:
            may = ", ".join(sorted(allowed - {layer})) or "no other folder"
            yield f"{number}: {layer} must not include {other} ({name}); it may include {may}"


def check_shape(path):
    text = read(path)
    lines = len(text.splitlines())
    if lines > MAX_LINES:
        yield f"{MAX_LINES + 1}: {lines} lines, the limit is {MAX_LINES}: split it by what it does"
    if path.suffix in HEADERS and not re.search(r"^\s*#\s*pragma\s+once\b", without_comments(text), re.MULTILINE):
        yield "1: a header starts with #pragma once"


def violations(src):
    root = src.parent
    for folder in FOLDERS:
        base = src if folder == "src" else root / folder
        for path in sorted(base.rglob("*")) if base.is_dir() else []:
            if not path.is_file() or path.suffix not in MEASURED or SKIPPED & set(path.parts):
                continue
            found = list(check_shape(path))
            if path.suffix in CODE and folder == "src":
                layer = layer_of(path, src)
                if layer:
                    found += check_includes(path, layer, MAY_INCLUDE[layer], src)
                else:
                    found.append("1: it is in no layer; name its folder in tools/check_layers.py")
            elif path.suffix in CODE and folder == "adapters":
                found += check_includes(path, folder, ADAPTERS_MAY_INCLUDE, src)
            for message in found:
                yield f"{path.relative_to(root)}:{message}"


def crowded(src):
    for folder in sorted({path.parent for path in src.rglob("*") if path.is_file()}):
        files = sum(path.is_file() for path in folder.iterdir())
        if files > MAX_FILES:
            yield f"{folder.relative_to(src.parent)}: {files} files, the limit is {MAX_FILES}: it is more than one room"


def named_twice(src):
    seen = {}
    for path in sorted(src.rglob("*.h")):
        for name in set(CLASS.findall(without_comments(read(path)))):
            if name in seen:
                yield f"{path.relative_to(src.parent)}: class {name} is defined in {seen[name]} too"
            seen[name] = path.relative_to(src.parent)


def main(arguments):
    src = pathlib.Path(arguments[0] if arguments else "src").resolve()
    if len(arguments) > 1 or not src.is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    found = list(violations(src)) + list(crowded(src)) + list(named_twice(src))
    for message in found:
        print(message)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
