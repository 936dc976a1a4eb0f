// The page of a run: puts its parts together.
import * as three from 'three';
import { Bodies } from './bodies.js';
import { capture } from './capture.js';
import { Scale, fromRamp, css, withUnit } from './colours.js';
import { addKeys } from './keys.js';
import { ledgerTable, nodeTable, statusText } from './panels.js';
import { pick } from './pick.js';
import { Player } from './player.js';
import { Probes, plot } from './plots.js';
import { Sheets } from './sheets.js';
import { Stage } from './stage.js';
import { Things } from './things.js';
import { Frames, askArrays, askJson, decode, tell } from './wire.js';

const $ = (id) => document.getElementById(id);
const asked = new URLSearchParams(location.search);
const page = { run: null, model: null, frame: null, bodies: null, node: -1, following: false, script: 0 };
window.lodestone = page; // for tests, and for whoever looks with the browser's tools

const stage = new Stage($('canvas'));
const things = new Things();
stage.scene.add(things.group);
const sheets = new Sheets(stage, $);
const scale = new Scale(), frames = new Frames();
const player = new Player({ range: $('timeline'), marks: $('marks'), play: $('play'), number: $('frame-number'), speed: $('speed'), show });
const time = () => page.frame?.time ?? 0;
const seek = (t) => player.go(player.nearest(t));
const probes = new Probes($('plots'), seek, time);
Object.assign(page, { stage, player, probes, sheets });

function complain(error) {
  $('message').textContent = String(error.message ?? error);
  $('message').hidden = false;
}

// ---- Frames ---------------------------------------------------------------------------------------------------------

let showing = 0;
async function show(number) {
  const mine = ++showing, colour = $('colour').value || 'energy';
  try {
    const buffer = await frames.get(number, colour);
    if (mine !== showing) return; // something else was asked for meanwhile
    if (!page.model) await begin();
    showBuffer(buffer);
    if (player.playing && number + 1 < player.times.length) frames.get(number + 1, colour).catch(() => {});
    await sheets.show(page.run, time());
    if (page.node >= 0) tellNode();
    $('message').hidden = true;
  } catch (error) {
    complain(error);
  }
}

// All of the page's own work for a frame; how long it took is noted.
function showBuffer(buffer) {
  const from = performance.now(), frame = decode(buffer);
  const before = page.following && page.node >= 0 ? page.bodies.place3(page.node) : null;
  page.frame = frame;
  page.bodies.show(frame);
  page.bodies.upload(stage.renderer);
  if (!page.hasView) chooseView(frame);
  things.show(frame, stage.size);
  scale.look(frame.range, $('hold').checked);
  showScale();
  if (before) stage.follow(before, page.bodies.place3(page.node));
  markNode();
  setSection();
  $('clock').textContent = `t = ${withUnit(frame.time, 's')}\n${frame.stage}, step ${frame.step}`;
  page.script = performance.now() - from;
  probes.redraw();
  stage.ask();
}

async function begin() {
  page.model = await askArrays('/api/model');
  page.bodies = stage.bodies = new Bodies(page.model);
  stage.scene.add(page.bodies.group);
  setShown();
}

function chooseView(frame) {
  const g = page.run.gravity, size = g ? Math.hypot(...g) : 0;
  stage.setUp(size > 0 ? g.map((x) => -x / size) : [0, 1, 0]);
  let margin = 0;
  if (page.model.nodes < 1e6) for (const r of page.model.radius) margin = Math.max(margin, r);
  const box = frame.box ?? [-1, -1, -1, 1, 1, 1];
  const extent = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  stage.setBox(withSurfaces(box, frame), extent > 0 ? Math.min(margin, extent) : margin || 1);
  page.hasView = true;
  stage.look(viewOf(asked.get('view')));
}

// A view by its name, else the one that shows most.
function viewOf(name) {
  return name === 'corner' ? 'iso' : ['x', 'y', 'z'].includes(name) ? name : stage.chooseView();
}

// Bodies reach further than their nodes; walls may reach anywhere.
function withSurfaces(box, frame) {
  const { surface_node: of, surface_walls: walls } = page.model, isWall = new Set(walls), out = [...box];
  const take = (values, k) => {
    for (let c = 0; c < 3; ++c) {
      out[c] = Math.min(out[c], values[k + c]);
      out[3 + c] = Math.max(out[3 + c], values[k + c]);
    }
  };
  for (let i = 0; i < of.length; ++i) if (!isWall.has(of[i])) take(frame.surface, 3 * i);
  if (page.model.nodes === 0) for (let k = 0; k < frame.tracer.length; k += 3) take(frame.tracer, k);
  // Magnets too, unless what they act on would be a speck beside them.
  const size = (b) => Math.hypot(b[3] - b[0], b[4] - b[1], b[5] - b[2]), bare = [...out];
  for (let k = 0; k < frame.magnet_lines.length; k += 3) take(frame.magnet_lines, k);
  return size(out) <= 4 * size(bare) ? out : bare;
}

