#!/usr/bin/python3
"""The documentation as a site: the pages of docs/, a gallery of scenes/ with pictures and times, and the validations with
their plots, with a search over all of it. It needs no network, neither to be made nor to be read. What was simulated for it is
kept in out/site-runs and not simulated again while the scene stays as it is. Pages open from the disk; the search needs a server:
python3 -m http.server -d out/site.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

from site_check import wrong_pages
from site_runs import gallery, validation_sections

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Where a page stands on the site; what is not named here stands where it stands in docs/.
NAMED = {
    "README.md": "index.md",
    "docs/README.md": "contents.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "bench/README.md": "speed.md",
    "scenes": "gallery/index.md",
    "validation": "validation/index.md",
}
NAV = [
    ("Lodestone", "index.md"),
    ("Start", "start.md"),
    ("Tutorials", "tutorials"),
    ("Gallery", "gallery/index.md"),
    ("Scene file", "scene.md"),
    ("Program", "program.md"),
    ("Python", "python.md"),
    ("C++", "cpp.md"),
    ("Theory", "theory"),
    ("Validation", "validation/index.md"),
    ("More", ["contents.md", "words.md", "rotations.md", "how_to_add.md", "architecture.md", "contributing.md",
              "speed.md", "changelog.md"]),
]
STYLE = """
.wide { overflow-x: auto; } .rst-content table td, .rst-content table th { white-space: normal !important; }
figure { margin: 1em 0; } figure svg { max-width: 100%; height: auto; }
td.number { text-align: right; font-variant-numeric: tabular-nums; } tr.fails { color: #b00020; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(260px, 1fr)); gap: 1em; }
.gallery a { display: block; border: 1px solid #d0d4da; border-radius: 4px; padding: .5em; text-decoration: none; }
.gallery img { width: 100%; height: 180px; object-fit: contain; background: #fff; }
.gallery small { color: #667; } img { max-width: 100%; background: #fff; }
"""


def site_path(source):
    """Where on the site a file of the tree is found; None: nowhere."""
    name = str(source)
    if name in NAMED:
        return NAMED[name]
    parts = source.parts
    if parts[0] == "docs":
        return str(pathlib.PurePath(*parts[1:])) if source.suffix else None
    if parts[0] == "scenes" and source.suffix == ".toml":
        return f"gallery/{source.stem}.md"
    if parts[0] == "validation" and (len(parts) == 2 and not source.suffix or parts[-1] == "page.md"):
        return f"validation/{parts[1]}.md"
    return f"files/{name}" if (ROOT / source).is_file() else None


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.sources = folder / "docs"
        shutil.rmtree(folder, ignore_errors=True)
        self.sources.mkdir(parents=True)

    def add_page(self, source, extra=""):
        """A page of the tree, its links turned to where things are on the site."""
        self.write(site_path(source), self.with_links((ROOT / source).read_text(), source) + extra)

    def with_links(self, text, source):
        def turned(match):
            words, file, anchor = match[1], match[2], match[3] or ""
            if re.match(r"[a-z]+:", file) or not file:
                return match[0]
            there = pathlib.PurePath(os.path.relpath((ROOT / source).parent / file, ROOT))
            target = site_path(there)
            if target is None:
                return words[1:-1] if words.startswith("[") else words
            if target.startswith("files/"):
                self.copy(there, target)
            return f"{words}({os.path.relpath(target, os.path.dirname(site_path(source)) or '.')}{anchor})"

        parts = re.split(r"(^```.*?^```)", text, flags=re.DOTALL | re.MULTILINE)
        link = re.compile(r"(!?\[(?:[^\[\]]|\[[^\[\]]*\]|`[^`]*`)*\])\(([^)#\s]*)(#[^)]*)?\)")
        parts = [part if part.startswith("```") else link.sub(turned, part) for part in parts]
        text = "".join(parts)
        if source.name == "page.md":  # cases on one page, elsewhere
            text = re.sub(r"\]\(#(\w+)\)", lambda m: f"]({m[1]}.md)" if (ROOT / "validation" / m[1]).is_dir() else m[0],
                          text)
        return text

    def write(self, name, text):
        file = self.sources / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def copy(self, source, target):
        file = self.sources / target
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, file)

    def nav(self):
        lines = []
        for title, what in NAV:
            if isinstance(what, list):
                names = [name for name in what if (self.sources / name).exists()]
            elif what.endswith(".md"):
                if (self.sources / what).exists():
                    lines.append(f"  - {title}: {what}")
                continue
            else:
                names = sorted(str(p.relative_to(self.sources)) for p in (self.sources / what).glob("*.md"))
            lines.append(f"  - {title}:")
            lines += [f"      - {name}" for name in names]
        return "\n".join(lines)

    def configuration(self, out):
        return (f"site_name: lodestone\nsite_dir: {out}\ndocs_dir: {self.sources}\nuse_directory_urls: false\n"
                "theme:\n  name: readthedocs\n  highlightjs: false\n  navigation_depth: 3\n"
                "extra_css: [style.css]\nplugins: [search]\n"
                "markdown_extensions:\n  - tables\n  - fenced_code\n  - toc:\n      permalink: true\n"
                f"nav:\n{self.nav()}\n")


def mend_theme(site):
    """Debian's copy of the theme asks for two scripts by names that it does not have. The second one only frames tables."""
    jquery = pathlib.Path("/usr/share/javascript/jquery/jquery.min.js")
    site.write("js/jquery-3.6.0.min.js", jquery.read_text())
    site.write("js/theme_extra.js", 'document.querySelectorAll("table").forEach((table) => '
                                    'table.classList.add("docutils"));\n')


def add_pages(site):
    for source in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md"]:
        site.add_page(pathlib.PurePath(source))
    for page in sorted((ROOT / "docs").glob("**/*.md")):
        site.add_page(pathlib.PurePath(page.relative_to(ROOT)))
    for picture in (ROOT / "docs").glob("pictures/*"):
        site.copy(picture.relative_to(ROOT), f"pictures/{picture.name}")
    site.write("style.css", STYLE)


def add_gallery(site, arguments):
    shots = gallery(ROOT, arguments.lodestone, arguments.runs, arguments.longest)
    cards = []
    for shot in shots:
        picture = f"![{shot.title}]({shot.name}.svg)\n\n" if shot.picture else ""
        if shot.picture:
            site.copy(shot.picture, f"gallery/{shot.name}.svg")
        files = "".join(f"- [`{file.relative_to(ROOT)}`](../files/{file.relative_to(ROOT)})\n" for file in shot.files)
        for file in shot.files:
            site.copy(file, f"files/{file.relative_to(ROOT)}")
        site.write(f"gallery/{shot.name}.md",
                   f"# {shot.title}\n\n{picture}{shot.about}\n\n```sh\nlodestone run scenes/{shot.name}.toml\n```\n\n"
                   f"{shot.told}\n\n```toml\n{shot.text}```\n\n{files}")
        image = f'<img src="{shot.name}.svg" alt="">' if shot.picture else ""
        cards.append(f'<a href="{shot.name}.html">{image}{shot.title}<br><small>{shot.short}</small></a>')
    site.write("gallery/index.md", "# Gallery\n\nOne scene for every feature; each is in `scenes/`.\n\n"
               '<div class="gallery">\n' + "\n".join(cards) + "\n</div>\n")


def add_validation(site, arguments):
    sections, told = validation_sections(arguments.lodestone, arguments.runs, arguments.validation)
    rows = []
    for page in sorted((ROOT / "validation").glob("*/page.md")):
        name = page.parent.name
        site.add_page(pathlib.PurePath(page.relative_to(ROOT)), "\n" + sections.get(name, ""))
        rows.append(f"- [{page.read_text().splitlines()[0].lstrip('# ')}]({name}.md)")
    site.write("validation/index.md", "# Validation\n\nEach case states a claim, what is true, and how far we are from it. "
               f"`lodestone validate` runs them all.\n\n{told}\n\n" + "\n".join(rows) + "\n")


def main():
    parser = argparse.ArgumentParser(prog="tools/site", description=__doc__)
    parser.add_argument("--lodestone", type=pathlib.Path, default=ROOT / "build/lodestone", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out/site", help="folder of the site")
    parser.add_argument("--runs", type=pathlib.Path, default=ROOT / "out/site-runs", help="where runs are kept")
    parser.add_argument("--longest", type=float, default=300, metavar="SECONDS",
                        help="scenes that take longer, as `lodestone check` estimates, are not run (300)")
    parser.add_argument("--validation", choices=["fast", "full", "none"], default="fast",
                        help="which validations are run for their plots")
    arguments = parser.parse_args()
    arguments.runs, arguments.out = arguments.runs.resolve(), arguments.out.resolve()
    arguments.runs.mkdir(parents=True, exist_ok=True)
    site = Site(arguments.runs / "source")
    mend_theme(site)
    add_pages(site)
    add_gallery(site, arguments)
    add_validation(site, arguments)
    configuration = site.folder / "mkdocs.yml"
    configuration.write_text(site.configuration(arguments.out))
    subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--clean", "-f", str(configuration)], check=True)
    wrong = wrong_pages(arguments.out)
    print("\n".join(wrong + [f"{arguments.out}/index.html"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"no site: `{' '.join(str(word) for word in error.cmd)}` ended with code {error.returncode}\n"
                 f"{error.stderr or ''}")
