// Lines along a vector field on a flat grid: streamlines of a fluid, lines of a magnetic field.

// A layer of cells: places are their centres.
export function planeOfSlice(slice) {
  const [across, up] = slice.size, [u, v] = slice.sides, h = slice.spacing;
  const places = (a, b, c) => slice.corner[c] + (c === u ? h * (a + 0.5) : c === v ? h * (b + 0.5) : 0);
  return { across, up, places, vectors: slice.velocity, along: [axis(u), axis(v)], spacing: [h, h] };
}

const axis = (k) => [0, 1, 2].map((c) => (c === k ? 1 : 0));

// A plane of a magnetic field: points along two sides that are straight.
export function planeOfGrid(grid) {
  const [across, up] = grid.points;
  const places = (a, b, c) => grid.place[3 * (b * across + a) + c];
  const side = (a, b) => {
    const d = [0, 1, 2].map((c) => places(a, b, c) - places(0, 0, c)), size = Math.hypot(...d);
    return { direction: d.map((x) => x / (size || 1)), spacing: size };
  };
  const first = side(1, 0), second = side(0, 1);
  return { across, up, places, vectors: grid.field, along: [first.direction, second.direction], spacing: [first.spacing, second.spacing] };
}

// Midpoint steps of half a cell from seeds on a coarse grid, both ways; a line ends at the edge, where nothing flows, and
// where another has been. As pairs of points, for line segments.
export function streamlines(plane, seedsAcross = 18, longest = 160) {
  const { across, up, places, vectors, along, spacing } = plane;
  if (across < 3 || up < 3) return new Float32Array();
  const taken = new Uint8Array(4 * seedsAcross * 4 * seedsAcross);
  const cellOf = (x, y) => Math.floor((y / up) * 4 * seedsAcross) * 4 * seedsAcross + Math.floor((x / across) * 4 * seedsAcross);
  const flow = (x, y) => {
    if (!(x >= 0 && y >= 0 && x <= across - 1 && y <= up - 1)) return null;
    const i = Math.min(Math.floor(x), across - 2), j = Math.min(Math.floor(y), up - 2), s = x - i, t = y - j;
    const w = [(1 - s) * (1 - t), s * (1 - t), (1 - s) * t, s * t];
    const at = [j * across + i, j * across + i + 1, (j + 1) * across + i, (j + 1) * across + i + 1];
    let a = 0, b = 0;
    for (let k = 0; k < 4; ++k)
      for (let c = 0; c < 3; ++c) {
        a += w[k] * vectors[3 * at[k] + c] * along[0][c];
        b += w[k] * vectors[3 * at[k] + c] * along[1][c];
      }
    a /= spacing[0];
    b /= spacing[1];
    const size = Math.hypot(a, b);
    return size > 0 && Number.isFinite(size) ? [a / size, b / size] : null;
  };
  const point = (x, y) => {
    const i = Math.min(Math.floor(x), across - 2), j = Math.min(Math.floor(y), up - 2);
    return [0, 1, 2].map((c) => places(i, j, c) + (x - i) * (places(i + 1, j, c) - places(i, j, c)) + (y - j) * (places(i, j + 1, c) - places(i, j, c)));
  };
  const out = [], step = 0.5 * Math.max(1, Math.max(across, up) / 128);
  for (let j = 0; j < seedsAcross; ++j)
    for (let i = 0; i < seedsAcross; ++i) {
      const seed = [((i + 0.5) / seedsAcross) * (across - 1), ((j + 0.5) / seedsAcross) * (up - 1)];
      if (taken[cellOf(...seed)]) continue;
      const own = new Set();
      for (const way of [1, -1]) {
        let [x, y] = seed, before = point(x, y);
        for (let k = 0; k < longest; ++k) {
          const half = flow(x, y);
          const full = half && flow(x + 0.5 * step * way * half[0], y + 0.5 * step * way * half[1]);
          if (!full) break;
          x += step * way * full[0];
          y += step * way * full[1];
          if (!flow(x, y)) break;
          const cell = cellOf(x, y);
          if (taken[cell] && !own.has(cell)) break;
          own.add(cell);
          taken[cell] = 1;
          const now = point(x, y);
          out.push(...before, ...now);
          before = now;
        }
      }
    }
  return Float32Array.from(out);
}