// ---- Colours --------------------------------------------------------------------------------------------------------

function showScale() {
  const [low, high] = scale.bounds, unit = page.run.colours.find((c) => c.name === page.frame.colour)?.unit ?? '';
  page.bodies.setRamp(scale.isSigned);
  page.bodies.uniforms.uRange.value.set(low, high);
  $('legend').hidden = !scale.now && !sheets.legend;
  if (!scale.now) return;
  page.legend = { name: page.frame.colour.replace('_', ' '), low: withUnit(low, unit), high: withUnit(high, unit), ramp: $('ramp') };
  $('legend-name').textContent = page.legend.name;
  $('legend-low').textContent = page.legend.low;
  $('legend-high').textContent = page.legend.high;
  const c = $('ramp').getContext('2d');
  for (let x = 0; x < 160; ++x) {
    c.fillStyle = css(fromRamp(x / 159, scale.isSigned));
    c.fillRect(x, 0, 1, 10);
  }
}

$('colour').addEventListener('change', () => {
  scale.reset();
  show(player.at);
});
$('hold').addEventListener('change', () => show(player.at));

// ---- What is shown --------------------------------------------------------------------------------------------------

function setShown() {
  if (!page.bodies) return;
  page.bodies.uniforms.uPaint.value = $('show-paint').checked ? 1 : 0;
  for (const wall of page.bodies.walls) wall.visible = $('show-walls').checked;
  things.momentGroup.visible = $('show-moments').checked;
  stage.ask();
}
for (const id of ['show-paint', 'show-moments', 'show-walls']) $(id).addEventListener('change', setShown);

function setSection() {
  if (!page.bodies) return;
  const axis = $('section-axis').value, at = $('section-at'), clip = page.bodies.uniforms.uClip.value;
  at.disabled = axis === '';
  clip.set(0, 0, 0, 1);
  if (axis !== '') {
    const low = stage.box.min.getComponent(Number(axis)), high = stage.box.max.getComponent(Number(axis)), share = Number(at.value) / 1000;
    clip.setComponent(Number(axis), -1);
    clip.w = low + share * (high - low);
  }
  stage.ask();
}
$('section-axis').addEventListener('change', setSection);
$('section-at').addEventListener('input', setSection);
for (const button of $('views').querySelectorAll('[data-view]')) button.addEventListener('click', () => look(button.dataset.view));
$('fit').addEventListener('click', () => fit());

function look(view) {
  refit();
  stage.look(view);
}
function fit() {
  refit();
  stage.fit();
}
// All of the present frame.
function refit() {
  if (page.frame?.box) stage.setBox(withSurfaces(page.frame.box, page.frame), 0.03 * stage.size);
}

// ---- Nodes ----------------------------------------------------------------------------------------------------------

export function nodeName(node) {
  const { body, bodies } = page.model, of = body[node];
  let first = node, count = 0;
  while (first > 0 && body[first - 1] === of) --first;
  for (let n = first; n < page.model.nodes && body[n] === of && count < 2; ++n) ++count;
  return count > 1 ? `${bodies[of]}[${node - first}]` : bodies[of];
}

function markNode() {
  const has = page.node >= 0 && page.bodies;
  stage.mark(has ? page.bodies.place3(page.node) : null, has ? page.model.radius[page.node] : 0);
}

async function tellNode() {
  const node = page.node, values = await askJson('/api/node', { node, n: player.at });
  if (node !== page.node) return;
  const follow = document.createElement('label'), box = document.createElement('input');
  box.type = 'checkbox';
  box.id = 'follow';
  box.checked = page.following;
  box.addEventListener('change', () => (page.following = box.checked));
  follow.append(box, ' follow');
  $('node').replaceChildren(nodeTable(nodeName(node), values), follow);
  page.nodePlots?.forEach((figure) => figure.redraw(false));
}

async function choose(node) {
  page.node = node;
  markNode();
  $('node-plot').replaceChildren();
  page.nodePlots = [];
  if (node < 0) {
    page.following = false;
    $('node').innerHTML = '<p class="faint">Click a node, a body or a wall.</p>';
    return;
  }
  try {
    await tellNode();
    const track = await askArrays('/api/track', { node });
    if (node !== page.node || track.time.length < 2) return;
    page.nodePlots = [['place, m', ['x', 'y', 'z']], ['speed, m/s', ['speed']], ['force, N', ['force', 'contact_force']]].map(([name, columns]) =>
      plot($('node-plot'), name, columns, [track.time, ...columns.map((c) => track[c])], seek, time));
  } catch (error) {
    complain(error);
  }
}

