// What colours stand for: of bodies, of a slice of the fluid, of a plane of the magnetic field.
import { css, fromRamp } from './colours.js';

export class Legends {
  constructor(parent) {
    this.parent = parent;
    this.shown = new Map(); // by what they are of
  }
  // of: 'bodies', 'fluid' or 'field'; legend: { name, low, high, isSigned }, or null for none.
  set(of, legend) {
    const before = this.shown.get(of);
    if (!legend) {
      before?.box.remove();
      this.shown.delete(of);
      return;
    }
    const entry = before ?? this.made(of);
    Object.assign(entry, legend);
    for (const key of ['name', 'low', 'high']) entry.texts[key].textContent = legend[key];
    const c = entry.ramp.getContext('2d');
    for (let x = 0; x < 180; ++x) {
      c.fillStyle = css(fromRamp(x / 179, legend.isSigned));
      c.fillRect(x, 0, 1, 10);
    }
  }
  made(of) {
    const box = document.createElement('div'), ramp = document.createElement('canvas');
    const text = (key) => Object.assign(document.createElement('span'), { className: `legend-${key}` });
    const entry = { box, ramp, texts: { name: text('name'), low: text('low'), high: text('high') } };
    Object.assign(ramp, { width: 180, height: 10 });
    box.className = 'legend';
    box.dataset.of = of;
    box.append(entry.texts.name, ramp, entry.texts.low, entry.texts.high);
    this.shown.set(of, entry);
    if (of === 'bodies') this.parent.prepend(box);
    else this.parent.append(box);
    return entry;
  }
  get list() {
    return [...this.parent.children].map((box) => this.shown.get(box.dataset.of));
  }
}
