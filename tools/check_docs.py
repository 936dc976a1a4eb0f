#!/usr/bin/python3
"""Hold the documentation against the tree and the program: every link leads somewhere, to the heading too; every scene
in it is one that `lodestone check` takes; every command has the options that it is given, and files that are there.

usage: tools/check_docs.py LODESTONE [--run]
With --run the commands of the first steps and the tutorials are run as well, page by page in a folder of its own, and must
say what the pages say they do.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = {"./run", "./test", "tools/package", "tools/site", "tools/tidy"}
PLACEHOLDERS = {"scene.toml"}  # of pages that speak of any scene


def pages():
    for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "bench/README.md"):
        yield ROOT / name
    yield from sorted(ROOT.glob("docs/**/*.md"))
    yield from sorted(ROOT.glob("validation/*/page.md"))


def tutorials():
    return [ROOT / "docs/start.md", *sorted(ROOT.glob("docs/tutorials/*.md"))]


def blocks_of(text):
    """Pairs of language and text: fenced blocks, and the indented ones of the README as `sh` where they are commands."""
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        yield language, block
    outside = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for line in re.findall(r"^    ((?:\./run|\./test|lodestone) .*|\./run|\./test)$", outside, re.MULTILINE):
        yield "sh", line + "\n"


def anchors_of(page):
    """What `#` may lead to: headings, as pages of git hosts and of mkdocs spell them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    found = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        heading = re.sub(r"\]\([^)]*\)", "]", heading)
        for plain in (heading, unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()):
            found.add(re.sub(r"[^\w\- ]", "", plain).strip().lower().replace(" ", "-"))
    return found


def wrong_links(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("http:", "https:")):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if page.name == "page.md" and not file and (ROOT / "validation" / anchor).is_dir():
            continue  # on the page of `lodestone validate` all cases stand together
        if not target.exists():
            yield f"the link {link} leads nowhere"
        elif anchor and target.suffix == ".md" and anchor not in anchors_of(target):
            yield f"the link {link}: there is no such heading"


def name_of(block):
    first = re.match(r"# ([\w.]+\.toml)\n", block)
    return first[1] if first else None


def scenes_of(text):
    """Pairs of a name and a scene: whole ones, and those to which a later block adds something."""
    whole = name = None
    for language, block in blocks_of(text):
        if language != "toml":
            continue
        if name_of(block) or whole is None:
            whole, name = block, name_of(block) or "scene.toml"
            yield name, whole
        else:
            yield name, whole + block


class Program:
    """The commands of lodestone and of the scripts, as their --help has them."""

    def __init__(self, lodestone):
        self.lodestone = lodestone
        self.helps = {}

    def help(self, words):
        if words not in self.helps:
            answer = subprocess.run([*words, "--help"], capture_output=True, text=True, cwd=ROOT)
            self.helps[words] = answer.stdout if answer.returncode == 0 else None
        return self.helps[words]

    def mistakes_in(self, words, files):
        """What is wrong with a command; files: those that a page has made."""
        if words[0] == "lodestone":
            known = self.help((self.lodestone, words[1])) if len(words) > 1 else None
            if known is None:
                yield f"there is no command `{' '.join(words[:2])}`"
                return
        elif words[0] in OURS:
            known = (ROOT / words[0]).read_text()
        else:
            return
        for word in words[1:]:
            option = word.partition("=")[0]
            if word.startswith("-") and not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", known):
                yield f"`{words[0]}` has no option {option} here: {' '.join(words)}"
            if word.endswith(".toml") and word not in files | PLACEHOLDERS and not (ROOT / word).is_file():
                yield f"there is no scene {word}: {' '.join(words)}"


def commands_of(text):
    for language, block in blocks_of(text):
        if language == "sh":
            for line in block.splitlines():
                words = shlex.split(line, comments=True)
                if words:
                    yield words


def wrong_scenes(page, lodestone):
    """docs/scene.md is read by a test of the reader, whose fragments it completes."""
    if page.name == "scene.md":
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, scene in scenes_of(page.read_text()):
            (pathlib.Path(folder) / name).write_text(scene)
            answer = subprocess.run([lodestone, "check", name], capture_output=True, text=True, cwd=folder)
            if answer.returncode != 0 or "warning" in answer.stderr:
                yield answer.stderr.strip() + "\n" + scene


def wrong_answers(page, lodestone):
    """Runs what a page says, from its first block to its last."""
    answer = ""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "scenes").symlink_to(ROOT / "scenes")
        for language, block in blocks_of(page.read_text()):
            if language == "toml" and name_of(block):
                (folder / name_of(block)).write_text(block)
            elif language == "sh":
                for line in block.splitlines():
                    words = shlex.split(line, comments=True)
                    if words[:1] != ["lodestone"]:
                        continue
                    done = subprocess.run([lodestone, *words[1:]], capture_output=True, text=True, cwd=folder)
                    answer = done.stdout + done.stderr
                    if done.returncode != 0:
                        yield f"{line}: exit code {done.returncode}\n{answer}"
            elif language == "text":
                for line in block.splitlines():
                    if not re.search(re.escape(line).replace("…", ".*"), answer):
                        yield f"nothing said `{line}`:\n{answer}"


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--run"]):
        print(__doc__, file=sys.stderr)
        return 2
    lodestone = str(pathlib.Path(sys.argv[1]).resolve())
    program, wrong, seen = Program(lodestone), [], 0

    def note(page, mistakes):
        wrong.extend(f"{page.relative_to(ROOT)}: {mistake}" for mistake in mistakes)

    if sys.argv[2:]:
        for page in tutorials():
            note(page, wrong_answers(page, lodestone))
            seen += 1
        print("\n".join(wrong), f"{seen} pages run, {len(wrong)} wrong", sep="\n")
        return 1 if wrong or seen < 5 else 0
    for page in pages():
        text = page.read_text()
        files = {name for name, _ in scenes_of(text)}
        note(page, wrong_links(page))
        for words in commands_of(text):
            note(page, program.mistakes_in(words, files))
            seen += 1
        note(page, wrong_scenes(page, lodestone))
    print("\n".join(wrong), f"{seen} commands looked at, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or seen < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
