// Rods, balls and surfaces of a run in space.
import * as three from 'three';
import { palette, rampBytes } from './colours.js';
import { ballFragment, ballVertex, rodFragment, rodVertex, surfaceFragment, surfaceVertex } from './shaders.js';

const rowLength = 1024; // nodes in a row of a texture
const isFixed = -2; // instead of the number of its family: it is grey

function nodeTexture(values) {
  const texture = new three.DataTexture(values, rowLength, values.length / 4 / rowLength, three.RGBAFormat, three.FloatType);
  texture.needsUpdate = true;
  return texture;
}

// Round where there are few, a flat ribbon towards the eye where there are very many.
export function rodDetail(bonds) {
  if (bonds > 60000) return 'ribbon';
  return bonds > 4000 ? 'rough' : 'round';
}

function rodShape(detail) {
  const rings = [], angles = [], corners = [];
  if (detail === 'ribbon') {
    for (const [end, along] of [[0, -0.5], [1, 0.5]]) for (const side of [-1, 1]) rings.push(end, along, 1), angles.push(side, 0);
    corners.push(0, 1, 2, 2, 1, 3);
  } else {
    const sides = detail === 'round' ? 16 : 7;
    const cap = detail === 'round' ? [[-1, 0.001], [-0.8, 0.6], [-0.4, 0.917], [0, 1]] : [[-0.8, 0.001], [0, 1]];
    const all = [...cap.map(([a, r]) => [0, a, r]), ...cap.toReversed().map(([a, r]) => [1, -a, r])];
    for (const ring of all)
      for (let k = 0; k < sides; ++k) {
        rings.push(...ring);
        angles.push(Math.cos((2 * Math.PI * k) / sides), Math.sin((2 * Math.PI * k) / sides));
      }
    for (let i = 0; i + 1 < all.length; ++i)
      for (let k = 0; k < sides; ++k) {
        const a = i * sides + k, b = i * sides + ((k + 1) % sides);
        corners.push(a, b, a + sides, a + sides, b, b + sides);
      }
  }
  const shape = new three.InstancedBufferGeometry();
  shape.setAttribute('position', new three.Float32BufferAttribute(new Float32Array(rings.length), 3)); // the shader makes its own
  shape.setAttribute('aRing', new three.Float32BufferAttribute(rings, 3));
  shape.setAttribute('aAngle', new three.Float32BufferAttribute(angles, 2));
  shape.setIndex(corners);
  return shape;
}

// Sorts triangles into those of walls, of balls and of other bodies; which nodes have any; which stand alone.
function sorted(model) {
  const kind = new Uint8Array(model.nodes); // 1: wall, 2: ball
  for (const n of model.surface_walls) kind[n] = 1;
  for (const n of model.surface_balls) if (kind[n] === 0) kind[n] = 2;
  const hasSurface = new Uint8Array(model.nodes), hasBond = new Uint8Array(model.nodes);
  const solid = [], walls = [], { surface_triangles: t, surface_node: of } = model;
  for (let k = 0; k < t.length; k += 3) {
    const node = of[t[k]];
    for (let c = 0; c < 3; ++c) hasSurface[of[t[k + c]]] = 1;
    if (kind[node] === 1) walls.push(t[k], t[k + 1], t[k + 2]);
    else if (kind[node] !== 2) solid.push(t[k], t[k + 1], t[k + 2]);
  }
  for (const n of of) hasSurface[n] = 1;
  const shown = [];
  for (let k = 0; k < model.bond.length; k += 2) {
    const a = model.bond[k], b = model.bond[k + 1];
    hasBond[a] = hasBond[b] = 1;
    if (!(hasSurface[a] && hasSurface[b])) shown.push(k / 2); // sheets are drawn by their triangles
  }
  const balls = [];
  for (let n = 0; n < model.nodes; ++n) if (kind[n] === 2 || (kind[n] === 0 && !hasBond[n] && !hasSurface[n])) balls.push(n);
  return { solid, walls, shown, balls };
}

