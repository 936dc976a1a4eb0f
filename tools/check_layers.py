#!/usr/bin/python3
"""Fail where a folder includes a folder it may not know, a file has grown past 500 lines, or a header lacks
#pragma once.

usage: tools/check_layers.py [src]
"""
import pathlib
import re
import sys

# Each folder of src/ and what it may include besides itself: only what is to its left in the picture of ARCHITECTURE.md.
LAYERS = {
    "base": "",
    "math": "base",
    "physics": "base math",
    "model": "base math",
    "collide": "base math model",
    "fluid": "base math model",
    "terms": "base math physics model collide",
    "gpu": "base math physics model collide",
    "build": "base math physics model collide terms",
    "step": "base math physics model collide terms build fluid gpu",
    "scene": "base math physics model collide terms build fluid gpu step",
}
MAY_INCLUDE = {layer: set(others.split()) | {layer} for layer, others in LAYERS.items()}
ADAPTERS_MAY_INCLUDE = {"base", "math", "physics"}
MAX_LINES = 500

CODE = {".h", ".hpp", ".cuh", ".cpp", ".cu"}
HEADERS = {".h", ".hpp", ".cuh"}
MEASURED = CODE | {".py", ".sh", ".cmake", ""}  # "": scripts without a suffix
FOLDERS = ("src", "apps", "bench", "tests", "tools", "validation", "python", "viewer", "adapters")
SKIPPED = {"__pycache__", "node_modules", "third_party", "dist"}

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
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


def layer_of_include(path, name, src):
    """The layer an include leads to, or None for a library's header. "x.h" and "../math/x.h" are looked up from path."""
    first = name.split("/")[0]
    if first in MAY_INCLUDE and "/" in name:
        return first
    target = (path.parent / name).resolve()
    if target.is_file() and target.is_relative_to(src):
        return target.relative_to(src).parts[0]
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
                layer = path.relative_to(src).parts[0]
                if layer in MAY_INCLUDE:
                    found += check_includes(path, layer, MAY_INCLUDE[layer], src)
                else:
                    found.append(f"1: {layer} is not a layer; name it in tools/check_layers.py")
            elif path.suffix in CODE and folder == "adapters":
                found += check_includes(path, folder, ADAPTERS_MAY_INCLUDE, src)
            for message in found:
                yield f"{path.relative_to(root)}:{message}"


def main(arguments):
    src = pathlib.Path(arguments[0] if arguments else "src").resolve()
    if len(arguments) > 1 or not src.is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    found = list(violations(src))
    for message in found:
        print(message)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
