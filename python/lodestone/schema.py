"""The keys of a scene, as its reader has them."""
import functools
import json
import textwrap

from . import _core


def schema():
    """The JSON Schema of scene files, as a dictionary: which keys there are, with their types, units and defaults.
    Editors that are given it complete and check scenes; `lodestone schema` prints it."""
    return json.loads(_core.schema())


@functools.cache
def _tables():
    return schema()["definitions"]


def text_of(table, level=0):
    """The keys of a table, for help(): a line or more each, with those of the tables within it."""
    lines, indent = [], "    " * level
    for name, about in sorted(_tables().get(table, {}).get("properties", {}).items()):
        text = f"{indent}{name:16} {about.get('description', '')}"
        lines += textwrap.wrap(text, 116, subsequent_indent=indent + " " * 17, break_on_hyphens=False)
        if level == 0:
            lines += text_of(f"{table}.{name}", 1)
    return lines
