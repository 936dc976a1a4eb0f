// Plots against time, linked: the cursor of one is that of all, and a click goes to that time.
import uPlot from 'uplot';
import { css, palette } from './colours.js';

const ink = () => getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();
const line = () => getComputedStyle(document.documentElement).getPropertyValue('--line').trim();

// data: [times, column, column, …]; go: what to do with a time that is clicked; clock: 'time', or 'step' where times are
// steps.
export function plot(parent, name, labels, data, go, now, clock) {
  const box = document.createElement('div');
  box.dataset.plot = name;
  const heading = document.createElement('div');
  heading.className = 'plot-name';
  heading.textContent = name;
  box.append(heading);
  parent.append(box);
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: '10px system-ui' };
  const number = (v, digits = 3) => (v === 0 || (Math.abs(v) >= 1e-3 && Math.abs(v) < 1e4) ? String(Number(v.toPrecision(4))) : v.toExponential(digits));
  const show = (u, values) => values.map((v) => number(v, 1));
  // The time that is shown is a line of its own: moving it draws nothing anew.
  const marker = document.createElement('div');
  marker.className = 'plot-now';
  function place(u) {
    const x = u.valToPos(now(), 'x');
    marker.hidden = !(x >= 0 && x <= u.over.clientWidth);
    marker.style.left = `${x}px`;
  }
  // Below the plot stand the values at the cursor or, without one, at the time that is shown.
  const told = (unit = '') => (u, value, series, index) => {
    const v = u.data[series][index ?? u.valToIdx(now())];
    return v === null || v === undefined ? '–' : `${number(v)} ${unit}`;
  };
  const figure = new uPlot({
    width: Math.max(parent.clientWidth, 200), height: 120, cursor: { sync: { key: 'run' }, y: false }, scales: { x: { time: false } },
    axes: [{ ...axis, size: 28, values: show }, { ...axis, size: 52, values: show }],
    series: [{ label: clock === 'time' ? 't' : clock, value: told(clock === 'time' ? 's' : '') }, ...labels.map((label, k) => ({ label, stroke: css(palette[k % palette.length]), width: 1.3, spanGaps: true, value: told() }))],
    hooks: { draw: [place] },
  }, data, box);
  figure.follow = () => {
    place(figure);
    if (figure.cursor.idx == null) figure.setLegend({ idx: null });
  };
  figure.box = box;
  figure.over.append(marker);
  figure.follow();
  figure.over.addEventListener('click', () => {
    if (figure.cursor.idx != null) go(figure.data[0][figure.cursor.idx]);
  });
  return figure;
}

// All probes: those that differ in their last word alone, and have the same unit, share a plot.
export class Probes {
  constructor(parent, go, now) {
    Object.assign(this, { parent, go, now, columns: {}, units: {}, rows: 0, plots: new Map() });
  }
  clear() {
    this.columns = {};
    this.rows = 0;
    for (const figure of this.plots.values()) figure.destroy();
    this.plots.clear();
    this.parent.replaceChildren();
  }
  add(reply, clock) {
    this.clock = clock;
    if (reply.first !== this.rows) return;
    const names = reply.columns;
    names.forEach((name, k) => (this.units[name] = reply.units[k]));
    if (names.length === 0 || reply[names[0]].length === 0) return;
    for (const name of names) {
      const before = this.columns[name] ?? new Float64Array(), joined = new Float64Array(before.length + reply[name].length);
      joined.set(before);
      joined.set(reply[name], before.length);
      this.columns[name] = joined;
    }
    this.rows = this.columns[names[0]].length;
    this.drawSoon();
  }
  // Long tables of a run under way are drawn less often than they grow.
  drawSoon() {
    if (this.waiting) return;
    this.waiting = setTimeout(() => {
      this.waiting = 0;
      const from = performance.now();
      this.draw();
      this.next = performance.now() + 10 * (performance.now() - from);
    }, Math.max(0, (this.next ?? 0) - performance.now()));
  }
  // Of many, those that are not always 0.
  worthShowing(names) {
    if (names.length <= 4) return names;
    const some = names.filter((name) => this.columns[name].some((v) => v !== 0 && Number.isFinite(v)));
    return (some.length > 0 ? some : names).slice(0, 14);
  }
  draw() {
    const groups = new Map();
    for (const name of Object.keys(this.columns)) {
      if (['step', 'time', 's'].includes(name)) continue;
      const key = JSON.stringify([name.slice(0, name.lastIndexOf('.')), this.units[name]]);
      groups.set(key, [...(groups.get(key) ?? []), name]);
    }
    for (const [key, names] of groups) {
      const [group, unit] = JSON.parse(key), title = names.length > 1 ? group : names[0], shown = this.worthShowing(names);
      const data = [this.columns[this.clock], ...shown.map((name) => Array.from(this.columns[name], (v) => (Number.isFinite(v) ? v : null)))];
      const before = this.plots.get(key);
      if (before?.shown.join() === shown.join()) {
        before.setData(data);
        continue;
      }
      const figure = plot(this.parent, unit ? `${title}, ${unit}` : title, shown.map((n) => n.slice(group.length + 1)), data, this.go, this.now, this.clock);
      figure.shown = shown;
      this.plots.set(key, figure);
      before?.box.replaceWith(figure.box);
      before?.destroy();
    }
  }
  follow() {
    for (const figure of this.plots.values()) figure.follow();
  }
  redraw() {
    for (const figure of this.plots.values()) figure.redraw(false);
  }
}