// The bodies of a grid, cube[0], cube[1], …, have one colour.
function families(names) {
  const known = new Map();
  return names.map((name) => {
    const family = name.replace(/\[.*/, '');
    if (!known.has(family)) known.set(family, known.size);
    return known.get(family);
  });
}

export class Bodies {
  constructor(model) {
    this.model = model;
    this.group = new three.Group();
    this.parts = sorted(model);
    const fixed = new Float32Array(4 * Math.ceil(Math.max(model.nodes, 1) / rowLength) * rowLength);
    const family = families(model.bodies);
    for (let n = 0; n < model.nodes; ++n) fixed.set([model.radius[n], model.fixed[n] ? isFixed : family[model.body[n]] ?? 0, model.axis[n], 0], 4 * n);
    this.fixed = fixed;
    this.place = null;
    this.uniforms = {
      uPlace: { value: null }, uTurn: { value: null }, uFixed: { value: nodeTexture(fixed) },
      uRamp: { value: null }, uRange: { value: new three.Vector2(0, 1) },
      uPalette: { value: palette.map((c) => new three.Vector3(...c)) },
      uClip: { value: new three.Vector4(0, 0, 0, 1) }, uLight: { value: new three.Vector3(0, 0, 1) },
      uEye: { value: new three.Vector3() }, uPixel: { value: 0 }, uPaint: { value: 1 },
    };
    this.setRamp(false);
    this.addRods();
    this.addBalls();
    this.surfacePlaces = new three.BufferAttribute(new Float32Array(3 * model.surface_node.length), 3);
    this.surfacePlaces.setUsage(three.DynamicDrawUsage);
    this.surfaceNodes = new three.BufferAttribute(Float32Array.from(model.surface_node), 1);
    this.addSurface(this.parts.solid, 1);
    this.walls = [this.addSurface(this.parts.walls, 0.22), this.addOutlines()].filter(Boolean);
  }

  material(vertexShader, fragmentShader, more = {}) {
    const { uniforms, ...rest } = more;
    return new three.ShaderMaterial({ vertexShader, fragmentShader, uniforms: { ...this.uniforms, ...uniforms }, ...rest });
  }

  add(shape, material) {
    const mesh = material.isLineBasicMaterial ? new three.LineSegments(shape, material) : new three.Mesh(shape, material);
    mesh.frustumCulled = false; // only the shader knows where it is
    this.group.add(mesh);
    return mesh;
  }

  addRods() {
    const { shown } = this.parts;
    if (shown.length === 0) return;
    const bonds = new Float32Array(2 * shown.length);
    shown.forEach((bond, i) => bonds.set([this.model.bond[2 * bond], this.model.bond[2 * bond + 1]], 2 * i));
    this.detail = rodDetail(shown.length);
    const shape = rodShape(this.detail);
    shape.setAttribute('aBond', new three.InstancedBufferAttribute(bonds, 2));
    this.broken = new three.InstancedBufferAttribute(new Uint8Array(shown.length), 1);
    shape.setAttribute('aBroken', this.broken);
    shape.instanceCount = shown.length;
    const ribbon = this.detail === 'ribbon';
    this.add(shape, this.material(rodVertex(ribbon), rodFragment, { side: ribbon ? three.DoubleSide : three.FrontSide }));
  }

  addBalls() {
    const { balls } = this.parts;
    if (balls.length === 0) return;
    const across = balls.length > 20000 ? 6 : balls.length > 2000 ? 10 : 24;
    const ball = new three.SphereGeometry(1, across, Math.ceil(across / 2));
    const shape = new three.InstancedBufferGeometry();
    shape.setAttribute('position', ball.getAttribute('position'));
    shape.setIndex(ball.getIndex());
    shape.setAttribute('aNode', new three.InstancedBufferAttribute(Float32Array.from(balls), 1));
    shape.instanceCount = balls.length;
    this.add(shape, this.material(ballVertex, ballFragment));
  }

  addSurface(corners, opacity) {
    if (corners.length === 0) return null;
    const shape = new three.BufferGeometry();
    shape.setAttribute('position', this.surfacePlaces);
    shape.setAttribute('aNode', this.surfaceNodes);
    shape.setIndex(new three.BufferAttribute(Uint32Array.from(corners), 1));
    const isClear = opacity < 1;
    return this.add(shape, this.material(surfaceVertex, surfaceFragment, {
      uniforms: { uOpacity: { value: opacity } }, side: three.DoubleSide, transparent: isClear, depthWrite: !isClear,
    }));
  }

  addOutlines() {
    if (this.model.surface_lines.length === 0) return null;
    const shape = new three.BufferGeometry();
    shape.setAttribute('position', this.surfacePlaces);
    shape.setIndex(new three.BufferAttribute(Uint32Array.from(this.model.surface_lines), 1));
    return this.add(shape, new three.LineBasicMaterial({ color: 0x8a949d }));
  }

  setRamp(isSigned) {
    if (this.isSigned === isSigned) return;
    this.isSigned = isSigned;
    const ramp = new three.DataTexture(rampBytes(isSigned), 256, 1, three.RGBAFormat);
    ramp.minFilter = ramp.magFilter = three.LinearFilter;
    ramp.needsUpdate = true;
    this.uniforms.uRamp.value?.dispose();
    this.uniforms.uRamp.value = ramp;
  }

  // All that a new frame costs: the arrays of the reply go to the graphics card as they are.
  show(frame) {
    this.place = frame.place;
    this.surface = frame.surface;
    for (const [name, values] of [['uPlace', frame.place], ['uTurn', frame.turn]]) {
      const held = this.uniforms[name].value;
      if (!held) {
        this.uniforms[name].value = nodeTexture(values);
      } else {
        held.image.data = values;
        held.needsUpdate = true;
      }
    }
    if (frame.surface.length > 0 && frame.surface.length === this.surfacePlaces.array.length) {
      this.surfacePlaces.array = frame.surface;
      this.surfacePlaces.needsUpdate = true;
    }
    if (this.broken && (frame.broken || this.anyBroken)) {
      this.anyBroken = Boolean(frame.broken);
      const { shown } = this.parts, to = this.broken.array;
      for (let i = 0; i < to.length; ++i) to[i] = frame.broken ? frame.broken[shown[i]] : 0;
      this.broken.needsUpdate = true;
    }
  }

  upload(renderer) {
    renderer.initTexture(this.uniforms.uPlace.value);
    renderer.initTexture(this.uniforms.uTurn.value);
  }

  place3(node, target = new three.Vector3()) {
    return target.fromArray(this.place, 4 * node);
  }
}
