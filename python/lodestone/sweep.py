"""Many runs of one scene."""
import concurrent.futures
import multiprocessing
import os
import pathlib

from . import _core
from .errors import Diverged, Error
from .run import Run


def _one(data, file, sets, folder, threads, resume, force):
    """In a process of its own. Gives what went wrong, or nothing: the folder has all else."""
    from .scene import Scene

    scene = Scene()
    scene._document = _core.Document.from_data(data, file)
    for key, value in sets:
        scene._document.assign(f"{key}={value}")
    try:
        scene.run(folder, threads=threads, resume=resume, force=force, progress=False)
    except Diverged as error:
        return str(error)
    return ""


def sweep(scene, over, out, *, processes=None, threads=1, resume=False, force=False):
    """Runs a scene for all combinations of some values, each in a folder of `out`, and writes table.csv there.

    over       {"rod.beam.bonds": [20, 40, 80], "define.B": ["5 mT", "10 mT"]}; or texts as the program takes them
               ("rod.beam.bonds=20,40", "define.lambda=0:45:46")
    processes  side by side; None: one a core
    threads    of each run

    Returns a list of (values by key, Run). Runs that diverge are in it, too: see run.status. Bad input raises Error
    before anything is run.
    """
    if scene._document.has_functions():
        raise Error("a scene with a function can't be sent to other processes: make and run it there, as with "
                    "multiprocessing")
    axes = over
    if isinstance(over, dict):
        axes = [f"{key}={','.join(_word(v) for v in values)}" for key, values in over.items()]
    plan = _core.Sweep(list(axes), [])
    folders = [pathlib.Path(out) / plan.folder(k) for k in range(plan.runs())]
    jobs = [list(zip(plan.keys(), plan.values(k))) for k in range(plan.runs())]
    for job in jobs:  # all are read before one is run
        trial = scene.copy()
        for key, value in job:
            trial._document.assign(f"{key}={value}")
        trial._document.read()
    pathlib.Path(out).mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("spawn")  # threads do not survive a fork
    with concurrent.futures.ProcessPoolExecutor(processes or os.cpu_count(), mp_context=context) as pool:
        file = os.fspath(scene.file) if scene.file else "scene"
        waiting = [pool.submit(_one, scene.to_dict(), file, job, os.fspath(folder), threads, resume, force)
                   for job, folder in zip(jobs, folders)]
        for done in waiting:
            done.result()
    (pathlib.Path(out) / "table.csv").write_text(plan.table([os.fspath(f) for f in folders]), encoding="utf-8")
    return [(dict(job), Run(folder)) for job, folder in zip(jobs, folders)]


def _word(value):
    """A value as it stands in a scene file."""
    text = _core.Document.from_data({"v": value}).toml().strip()
    return text[len("v = ") :]
