import ast
import inspect
import os
import pydoc
import re
import subprocess
import sys

from scenes import ROOT, Case, main

import lodestone

PACKAGE = ROOT / "python" / "lodestone"


def parameters(function):
    """Names of an ast function, each kind."""
    a = function.args
    return [x.arg for x in a.posonlyargs + a.args + a.kwonlyargs + [b for b in (a.vararg, a.kwarg) if b]]


def is_called(decorator, name):
    return isinstance(decorator, (ast.Name, ast.Attribute)) and getattr(decorator, "id", getattr(decorator, "attr", "")) == name


def public(tree):
    """{name: parameters} of functions and methods; of classes None, of attributes and properties "attribute"."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            found[node.name] = parameters(node)
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found[node.name] = None
            for member in node.body:
                if isinstance(member, ast.AnnAssign):
                    found[f"{node.name}.{member.target.id}"] = "attribute"
                if not isinstance(member, ast.FunctionDef):
                    continue
                name, decorators = f"{node.name}.{member.name}", member.decorator_list
                if any(is_called(d, "property") or is_called(d, "setter") for d in decorators):
                    found[name] = "attribute"
                elif not member.name.startswith("_") or member.name == "__init__":
                    found[name] = parameters(member)
    return found


class Package(Case):
    def test_stubs_say_what_there_is(self):
        for module in sorted(PACKAGE.glob("*.py")):
            stub = module.with_suffix(".pyi")
            self.assertTrue(stub.exists(), stub)
            there = public(ast.parse(module.read_text()))
            said = public(ast.parse(stub.read_text()))
            for name, wanted in there.items():
                self.assertEqual(said.get(name, "missing"), wanted, f"{stub.name}: {name}")
        core = public(ast.parse((PACKAGE / "_core.pyi").read_text()))
        for name, thing in vars(lodestone._core).items():
            if not name.startswith("_") and callable(thing):
                self.assertIn(name, core)

    def test_stubs_have_the_tables_of_a_scene(self):
        said = public(ast.parse((PACKAGE / "scene.pyi").read_text()))
        for name, thing in inspect.getmembers(lodestone.Scene, inspect.isfunction):
            if not name.startswith("_"):
                self.assertIn(f"Scene.{name}", said)

    def test_everything_has_a_text_for_help(self):
        for name in lodestone.__all__:
            thing = getattr(lodestone, name)
            if name.startswith("__"):
                continue
            self.assertTrue(inspect.getdoc(thing), name)
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                        self.assertTrue(inspect.getdoc(value), f"{name}.{member}")
        text = pydoc.render_doc(lodestone, renderer=pydoc.plaintext)
        for word in ("Scene", "Simulation", "SI"):
            self.assertIn(word, text)

    def test_help_of_a_table_has_its_keys_with_units(self):
        for method, words in [(lodestone.Scene.rod, ["bonds ", "whole number; default: needed", "diameter "]),
                              (lodestone.Scene.material, ["magnetisation ", "density "]),
                              (lodestone.Scene.field, ["gradient  \"differences\"", "uniform ", "factor "]),
                              (lodestone.Scene.solver, ["dt ", "arc_length"])]:
            text = inspect.getdoc(method)
            for word in words:
                self.assertIn(word, text)
        tables = lodestone.schema()["definitions"]
        for name in ("rod", "shell", "joint", "stage", "probe", "contact", "fluid"):
            text = inspect.getdoc(getattr(lodestone.Scene, name))
            for key in tables[name]["properties"]:
                self.assertRegex(text, rf"(?m)^{key}\b")

    def test_the_code_of_the_docs_runs(self):
        text = (ROOT / "docs" / "python.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        self.assertGreaterEqual(len(blocks), 4)
        file = self.folder / "docs.py"
        file.write_text("import os\nos.chdir(os.environ['ROOT'])\n" + "\n".join(blocks).replace('"out/', f'"{self.folder}/'))
        done = subprocess.run([sys.executable, "-B", file], capture_output=True, text=True,
                              env=dict(os.environ, ROOT=os.fspath(ROOT)))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_pip_installs_it_without_a_network(self):
        venv = self.folder / "venv"
        here = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        nowhere = dict(here, PIP_INDEX_URL="http://127.0.0.1:9/", PIP_DISABLE_PIP_VERSION_CHECK="1")
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", venv], check=True, env=here)
        done = subprocess.run([venv / "bin/pip", "install", "--quiet", "--no-cache-dir", ROOT], capture_output=True,
                              text=True, env=nowhere)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        code = "import lodestone; print(lodestone.__file__, lodestone.Scene.from_file('scenes/curl.toml').check()['nodes'])"
        done = subprocess.run([venv / "bin/python", "-c", code], capture_output=True, text=True, env=here, cwd=ROOT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(str(venv), done.stdout)


if __name__ == "__main__":
    main()
