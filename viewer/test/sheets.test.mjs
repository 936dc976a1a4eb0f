// Slices of a fluid, planes of a magnetic field, and equilibria, in a real browser: see run.test.mjs.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, run, serve, temporaryFolder, until } from './browser.mjs';

const fluid = `title = "Water"
[solver]
duration = "20 ms"
[fluid]
spacing = "0.1 mm"
size = ["0.8 mm", "1.2 mm", "0.4 mm"]
viscosity = "1 mm^2/s"
density = "1000 kg/m^3"
body_force = ["40 N/m^3", 0, 0]
faces = { x = "periodic", y = "no-slip", z = "periodic" }
speed = "5 mm/s"
[[probe]]
name = "flow"
of = "fluid"
record = ["max_speed", "mass"]
[output]
fluid = { every = "5 ms" }
`;
const magnet = `title = "Beside a magnet"
[solver]
kind = "static"
[material.soft]
young = "1 MPa"
poisson = 0.45
density = 1500
magnetisation = "50 kA/m"
[[rod]]
name = "rod"
material = "soft"
section = { diameter = "1 mm" }
line = { from = [0, 0, 0], to = ["20 mm", 0, 0] }
bonds = 10
magnetisation_direction = [1, 0, 0]
clamp = ["start"]
[[field]]
magnet = { shape = "sphere", radius = "5 mm", magnetisation = [0, "500 kA/m", 0], position = ["30 mm", "12 mm", 0] }
factor = "s"
[[stage]]
name = "come"
steps = 6
[[probe]]
name = "tip"
of = "rod.end"
record = ["displacement"]
[output]
field = { every = 1, planes = [{ corner = [0, "-20 mm", 0], sides = [["50 mm", 0, 0], [0, "50 mm", 0]], points = [31, 31] }] }
every = 1
vtk = false
`;
const folder = temporaryFolder(), served = {};
let browser;

async function prepared(name, text) {
  const scene = join(folder.path, `${name}.toml`), out = join(folder.path, name);
  writeFileSync(scene, text);
  const ran = await run(['run', scene, '--out', out, '--quiet']);
  assert.equal(ran.code, 0, ran.said);
  served[name] = await serve(['view', out, '--no-open']);
}
before(async () => {
  for (const [name, text] of Object.entries({ fluid, magnet })) await prepared(name, text);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  folder.remove();
});

const legend = (page, of) => page.locator(`.legend[data-of=${of}]`).textContent();

test('a fluid alone is played by its own frames, as slices with streamlines and a legend', async () => {
  const page = await openPage(browser, served.fluid.address);
  await until('a slice', () => page.evaluate(() => window.lodestone.sheets.fluid.mesh !== null));
  await until('its legend', async () => /speed of the fluid0 m\/s[\d.]+ (µ|m)?m\/s/.test(await legend(page, 'fluid')));
  assert.equal(await page.evaluate(() => window.lodestone.player.times.length), 4);
  const lines = () => page.evaluate(() => window.lodestone.sheets.fluid.lines.geometry.getAttribute('position').count);
  assert.ok((await lines()) > 50, 'streamlines');
  const now = () => page.evaluate(() => [window.lodestone.sheets.slice.time, window.lodestone.sheets.slice.fastest]);
  const last = await now();
  await page.keyboard.press('Home');
  await until('the first frame', async () => (await now())[0] === 0.005);
  assert.ok((await now())[1] < last[1], 'the water is set in motion');
  assert.match(await page.locator('#clock').textContent(), /t = 5 ms/);
  await page.locator('#fluid-axis').selectOption('0');
  await until('another layer', () => page.evaluate(() => window.lodestone.sheets.slice.axis === 0));
  await page.locator('#fluid-lines').uncheck();
  await until('no lines', async () => (await lines()) === 0);
  const titles = await page.locator('.plot-name').allTextContents();
  assert.deepEqual(titles, ['flow.max_speed, m/s', 'flow.mass, kg']); // what has another unit stands apart
  assert.deepEqual(page.errors, []);
  await page.close();
});

test('a picture of a fluid alone can be taken', async () => {
  const drawn = await run(['picture', join(folder.path, 'fluid'), '--out', join(folder.path, 'fluid.png'), '--size', '160x120']);
  assert.equal(drawn.code, 0, drawn.said);
});

test('equilibria go by their steps: timeline, planes of the field and plots', async () => {
  const page = await openPage(browser, served.magnet.address);
  await until('a plane', () => page.evaluate(() => window.lodestone.sheets.field.mesh !== null && window.lodestone.frame?.number === 6));
  await until('its legend', async () => /\|B\|0 T≥ [\d.]+ mT/.test(await legend(page, 'field')));
  assert.match(await legend(page, 'bodies'), /energy0 J\/m/);
  const strongest = await legend(page, 'field');
  assert.match(await page.locator('#clock').textContent(), /^come, step 6$/);
  await page.locator('#timeline').fill('2');
  await until('a weaker field', async () => (await legend(page, 'field')) !== strongest);
  await until('values at that step', async () => /step:?\s*2 /.test(await page.locator('#plots').textContent()));
  assert.match(await page.locator('.plot-name').first().textContent(), /tip.displacement, m/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test('a notebook of this machine may show the page in a frame, and can read nothing of the run', async () => {
  const notebook = createServer((_, reply) => reply.setHeader('Content-Type', 'text/html').end(`<iframe src="${served.magnet.address}" style="width: 900px; height: 500px"></iframe>`));
  await new Promise((done) => notebook.listen(0, '127.0.0.1', done));
  const page = await browser.newPage();
  await page.goto(`http://localhost:${notebook.address().port}/`);
  const frame = await until('the frame', () => page.frames()[1]);
  await until('the run in it', () => frame.evaluate(() => window.lodestone?.frame?.number === 6));
  const read = await page.evaluate((address) => fetch(`${address}api/run`).then(() => 'read', () => 'refused'), served.magnet.address);
  assert.equal(read, 'refused');
  await page.close();
  notebook.close();
});
