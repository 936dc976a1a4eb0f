// Slices of a fluid and planes of a magnetic field, as the run wrote them: the last before the time that is shown.
import { Sheet, planeOfGrid, planeOfSlice } from './things.js';
import { withUnit } from './colours.js';
import { askArrays } from './wire.js';

function lastBefore(times, t) {
  let n = 0;
  while (n + 1 < times.length && times[n + 1] <= t * (1 + 1e-9)) ++n;
  return n;
}

export class Sheets {
  constructor(stage, find, legends) {
    Object.assign(this, { stage, find, legends, known: '', shown: {} });
    this.fluid = new Sheet(stage.scene);
    this.field = new Sheet(stage.scene);
    this.fluid.hide();
    this.field.hide();
    this.script = 0; // ms, of the page's own work for the last one
    const again = () => this.run && this.show(this.run, this.time, true);
    for (const id of ['fluid-axis', 'fluid-cell', 'fluid-lines', 'field-grid', 'field-lines']) find(id).addEventListener('input', again);
    find('fluid-axis').addEventListener('change', () => this.setLayers());
  }

  learn(run) {
    this.run = run;
    const kinds = JSON.stringify([run.fluid?.kinds, run.field?.kinds]);
    if (kinds === this.known) return;
    this.known = kinds;
    const $ = this.find, none = new Option('none', '');
    $('fluid-row').hidden = !run.fluid;
    $('field-row').hidden = !run.field;
    if (run.fluid) {
      const choices = [none];
      for (const kind of run.fluid.kinds) {
        const slice = kind.match(/^slice(\d+)\./);
        if (slice) choices.push(new Option(`slice ${slice[1]}`, `s${slice[1]}`));
        else ['x', 'y', 'z'].forEach((name, k) => choices.push(new Option(`across ${name}`, String(k))));
      }
      $('fluid-axis').replaceChildren(...choices);
      const thin = run.fluid.cells.indexOf(Math.min(...run.fluid.cells));
      $('fluid-axis').value = run.fluid.kinds.includes('h5') ? String(thin) : choices[1].value;
      this.setLayers();
    }
    if (run.field) {
      const planes = run.field.kinds.filter((k) => k.startsWith('plane')).map((k) => k.replace('.h5', ''));
      $('field-grid').replaceChildren(none, ...planes.map((p) => new Option(p.replace('plane', 'plane '), p)));
      $('field-grid').value = planes[0] ?? '';
    }
  }

  setLayers() {
    const axis = this.find('fluid-axis').value, cell = this.find('fluid-cell'), isLayer = /^\d$/.test(axis);
    cell.disabled = !isLayer;
    cell.max = isLayer ? this.run.fluid.cells[Number(axis)] - 1 : 0;
    cell.value = Math.floor(Number(cell.max) / 2);
  }

  async show(run, time, force = false) {
    this.time = time;
    await Promise.all([this.showFluid(run, time, force), this.showField(run, time, force)]);
  }

  async showFluid(run, time, force) {
    const axis = this.find('fluid-axis').value;
    if (!run.fluid || axis === '') return this.hide('fluid');
    const n = lastBefore(run.fluid.times, time);
    const layer = axis.startsWith('s') ? { slice: axis.slice(1), ...this.fixedLayer(run) } : { axis, cell: this.find('fluid-cell').value };
    const key = JSON.stringify([run.generation, n, layer]);
    if (key === this.shown.fluid && !force) return;
    this.shown.fluid = key;
    const slice = await askArrays('/api/fluid', { n, ...layer });
    if (key !== this.shown.fluid) return;
    const from = performance.now();
    this.fluid.show(planeOfSlice(slice), slice.fastest, this.find('fluid-lines').checked);
    this.script = performance.now() - from;
    this.tellLegend('fluid', 'speed of the fluid', slice.fastest, 'm/s');
    this.slice = slice;
    this.stage.ask();
  }

  // A slice that was written alone is one cell thick.
  fixedLayer(run) {
    return { axis: run.fluid.cells.indexOf(1), cell: 0 };
  }

  async showField(run, time, force) {
    const grid = this.find('field-grid').value;
    if (!run.field || grid === '') return this.hide('field');
    const n = lastBefore(run.field.times, time), key = JSON.stringify([run.generation, n, grid]);
    if (key === this.shown.field && !force) return;
    this.shown.field = key;
    const plane = await askArrays('/api/field', { n, grid });
    if (key !== this.shown.field) return;
    this.field.show(planeOfGrid(plane), plane.strongest, this.find('field-lines').checked);
    this.tellLegend('field', '|B|', plane.strongest, 'T', plane.beyond);
    this.stage.ask();
  }

  // Of what is shown, in rows of three.
  get corners() {
    return ['fluid', 'field'].flatMap((what) => (this[what].group.visible ? [...this[what].mesh.geometry.getAttribute('position').array] : []));
  }

  hide(what) {
    this[what].hide();
    this.shown[what] = '';
    this.legends.set(what, null);
    this.stage.ask();
  }

  tellLegend(what, name, most, unit, beyond = false) {
    this.legends.set(what, { name, low: withUnit(0, unit), high: (beyond ? '≥ ' : '') + withUnit(most, unit), isSigned: false });
  }

  // Where there is nothing else: what is to be in view, and across which axis it lies.
  extent() {
    const points = Float32Array.from(this.corners.length > 0 ? this.corners : [-1, -1, -1, 1, 1, 1]), box = [0, 1, 2, 0, 1, 2].map((c, k) => {
      const all = points.filter((_, i) => i % 3 === c);
      return k < 3 ? Math.min(...all) : Math.max(...all);
    });
    const sides = [0, 1, 2].map((c) => box[3 + c] - box[c]);
    this.across = 'xyz'[sides.indexOf(Math.min(...sides))];
    return { points, box, margin: 0 };
  }
}
