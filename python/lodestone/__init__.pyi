from .errors import Diverged as Diverged, Error as Error, FileError as FileError
from .plot import Plot as Plot
from .progress import SceneWarning as SceneWarning
from .run import Probes as Probes, Run as Run, StoredFrame as StoredFrame, open as open
from .scene import Frame as Frame, Scene as Scene
from .schema import schema as schema
from .simulation import Simulation as Simulation
from .sweep import sweep as sweep
from .validation import validate as validate, validation_cases as validation_cases

__version__: str
