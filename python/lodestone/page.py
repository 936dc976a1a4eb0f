"""The page of a run, as `lodestone view` serves it: by another process, since HDF5 is for one thread at a time."""
import html
import os
import pathlib
import select
import subprocess
import sys
import time

from . import _core
from .errors import Error, FileError

_PATIENCE = 30  # s, without a page, before a server ends that nobody holds any more
_served = {}  # processes and addresses, by folder


def address_of(folder):
    """Where the page of a run is served: to the browsers of this machine, as long as this Python runs, and after it as
    long as the page is open."""
    folder = os.path.realpath(folder)
    process, address = _served.get(folder, (None, ""))
    if process and process.poll() is None:
        return address
    here = os.fspath(pathlib.Path(__file__).parents[1])
    others = os.environ.get("PYTHONPATH")
    environment = dict(os.environ, PYTHONPATH=here + os.pathsep + others if others else here)
    command = [sys.executable, "-c", "import lodestone.page; lodestone.page.serve()", folder]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment, start_new_session=True)  # Ctrl-C is not for it
    address = process.stdout.readline().strip()
    if not address:
        said = process.communicate()[1].strip()
        raise (FileError if process.returncode == 4 else Error)(said)
    process.stderr.close()
    _served[folder] = process, address
    return address


def frame(address, width, height):
    """HTML that shows it within another page."""
    style = html.escape(f"width: {width}; height: {height}px; border: 1px solid #8886; border-radius: 4px", quote=True)
    return f'<iframe src="{html.escape(address, quote=True)}" style="{style}" title="lodestone"></iframe>'


def serve():
    """What the other process does."""
    try:
        page = _core.Page(sys.argv[1], 0)
    except Error as error:
        print(error, file=sys.stderr)
        sys.exit(4 if isinstance(error, FileError) else 2)
    print(page.address(), flush=True)
    is_held = True
    while is_held or page.seconds_alone() < _PATIENCE:
        if is_held and select.select([sys.stdin], [], [], 1)[0]:
            is_held = bool(os.read(sys.stdin.fileno(), 1))
        elif not is_held:
            time.sleep(1)
