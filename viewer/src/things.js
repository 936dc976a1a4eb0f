// What is not made of nodes: arrows of moments, magnets, tracers, slices of a fluid or a field with their lines.
import * as three from 'three';
import { fromRamp } from './colours.js';
import { northLength } from './extent.js';
import { planeOfGrid, planeOfSlice, streamlines } from './lines.js';

const momentColour = 0xb3243b, magnetColour = 0x3f7cac;

function arrowShape() {
  const shaft = new three.CylinderGeometry(0.035, 0.035, 0.7, 8).translate(0, 0.35, 0);
  const head = new three.ConeGeometry(0.1, 0.3, 12).translate(0, 0.85, 0);
  const places = [], normals = [], corners = [];
  for (const part of [shaft, head]) {
    const first = places.length / 3;
    places.push(...part.getAttribute('position').array);
    normals.push(...part.getAttribute('normal').array);
    for (const i of part.getIndex().array) corners.push(first + i);
  }
  const shape = new three.BufferGeometry();
  shape.setAttribute('position', new three.Float32BufferAttribute(places, 3));
  shape.setAttribute('normal', new three.Float32BufferAttribute(normals, 3));
  shape.setIndex(corners);
  return shape;
}

// Arrows as instances of one shape; their number may change from frame to frame.
class Arrows {
  constructor(group, colour, most, look = {}) {
    this.mesh = new three.InstancedMesh(arrowShape(), new three.MeshLambertMaterial({ color: colour, ...look }), most);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
    this.most = most;
    group.add(this.mesh);
  }
  // arrows: [{at, along, length}]
  show(arrows) {
    const up = new three.Vector3(0, 1, 0), turn = new three.Quaternion(), matrix = new three.Matrix4(), size = new three.Vector3();
    this.mesh.count = Math.min(arrows.length, this.most);
    for (let i = 0; i < this.mesh.count; ++i) {
      const { at, along, length } = arrows[i];
      turn.setFromUnitVectors(up, along);
      this.mesh.setMatrixAt(i, matrix.compose(at, turn, size.setScalar(length)));
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

function lines(group, colour) {
  const mesh = new three.LineSegments(new three.BufferGeometry(), new three.LineBasicMaterial({ color: colour }));
  mesh.frustumCulled = false;
  group.add(mesh);
  return mesh;
}

function setPlaces(mesh, places) {
  const held = mesh.geometry.getAttribute('position');
  if (held && held.array.length === places.length) {
    held.array = places;
    held.needsUpdate = true;
    return;
  }
  mesh.geometry.dispose();
  mesh.geometry = new three.BufferGeometry();
  mesh.geometry.setAttribute('position', new three.BufferAttribute(places, 3));
}

export class Things {
  constructor() {
    this.group = new three.Group();
    this.momentGroup = new three.Group();
    this.group.add(this.momentGroup, new three.HemisphereLight(0xffffff, 0x889099, 2.5));
    this.moments = new Arrows(this.momentGroup, momentColour, 2001, { depthTest: false, transparent: true }); // they may lie within bodies
    this.norths = new Arrows(this.group, magnetColour, 256);
    this.magnets = lines(this.group, magnetColour);
    this.tracers = new three.Points(new three.BufferGeometry(), new three.PointsMaterial({ color: 0xd67d2e, size: 3, sizeAttenuation: false }));
    this.tracers.frustumCulled = false;
    this.group.add(this.tracers);
  }

  // size: how large all of it is, m.
  show(frame, size) {
    const moments = [], list = frame.moments;
    let largest = 0;
    const along = new three.Vector3();
    for (let k = 0; k < list.length; k += 6) largest = Math.max(largest, along.fromArray(list, k + 3).length());
    const every = Math.max(1, Math.ceil(list.length / 6 / 400)); // more would hide what they are on
    for (let k = 0; k < list.length && largest > 0; k += 6 * every) {
      const m = new three.Vector3().fromArray(list, k + 3), share = m.length() / largest;
      // Moments go with volumes: by their cube root small ones are seen beside large ones.
      if (share > 1e-6) moments.push({ at: new three.Vector3().fromArray(list, k), along: m.normalize(), length: 0.07 * size * Math.cbrt(share) });
    }
    this.moments.show(moments);
    const norths = [];
    for (let k = 0; k < frame.magnet_centre.length; k += 3) {
      const north = new three.Vector3().fromArray(frame.magnet_north, k);
      if (north.lengthSq() > 0.5) norths.push({ at: new three.Vector3().fromArray(frame.magnet_centre, k), along: north, length: northLength * size });
    }
    this.norths.show(norths);
    setPlaces(this.magnets, frame.magnet_lines);
    setPlaces(this.tracers, frame.tracer);
    this.tracers.visible = frame.tracer.length > 0;
  }
}

// A coloured sheet with lines along what it shows.
export class Sheet {
  constructor(group) {
    this.group = new three.Group();
    group.add(this.group);
    this.lines = lines(this.group, 0xffffff);
    this.lines.material.transparent = true;
    this.lines.material.opacity = 0.75;
    this.mesh = null;
  }
  hide() {
    this.group.visible = false;
  }
  // plane: corners of its grid and a vector at each, as lines.js makes them.
  show(plane, largest, withLines) {
    const { across, up, places, vectors } = plane, texels = new Uint8Array(4 * across * up);
    for (let i = 0; i < across * up; ++i) {
      const v = Math.hypot(vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]);
      const c = Number.isFinite(v) ? fromRamp(largest > 0 ? v / largest : 0, false) : [0.7, 0.7, 0.7];
      texels.set([255 * c[0], 255 * c[1], 255 * c[2], 255], 4 * i);
    }
    if (!this.mesh || this.across !== across || this.up !== up) this.build(across, up);
    this.texture.image.data = texels;
    this.texture.needsUpdate = true;
    const corners = this.mesh.geometry.getAttribute('position').array;
    [[0, 0], [across - 1, 0], [0, up - 1], [across - 1, up - 1]].forEach(([a, b], k) => {
      for (let c = 0; c < 3; ++c) corners[3 * k + c] = places(a, b, c);
    });
    this.mesh.geometry.getAttribute('position').needsUpdate = true;
    setPlaces(this.lines, withLines ? streamlines(plane) : new Float32Array());
    this.group.visible = true;
  }
  build(across, up) {
    if (this.mesh) {
      this.group.remove(this.mesh);
      this.mesh.geometry.dispose();
      this.texture.dispose();
    }
    Object.assign(this, { across, up });
    this.texture = new three.DataTexture(new Uint8Array(4 * across * up), across, up, three.RGBAFormat);
    this.texture.magFilter = this.texture.minFilter = three.LinearFilter;
    this.texture.colorSpace = three.SRGBColorSpace;
    const shape = new three.BufferGeometry(), a = 0.5 / across, b = 0.5 / up;
    shape.setAttribute('position', new three.BufferAttribute(new Float32Array(12), 3));
    shape.setAttribute('uv', new three.Float32BufferAttribute([a, b, 1 - a, b, a, 1 - b, 1 - a, 1 - b], 2));
    shape.setIndex([0, 1, 2, 2, 1, 3]);
    this.mesh = new three.Mesh(shape, new three.MeshBasicMaterial({ map: this.texture, side: three.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
    this.mesh.frustumCulled = false;
    this.group.add(this.mesh);
  }
}

export { planeOfGrid, planeOfSlice };
