"""lodestone: magneto-elastic rods, shells and rigid bodies.

    import lodestone

    scene = lodestone.Scene.from_file("scenes/cantilever.toml")
    scene.set("rod.beam.bonds", 80)
    run = scene.run("out/cantilever")
    print(run.probes["tip.y"][-1])
    run.plot("tip.y").save("tip.svg")

Scene          what to simulate: the tables of a scene file, from a file, a dictionary or by methods
Scene.run      simulates it into a folder and gives the Run
open           the Run in a folder, also one that goes on or was killed
Simulation     made by Scene.simulation(): steps that you take, a state that you may read and change
Plot           lines and points as a picture
sweep          many runs of one scene, in processes side by side
validate       the claims that this simulator is held against
schema         the JSON Schema of scene files; help(Scene.rod) has the keys of a [[rod]], and so on
Error          bad input; Diverged: no number came out; FileError: a file can't be read or written

Units are SI, axes those of the world, quaternions w x y z.
"""
from ._core import version as __version__
from .errors import Diverged, Error, FileError
from .plot import Plot
from .progress import SceneWarning
from .run import Probes, Run, StoredFrame, open
from .scene import Frame, Scene
from .schema import schema
from .simulation import Simulation
from .sweep import sweep
from .validation import validate, validation_cases

__all__ = ["Diverged", "Error", "FileError", "Frame", "Plot", "Probes", "Run", "Scene", "SceneWarning", "Simulation",
           "StoredFrame", "open", "schema", "sweep", "validate", "validation_cases", "__version__"]
