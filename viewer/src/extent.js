// How far what is shown reaches: for the camera, which is to have all of it in view, and nothing else.

const mostPoints = 8000;
export const northLength = 0.14; // of arrows to the north of magnets, as a share of all that is seen

// Points of a frame in rows of three, its box, and how far rods and balls reach beyond their nodes, m. Walls may reach
// anywhere, and count for nothing.
// corners: of sheets that are shown, in rows of three.
export function extentOf(model, frame, corners = []) {
  const { nodes, radius, surface_node: of } = model, isWall = new Uint8Array(nodes), hasSurface = new Uint8Array(nodes);
  for (const n of model.surface_walls) isWall[n] = 1;
  for (const n of of) hasSurface[n] = 1;
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity], kept = [];
  // Those that are furthest out are kept, whichever others are left out.
  const take = (values, stride, isCounted) => {
    const count = Math.floor(values.length / stride), every = Math.max(1, Math.ceil(count / mostPoints)), far = new Set();
    const furthest = new Int32Array(6).fill(-1);
    for (let i = 0; i < count; ++i) {
      if (!isCounted(i)) continue;
      for (let c = 0; c < 3; ++c) {
        const x = values[stride * i + c];
        if (x < box[c]) box[c] = x, furthest[c] = i;
        if (x > box[3 + c]) box[3 + c] = x, furthest[3 + c] = i;
      }
      if (i % every === 0) far.add(i);
    }
    for (const i of furthest) if (i >= 0) far.add(i);
    for (const i of far) if (Number.isFinite(values[stride * i] + values[stride * i + 1] + values[stride * i + 2])) kept.push(values[stride * i], values[stride * i + 1], values[stride * i + 2]);
  };
  let margin = 0;
  take(frame.place, 4, (n) => n < nodes && !hasSurface[n] && !isWall[n]);
  for (let n = 0; n < nodes; ++n) if (!hasSurface[n] && !isWall[n]) margin = Math.max(margin, radius[n]);
  take(frame.surface, 3, (i) => !isWall[of[i]]);
  if (nodes === 0) take(frame.tracer, 3, () => true);
  // Magnets and slices too, unless all else would be a speck beside them.
  const size = (b) => Math.hypot(b[3] - b[0], b[4] - b[1], b[5] - b[2]);
  const magnets = [...frame.magnet_lines, ...arrowTips(frame, northLength * size(box))];
  for (const others of [magnets, corners]) {
    const bare = [...box], count = kept.length;
    take(others, 3, () => true);
    if (count === 0 || size(box) <= 4 * size(bare)) continue;
    kept.length = count;
    bare.forEach((x, k) => (box[k] = x));
  }
  if (kept.length === 0) return { points: Float32Array.of(-1, -1, -1, 1, 1, 1), box: [-1, -1, -1, 1, 1, 1], margin: 0 };
  const extent = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  return { points: Float32Array.from(kept), box, margin: extent > 0 ? Math.min(margin, extent) : margin || 1 };
}

function arrowTips(frame, length) {
  const { magnet_centre: centre, magnet_north: north } = frame;
  return Array.from(centre, (x, k) => x + (Number.isFinite(length) ? length * north[k] : 0));
}

// Of several frames.
export function joined(extents) {
  const points = new Float32Array(extents.reduce((sum, e) => sum + e.points.length, 0)), box = [...extents[0].box];
  let at = 0;
  for (const e of extents) {
    points.set(e.points, at);
    at += e.points.length;
    for (let c = 0; c < 3; ++c) {
      box[c] = Math.min(box[c], e.box[c]);
      box[3 + c] = Math.max(box[3 + c], e.box[3 + c]);
    }
  }
  return { points, box, margin: Math.max(...extents.map((e) => e.margin)) };
}
