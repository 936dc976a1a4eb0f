"""What is simulated for the site: the scenes of the gallery, and the validations."""
import dataclasses
import hashlib
import json
import pathlib
import re
import subprocess
import tomllib


@dataclasses.dataclass
class Shot:
    """A scene and what came of it."""
    name: str
    title: str
    about: str  # the comment at its head
    text: str
    files: list  # meshes
    picture: pathlib.Path | None = None
    told: str = ""
    short: str = ""


def shot_of(scene):
    text = scene.read_text()
    comment = re.match(r"(?:#.*\n)*", text)[0]
    about = " ".join(line.lstrip("# ") for line in comment.splitlines())
    meshes = [scene.parent / name for name in re.findall(r'^mesh = "([^"]+)"', text, re.MULTILINE)]
    return Shot(scene.stem, tomllib.loads(text).get("title", scene.stem), about, text, meshes)


def seconds(number):
    return f"{number:.1f} s" if number < 10 else f"{number:.0f} s" if number < 120 else f"{number / 60:.0f} min"


def run_scene(scene, lodestone, folder, longest):
    """The summary of a finished run of this very scene; None: it takes too long. Raises where the run fails."""
    stamp = folder / "site-stamp"
    key = hashlib.sha256(scene.read_bytes()).hexdigest()
    if not (stamp.exists() and stamp.read_text() == key):
        checked = subprocess.run([lodestone, "check", str(scene), "--json"], capture_output=True, text=True, check=True)
        if json.loads(checked.stdout)["wall_seconds"] > longest:
            return None
        subprocess.run([lodestone, "run", str(scene), "--out", str(folder), "--force", "--quiet"], check=True)
        stamp.write_text(key)
    return json.loads((folder / "summary.json").read_text())


def gallery(root, lodestone, runs, longest):
    shots = []
    for scene in sorted((root / "scenes").glob("*.toml")):
        shot, folder = shot_of(scene), runs / scene.stem
        summary = run_scene(scene, lodestone, folder, longest)
        if summary:
            shot.picture = folder / "picture.svg" if (folder / "picture.svg").exists() else None
            shot.short = seconds(summary["wall_seconds"])
            shot.told = f"{summary['status']}: {summary['steps']} steps in {shot.short} of one core."
        else:
            shot.short = f"more than {seconds(longest)}"
            shot.told = f"Takes {shot.short}; not run for this site."
        shots.append(shot)
    return shots


def validation_sections(lodestone, runs, how):
    """By case: tables and plots as `lodestone validate` draws them, and what to say of them all."""
    if how == "none":
        return {}, "Not run for this site."
    out = runs / "validation"
    command = [lodestone, "validate", "--out", str(out), "--resume", *(["--fast"] if how == "fast" else [])]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    report = (out / "index.html").read_text()
    sections = {}
    for name, section in re.findall(r'<section id="(\w+)">(.*?)</section>', report, re.DOTALL):
        tables = section.rfind('<div class="wide"><table>')
        # Without empty lines, which would end a piece of HTML on a page of Markdown.
        sections[name] = "## What came out\n\n<div>" + re.sub(r"\n\s*\n", "\n", section[tables:]) + "</div>\n"
    told = re.search(r"<p>(.*?)</p>", report, re.DOTALL)[1]
    kind = "the smaller cases that take seconds" if how == "fast" else "all cases whole"
    return sections, f"For this site: {kind}. {re.sub(r'<[^>]*>', '', told)}"
