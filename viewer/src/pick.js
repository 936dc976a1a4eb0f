// Which node lies under a ray: the nearest of what it meets of bonds, balls and surfaces.
import * as three from 'three';

// Along the ray to where it comes nearest to a segment, how near that is, and where on the segment.
function nearest(o, d, a, b) {
  const u = b.clone().sub(a), w = o.clone().sub(a), uu = u.dot(u), ud = u.dot(d), uw = u.dot(w), dw = d.dot(w);
  const bottom = uu - ud * ud;
  const share = uu > 0 ? Math.min(1, Math.max(0, bottom > 1e-12 * uu ? (uw - ud * dw) / bottom : 0)) : 0;
  const along = a.clone().addScaledVector(u, share).sub(o).dot(d);
  const distance = o.clone().addScaledVector(d, along).distanceTo(a.clone().addScaledVector(u, share));
  return { along, distance, share };
}

// pixel: how large one is at a distance of 1.
export function pick(bodies, ray, pixel, clip) {
  const { model, parts, place, surface } = bodies, o = ray.origin, d = ray.direction;
  const a = new three.Vector3(), b = new three.Vector3(), c = new three.Vector3(), hit = new three.Vector3();
  let best = { along: Infinity, node: -1 };
  const isSeen = (along) => clip.dot(new three.Vector4(o.x + along * d.x, o.y + along * d.y, o.z + along * d.z, 1)) >= 0;
  const offer = (along, node) => {
    if (along > 0 && along < best.along && isSeen(along)) best = { along, node };
  };
  for (let k = 0; k < parts.shown.length; ++k) {
    if (bodies.broken.array[k]) continue;
    const bond = parts.shown[k];
    const i = model.bond[2 * bond], j = model.bond[2 * bond + 1];
    // A quick look first: most bonds are far from the ray.
    const x = place[4 * i] - o.x, y = place[4 * i + 1] - o.y, z = place[4 * i + 2] - o.z, t = x * d.x + y * d.y + z * d.z;
    const off = x * x + y * y + z * z - t * t;
    const lx = place[4 * j] - place[4 * i], ly = place[4 * j + 1] - place[4 * i + 1], lz = place[4 * j + 2] - place[4 * i + 2];
    const room = Math.sqrt(lx * lx + ly * ly + lz * lz) + model.radius[i] + 4 * pixel * Math.abs(t);
    if (off > room * room) continue;
    const near = nearest(o, d, a.fromArray(place, 4 * i), b.fromArray(place, 4 * j));
    if (near.distance < Math.max(model.radius[i], 4 * pixel * near.along)) offer(near.along - model.radius[i], near.share < 0.5 ? i : j);
  }
  for (const node of parts.balls) {
    a.fromArray(place, 4 * node).sub(o);
    const along = a.dot(d), off = a.lengthSq() - along * along, radius = Math.max(model.radius[node], 4 * pixel * along);
    if (off < radius * radius) offer(along - Math.sqrt(radius * radius - off), node);
  }
  for (const list of [parts.solid, parts.walls])
    for (let k = 0; k < list.length; k += 3) {
      if (!ray.intersectTriangle(a.fromArray(surface, 3 * list[k]), b.fromArray(surface, 3 * list[k + 1]), c.fromArray(surface, 3 * list[k + 2]), false, hit)) continue;
      const along = hit.distanceTo(o) * (list === parts.walls ? 1.0001 : 1);
      const corners = [a, b, c].map((p) => p.distanceTo(hit));
      offer(along, model.surface_node[list[k + corners.indexOf(Math.min(...corners))]]);
    }
  return best.node;
}
