"""How pip builds the package: with the CMake of this tree, which fetches nothing (PEP 517).

The version is that of CMakeLists.txt, all else of the metadata stands in pyproject.toml. What is built stays in build/,
where `./run --build` builds, so that the second time takes seconds.
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
EPOCH = (1980, 1, 1, 0, 0, 0)  # of files in a wheel: the same sources give the same bytes


def _version():
    found = re.search(r"project\(lodestone VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    return found[1]


def _metadata():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {_version()}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {name}" for name in project["dependencies"]]
    return "\n".join(lines + ["Description-Content-Type: text/markdown", "", (ROOT / project["readme"]).read_text()])


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _call(*command):
    environment = dict(os.environ, PATH="/usr/bin:/bin:" + os.environ.get("PATH", ""))
    try:
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
    except FileNotFoundError:
        raise SystemExit(f"{command[0]} is not there: ./run --build installs all that the build needs") from None


def _build():
    """The extension module, for this interpreter."""
    if not (BUILD / "build.ninja").exists():
        _call("cmake", "--preset", "release", f"-DPython_EXECUTABLE={sys._base_executable}")
    if not any(line.startswith("build lodestone_python:") for line in (BUILD / "build.ninja").open()):
        raise SystemExit("pybind11 or Python's headers are not there: apt install pybind11-dev python3-dev, then remove "
                         "build/CMakeCache.txt")
    _call("ninja", "-C", str(BUILD), "lodestone_python")
    package = BUILD / "python" / "lodestone"
    module = package / ("_core" + sysconfig.get_config_var("EXT_SUFFIX"))
    if not module.exists():
        raise SystemExit(f"build/ was configured for another Python than {sys.executable}: remove build/CMakeCache.txt, "
                         "or make the environment with /usr/bin/python3")
    return module


def _files(module):
    """What goes into the package: name in the wheel, and file."""
    for file in sorted((ROOT / "python" / "lodestone").iterdir()):
        if file.suffix in (".py", ".pyi") or file.name == "py.typed":
            yield f"lodestone/{file.name}", file
    yield f"lodestone/{module.name}", module


def _hash(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = [(name, file.read_bytes()) for name, file in _files(_build())]
    info = f"lodestone-{_version()}.dist-info"
    files.append((f"{info}/METADATA", _metadata().encode()))
    files.append((f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: lodestone\nRoot-Is-Purelib: false\nTag: {_tag()}\n"
                  .encode()))
    files.append((f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes()))
    record = "".join(f"{name},{_hash(data)},{len(data)}\n" for name, data in files) + f"{info}/RECORD,,\n"
    files.append((f"{info}/RECORD", record.encode()))
    wheel = f"lodestone-{_version()}-{_tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    name = f"lodestone-{_version()}"
    known = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for file in filter(None, known.decode().split("\0")):
            archive.add(ROOT / file, f"{name}/{file}")
        info = tarfile.TarInfo(f"{name}/PKG-INFO")
        data = _metadata().encode()
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return f"{name}.tar.gz"
