// The page of a run: puts its parts together.
import * as three from 'three';
import { Bodies } from './bodies.js';
import { capture } from './capture.js';
import { Scale, withUnit } from './colours.js';
import { extentOf, joined } from './extent.js';
import { addKeys } from './keys.js';
import { Legends } from './legends.js';
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
const legends = new Legends($('legends'));
const sheets = new Sheets(stage, $, legends);
const scale = new Scale(), frames = new Frames();
const player = new Player({ range: $('timeline'), marks: $('marks'), play: $('play'), number: $('frame-number'), speed: $('speed'), show });
// What the timeline and the plots go by: the time, or the steps of equilibria that take none.
const time = () => (page.run?.solids ? page.frame?.[page.run.clock] : page.run?.times[player.at]) ?? 0;
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
    if (!page.run.solids) return await showSheets(number);
    const buffer = await frames.get(number, colour);
    if (mine !== showing) return; // something else was asked for meanwhile
    if (!page.model) await begin();
    if (!page.hasView) await sheets.show(page.run, page.run.times[number]); // they are to be in view
    showBuffer(buffer);
    if (player.playing && number + 1 < player.times.length) frames.get(number + 1, colour).catch(() => {});
    await sheets.show(page.run, time());
    if (page.node >= 0) tellNode();
    $('message').hidden = true;
  } catch (error) {
    complain(error);
  }
}

// A fluid or a field alone, seen straight on.
async function showSheets(number) {
  await sheets.show(page.run, page.run.times[number]);
  page.frame = { number };
  tellClock();
  if (!page.hasView) {
    stage.setExtent(sheets.extent());
    stage.setUp(sheets.across === 'y' ? [0, 0, 1] : [0, 1, 0]);
    stage.look(asked.get('view') ? viewOf(asked.get('view')) : sheets.across);
    page.hasView = true;
  }
  probes.follow();
  stage.ask();
}

function tellClock() {
  const { stage: name, step } = page.frame;
  $('clock').textContent = (page.run.clock === 'time' ? `t = ${withUnit(time(), 's')}\n` : '') + (name === undefined ? '' : `${name}, step ${step}`);
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
  tellClock();
  page.script = performance.now() - from;
  probes.follow();
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
  stage.setExtent(extentOf(page.model, frame, sheets.corners));
  page.hasView = true;
  stage.look(viewOf(asked.get('view')));
}

// A view by its name, else the one that shows most.
function viewOf(name) {
  return name === 'corner' ? 'iso' : ['x', 'y', 'z'].includes(name) ? name : stage.chooseView();
}

// ---- Colours --------------------------------------------------------------------------------------------------------

function showScale() {
  const [low, high] = scale.bounds, unit = page.run.colours.find((c) => c.name === page.frame.colour)?.unit ?? '';
  page.bodies.setRamp(scale.isSigned);
  page.bodies.uniforms.uRange.value.set(low, high);
  legends.set('bodies', scale.now && { name: page.frame.colour.replace('_', ' '), low: withUnit(low, unit), high: withUnit(high, unit), isSigned: scale.isSigned });
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
  if (page.frame) stage.setExtent(page.model ? extentOf(page.model, page.frame, sheets.corners) : sheets.extent());
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
  page.nodePlots?.forEach((figure) => figure.follow());
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
    if (node !== page.node || track.clock.length < 2) return;
    page.nodePlots = [['place, m', ['x', 'y', 'z']], ['speed, m/s', ['speed']], ['force, N', ['force', 'contact_force']]].map(([name, columns]) =>
      plot($('node-plot'), name, columns, [track.clock, ...columns.map((c) => track[c])], seek, time, page.run.clock));
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
  page.nodePlots?.forEach((figure) => figure.redraw(false));
}
$('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));

function learn(run) {
  const isFirst = !page.run, isAnother = page.run && page.run.generation !== run.generation;
  if (page.run && !page.run.solids && run.solids) page.hasView = false; // the fluid came first
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
  if (run.times.length === 0 && !run.running) complain('This run wrote no HDF5 frames: output.frames and output.formats say what a run writes.');
  if (run.probes) askArrays('/api/probes', { from: probes.rows }).then((reply) => probes.add(reply, run.clock)).catch(complain);
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
  for (const id of ['legends', 'clock']) $(id).style.display = 'none';
  const [width, height] = asked.get('size').split('x');
  Object.assign($('stage').style, { width: `${width}px`, height: `${height}px` });
  stage.renderer.setPixelRatio(1);
  stage.resize();
  stage.asked = true; // drawn when a picture is taken, and not else
  const numbers = asked.get('shot').split(',').flatMap((part) => {
    const [first, last, every] = part.split(':').map(Number);
    return last === undefined ? [first] : Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, k) => first + k * every);
  });
  const [ink, paper] = ['--ink', '--paper'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  const texts = () => ({ ink, paper, title: asked.get('plain') ? '' : page.run.title, clock: asked.get('plain') ? '' : page.run.clock === 'time' ? `t = ${withUnit(time(), 's')}` : `step ${time()}`, legends: asked.get('plain') ? [] : legends.list });
  // The view and the colours hold for the whole film: both are chosen by frames from all of it.
  const some = [...new Set(Array.from({ length: 9 }, (_, k) => numbers[Math.round((k * (numbers.length - 1)) / 8)]))], extents = [];
  for (const n of some) {
    await showOrThrow(n);
    extents.push(page.model ? extentOf(page.model, page.frame, sheets.corners) : sheets.extent());
  }
  stage.setExtent(joined(extents));
  if (page.model || asked.get('view')) stage.look(viewOf(asked.get('view')));
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
