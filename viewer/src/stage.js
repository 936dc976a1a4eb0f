// The camera and what it looks at.
import * as three from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

const papers = { light: 0xffffff, dark: 0x14181c };

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new three.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.scene = new three.Scene();
    this.camera = new three.PerspectiveCamera(30, 1, 0.01, 100);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.ask());
    this.marker = new three.Mesh(new three.SphereGeometry(1, 20, 12), new three.MeshBasicMaterial({ color: 0xd81b60, wireframe: true, depthTest: false, transparent: true, opacity: 0.8 }));
    this.marker.renderOrder = 10;
    this.marker.visible = false;
    this.scene.add(this.marker);
    this.box = new three.Box3(new three.Vector3(-1, -1, -1), new three.Vector3(1, 1, 1));
    this.size = 1;
    this.points = Float32Array.of(-1, -1, -1, 1, 1, 1);
    this.margin = 0;
    this.bodies = null;
    this.afterDraw = () => {};
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  setTheme(name) {
    this.scene.background = new three.Color(papers[name]);
    this.ask();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement;
    if (w === 0 || h === 0) return;
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.ask();
  }

  // Drawn once, soon, however often it is asked for.
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  draw() {
    const u = this.bodies?.uniforms;
    if (u) {
      u.uEye.value.copy(this.camera.position);
      const m = this.camera.matrixWorld.elements;
      u.uLight.value.set(-0.4 * m[0] + 0.5 * m[4] + 0.77 * m[8], -0.4 * m[1] + 0.5 * m[5] + 0.77 * m[9], -0.4 * m[2] + 0.5 * m[6] + 0.77 * m[10]).normalize();
      u.uPixel.value = (1.1 * 2 * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(this.canvas.clientHeight, 1);
    }
    this.renderer.render(this.scene, this.camera);
    this.afterDraw();
  }

  setUp(up) {
    this.camera.up.set(...up).normalize();
    this.controls.dispose();
    this.controls = new OrbitControls(this.camera, this.canvas); // it takes the upright from the camera it begins with
    this.controls.addEventListener('change', () => this.ask());
  }

  // What is to be in view, as extent.js tells it.
  setExtent({ points, box, margin }) {
    this.points = points;
    this.margin = margin;
    this.box.min.set(box[0], box[1], box[2]).subScalar(margin);
    this.box.max.set(box[3], box[4], box[5]).addScalar(margin);
    this.size = this.box.getSize(new three.Vector3()).length() || 1;
  }

  // From a corner, or along the thinnest side of what is flat.
  chooseView() {
    const s = this.box.getSize(new three.Vector3()).toArray(), thin = s.indexOf(Math.min(...s));
    const others = Math.max(...s);
    if (s[thin] < 0.02 * others && Math.abs(this.camera.up.getComponent(thin)) < 0.9) return 'xyz'[thin];
    return 'iso';
  }

  look(view) {
    const up = this.camera.up, toward = new three.Vector3();
    if (view === 'iso') {
      const across = Math.abs(up.x) > 0.9 ? new three.Vector3(0, 1, 0) : new three.Vector3(1, 0, 0);
      const side = new three.Vector3().crossVectors(up, across).normalize();
      toward.copy(across).multiplyScalar(0.55).addScaledVector(side, -0.8).addScaledVector(up, 0.45);
      if (Math.abs(up.z) > 0.9) toward.set(0.6, -0.8, 0.45);
      if (Math.abs(up.y) > 0.9) toward.set(0.55, 0.45, 0.8);
    } else {
      toward.setComponent('xyz'.indexOf(view), view === 'y' && Math.abs(up.z) > 0.9 ? -1 : 1);
      if (Math.abs(toward.dot(up)) > 0.99) toward.addScaledVector(new three.Vector3(0.001, 0.001, 0.001), 1);
    }
    this.fit(toward.normalize());
  }

  fit(toward = this.camera.position.clone().sub(this.controls.target).normalize()) {
    const middle = this.box.getCenter(new three.Vector3());
    this.camera.position.copy(middle).add(toward);
    this.camera.lookAt(middle);
    this.camera.updateMatrixWorld();
    const right = new three.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0), up = new three.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const distance = this.distanceToSee(middle, right, up, toward);
    this.camera.position.copy(middle).addScaledVector(toward, distance);
    this.camera.near = distance / 500;
    this.camera.far = distance + 20 * this.size;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(middle);
    this.controls.update();
    this.ask();
  }

  // How far off all points fill the picture; moves the middle to where they do so best.
  distanceToSee(middle, right, up, toward) {
    const tall = Math.tan((this.camera.fov * Math.PI) / 360), wide = tall * this.camera.aspect, at = new three.Vector3();
    let distance = this.size;
    for (let round = 0; round < 6; ++round) {
      const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
      let needed = 0;
      for (let k = 0; k < this.points.length; k += 3) {
        at.fromArray(this.points, k).sub(middle);
        const u = at.dot(right), v = at.dot(up), depth = at.dot(toward) + this.margin;
        needed = Math.max(needed, depth + (Math.abs(u) + this.margin) / wide, depth + (Math.abs(v) + this.margin) / tall);
        const left = Math.max(distance - depth, 0.01 * distance);
        [u / left, v / left].forEach((share, c) => {
          low[c] = Math.min(low[c], share);
          high[c] = Math.max(high[c], share);
        });
      }
      if (round < 5) middle.addScaledVector(right, 0.5 * (low[0] + high[0]) * distance).addScaledVector(up, 0.5 * (low[1] + high[1]) * distance);
      distance = Math.max(needed, 1e-9);
    }
    return 1.08 * distance;
  }

  // Moves the camera with a place that is followed.
  follow(from, to) {
    const by = to.clone().sub(from);
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  mark(place, radius) {
    this.marker.visible = place !== null;
    if (place) {
      this.marker.position.copy(place);
      this.marker.scale.setScalar(Math.max(1.25 * radius, 0.008 * this.size));
    }
    this.ask();
  }

  ray(x, y) {
    const box = this.canvas.getBoundingClientRect(), caster = new three.Raycaster();
    caster.setFromCamera(new three.Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height), this.camera);
    return caster.ray;
  }
}
