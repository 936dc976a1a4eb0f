"""Fields as functions: what the solvers need of them beside their value."""
import numpy as np

from .errors import Error

_TINY = 1e-30  # of complex steps: no difference is taken, so that none can be too small
_SHARE = 1e-3  # of the size of a scene: the default of other steps


def _stacked(x, moves):
    """All points, moved by each of the moves: (moves, points, 3)."""
    return x[None, :, :] + np.asarray(moves)[:, None, :]


class FieldFunction:
    """A function f(x, t) of places x, an array (points, 3) in m, and the time t in s, which gives B (points, 3) in T.

    How its derivatives come about:

    gradient="differences"  (the default) by central differences of fourth order over `step` m
    gradient="complex"      by a complex step: f must work with complex x, and is then exact to rounding
    gradient=g              a function g(x, t) that gives (points, 3, 3) in T/m: [point, i, j] is dB_i/dx_j

    Implicit and static solvers want second derivatives, too: these are differences of the gradient.
    """

    def __init__(self, function, gradient="differences", step=None):
        if not callable(function):
            raise Error(f"field.function: found a {type(function).__name__}, expected a function f(x, t)")
        if not callable(gradient) and gradient not in ("differences", "complex"):
            raise Error(f'field.gradient: found {gradient!r}, expected "differences", "complex" or a function g(x, t)')
        if step is not None and not (isinstance(step, (int, float)) and 0 < step < np.inf):
            raise Error(f"field.step: found {step!r}, expected a length above 0 in m")
        self.function, self.gradient, self.step = function, gradient, step

    def value(self, x, t):
        """B at places of any shape (..., 3)."""
        flat = x.reshape(-1, 3)
        b = np.asarray(self.function(flat, t))
        if b.shape == (3,):
            b = np.broadcast_to(b, flat.shape)
        if b.shape != flat.shape:
            raise Error(f"field.function: found an array of shape {b.shape} for places of shape {flat.shape}, "
                        "expected the same: one B for each place")
        if np.iscomplexobj(b) and not np.iscomplexobj(x):
            raise Error("field.function: found complex numbers at real places")
        return b.reshape(x.shape)

    def slope(self, x, t, step):
        """dB_i/dx_j at places (points, 3), as [point, i, j]."""
        if callable(self.gradient):
            g = np.asarray(self.gradient(x, t), dtype=float)
            if g.shape == (3, 3):
                g = np.broadcast_to(g, (len(x), 3, 3))
            if g.shape != (len(x), 3, 3):
                raise Error(f"field.gradient: found an array of shape {g.shape} for {len(x)} places, expected "
                            f"({len(x)}, 3, 3)")
            return g
        if self.gradient == "complex":
            b = self.value(_stacked(x, 1j * _TINY * np.eye(3)), t)
            if not np.iscomplexobj(b):
                raise Error('field.function: found real numbers at complex places: it drops what gradient="complex" '
                            'goes by (np.abs, float, np.linalg.norm do); use gradient="differences"')
            return np.moveaxis(b.imag / _TINY, 0, 2)
        return self._differences(lambda y: self.value(y, t), x, step)

    @staticmethod
    def _differences(f, x, step):
        """Of fourth order, one more axis at the end."""
        moves = np.concatenate([k * step * np.eye(3) for k in (-2, -1, 1, 2)])
        y = f(_stacked(x, moves))
        y = y.reshape((4, 3) + y.shape[1:])
        slopes = (y[0] - 8 * y[1] + 8 * y[2] - y[3]) / (12 * step)
        return np.moveaxis(slopes, 0, -1)

    def _step(self, length):
        if self.step is not None:
            return self.step
        if length > 0:
            return _SHARE * length
        raise Error("field.step: all nodes are in one place, which tells no length: give `step`, a thousandth of the "
                    "length over which the field changes, in m")

    def sample(self, t, length, x, order):
        """What the solvers ask for: B, its gradient and its second derivatives, up to `order`."""
        b = np.asarray(self.value(x, t), dtype=float)
        if order == 0:
            return b, None, None
        by_steps = self.gradient == "differences" or order > 1
        step = self._step(length) if by_steps else 0.0
        slope = self.slope(x, t, step)
        if order == 1:
            return b, slope, None

        def slopes(y):
            flat = y.reshape(-1, 3)
            return self.slope(flat, t, step).reshape(y.shape[:-1] + (3, 3))

        return b, slope, self._differences(slopes, x, step)