let pressed = null;
$('canvas').addEventListener('pointerdown', (e) => (pressed = [e.clientX, e.clientY]));
$('canvas').addEventListener('pointerup', (e) => {
  if (!pressed || !page.bodies || e.button !== 0 || Math.hypot(e.clientX - pressed[0], e.clientY - pressed[1]) > 4) return;
  choose(pick(page.bodies, stage.ray(e.clientX, e.clientY), stage.bodies.uniforms.uPixel.value, page.bodies.uniforms.uClip.value));
});

// ---- The run --------------------------------------------------------------------------------------------------------

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  stage.setTheme(name);
  probes.redraw();
}
$('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));

function learn(run) {
  const isFirst = !page.run, isAnother = page.run && page.run.generation !== run.generation;
  page.run = run;
  if (isAnother) {
    frames.clear();
    scale.reset();
    probes.clear();
    if (page.bodies) stage.scene.remove(page.bodies.group);
    page.model = page.bodies = stage.bodies = null;
    player.times = [];
  }
  document.title = `${run.title}: lodestone`;
  $('title').textContent = run.title;
  $('status').textContent = statusText(run);
  $('control').hidden = !run.can_control || !run.running;
  $('pause').textContent = run.paused ? 'Go on' : 'Pause run';
  if (isFirst) {
    $('colour').replaceChildren(...run.colours.map(({ name, unit }) => new Option(name.replace('_', ' ') + (unit && unit !== '1' ? `, ${unit}` : ''), name)));
    if (asked.get('colour')) $('colour').value = asked.get('colour');
  }
  $('ledger').replaceChildren(ledgerTable(run.summary));
  sheets.learn(run);
  player.setTimes(run.times);
  player.setEvents(run.events);
  if (run.times.length === 0) showWithoutFrames(run);
  if (run.probes) askArrays('/api/probes', { from: probes.rows }).then((reply) => probes.add(reply)).catch(complain);
}

// A fluid alone has no frames of solids: its own times are those of the timeline.
function showWithoutFrames(run) {
  const grid = run.fluid ?? run.field;
  if (!grid) {
    if (!run.running) complain('This run wrote no HDF5 frames: output.frames and output.formats say what a run writes.');
    return;
  }
  sheets.showAlone(run, grid).catch(complain);
}

for (const [id, order] of [['pause', () => (page.run.paused ? 'resume' : 'pause')], ['stop', () => 'stop']])
  $(id).addEventListener('click', () => tell('/api/control', { order: order() }).catch(complain));

// A picture must not show another frame than was asked for.
async function showOrThrow(number) {
  await player.go(number);
  if (page.frame?.number !== number) throw new Error($('message').textContent || `frame ${number} could not be shown`);
}

async function takePictures() {
  document.body.classList.add('shot');
  for (const id of ['legend', 'clock']) $(id).style.display = 'none';
  const [width, height] = asked.get('size').split('x');
  Object.assign($('stage').style, { width: `${width}px`, height: `${height}px` });
  stage.renderer.setPixelRatio(1);
  stage.resize();
  stage.asked = true; // drawn when a picture is taken, and not else
  const numbers = asked.get('shot').split(',').flatMap((part) => {
    const [first, last, every] = part.split(':').map(Number);
    return last === undefined ? [first] : Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, k) => first + k * every);
  });
  const ink = getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();
  const texts = () => ({ ink, title: asked.get('plain') ? '' : page.run.title, clock: asked.get('plain') ? '' : `t = ${withUnit(time(), 's')}`, legend: scale.now && !asked.get('plain') ? page.legend : null });
  // The view and the colours hold for the whole film: both are chosen by frames from all of it.
  const some = [...new Set([0, 1, 2, 3, 4].map((k) => numbers[Math.round((k * (numbers.length - 1)) / 4)]))];
  let all = null;
  for (const n of some) {
    await showOrThrow(n);
    const box = page.frame.box && withSurfaces(page.frame.box, page.frame);
    if (box) all = all ? box.map((x, k) => (k < 3 ? Math.min(x, all[k]) : Math.max(x, all[k]))) : box;
  }
  if (all) stage.setBox(all, 0.03 * stage.size);
  stage.look(viewOf(asked.get('view')));
  await capture(stage, numbers, showOrThrow, texts);
}

addKeys({ player, look, fit, choose, page, setTheme: () => $('theme').click(), toggle: (id) => $(id).click(), help: $('keys') });
$('help').addEventListener('click', () => $('keys').showModal());
setTheme(asked.get('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
stage.resize();
if (asked.has('frame')) player.wanted = Number(asked.get('frame'));
if (asked.has('shot')) {
  askJson('/api/run').then(async (run) => {
    learn(run);
    await takePictures();
  }).catch((error) => tell('/api/shot', { n: 1e9 }, String(error.message ?? error)));
} else {
  const news = new EventSource('/api/news');
  news.addEventListener('run', (e) => learn(JSON.parse(e.data)));
  news.addEventListener('trouble', (e) => complain(JSON.parse(e.data)));
  news.onerror = () => {
    if (page.run?.running !== false) $('status').textContent = 'the program that serves this page has ended';
  };
}
page.three = three;
