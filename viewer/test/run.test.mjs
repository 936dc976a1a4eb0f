// The page in a real browser: what it shows, and what its server refuses. By node's own runner:
//   LODESTONE_PROGRAM=… LODESTONE_PAGE_FOLDER=… node --test run.test.mjs
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { copyFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, run, serve, start, temporaryFolder, until } from './browser.mjs';
import { writeScene } from './scene.mjs';

const folder = temporaryFolder();
const out = join(folder.path, 'out');
let browser, served, port;

before(async () => {
  const scene = writeScene(folder.path);
  const [ran, opened] = await Promise.all([run(['run', scene, '--out', out, '--quiet']), openBrowser()]);
  browser = opened;
  assert.equal(ran.code, 0, ran.said);
  served = await serve(['view', out, '--no-open']);
  port = Number(new URL(served.address).port);
});
after(async () => {
  await browser?.close();
  folder.remove();
});

const text = (page, id) => page.locator(`#${id}`).textContent();
const shows = (page, frame) => until(`frame ${frame}`, () => page.evaluate((n) => window.lodestone.frame?.number === n && !window.lodestone.stage.asked, frame));

// Pixels of the drawing near a colour: how many, and their middle.
const near = (page, colour, room = 40) => page.evaluate(([r, g, b, most]) => {
  const { stage } = window.lodestone, gl = stage.renderer.getContext(), w = gl.drawingBufferWidth, h = gl.drawingBufferHeight;
  stage.draw();
  const bytes = new Uint8Array(4 * w * h), found = { count: 0, x: 0, y: 0 };
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  for (let i = 0; i < w * h; ++i) {
    if (Math.abs(bytes[4 * i] - r) > most || Math.abs(bytes[4 * i + 1] - g) > most || Math.abs(bytes[4 * i + 2] - b) > most) continue;
    found.count++;
    found.x += i % w;
    found.y += Math.floor(i / w);
  }
  return { count: found.count, x: found.x / found.count, y: found.y / found.count, all: w * h };
}, [...colour, room]);

const screenPlace = (page, node) => page.evaluate((n) => {
  const { three, stage, bodies } = window.lodestone, p = bodies.place3(n, new three.Vector3()).project(stage.camera), box = stage.canvas.getBoundingClientRect();
  return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height];
}, node);

test('the page shows the run, moves with the timeline and names what is clicked', async () => {
  const page = await openPage(browser, `${served.address}?theme=light&view=y`);
  await shows(page, 20);
  assert.equal(await text(page, 'title'), 'A rod and a ball');
  assert.equal(await text(page, 'status'), 'done');
  assert.match(await text(page, 'clock'), /t = 200 ms/);
  assert.match(await text(page, 'ledger'), /total/);

  // By bodies: the beam is the first of the palette, the ball the second, the paper is white.
  await page.locator('#show-moments').uncheck();
  await page.locator('#show-walls').uncheck();
  await page.locator('#colour').selectOption('body');
  await until('colours of bodies', () => page.evaluate(() => window.lodestone.frame.colour === 'body'));
  const paper = await near(page, [255, 255, 255], 0), beam = await near(page, [56, 107, 161]), ball = await near(page, [214, 125, 46]);
  assert.ok(paper.count > 0.5 * paper.all, 'most of it is paper');
  assert.ok(beam.count > 300, `the beam has ${beam.count} pixels`);
  assert.ok(ball.count > 300, `the ball has ${ball.count} pixels`);

  await page.locator('#timeline').evaluate((range) => {
    range.value = 0;
    range.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await shows(page, 0);
  const straight = await near(page, [56, 107, 161]);
  assert.ok(straight.y - beam.y > 20, `the beam sank from ${straight.y} to ${beam.y}`);
  await page.keyboard.press('End');
  await shows(page, 20);

  const [x, y] = await screenPlace(page, 10);
  await page.mouse.click(x, y);
  await until('the name of a node', async () => /beam\[10\]/.test(await text(page, 'node')));
  await until('plots of it', () => page.locator('#node-plot .uplot').count().then((n) => n === 3));
  const ballAt = await screenPlace(page, 21);
  await page.mouse.click(...ballAt);
  await until('the ball', async () => /ball/.test(await text(page, 'node')) && !/beam/.test(await text(page, 'node')));

  assert.ok((await page.locator('#plots .uplot').count()) >= 1, 'probes are plotted');
  assert.ok((await page.locator('#marks [data-kind=contact]').count()) >= 1, 'first contact is marked');
  assert.deepEqual(page.errors, []);
  await page.close();
});

test('the page goes by keys, colours by values with units, cuts and follows', async () => {
  const page = await openPage(browser, `${served.address}?theme=light`);
  await shows(page, 20);
  assert.match(await page.locator('.legend-high').first().textContent(), /J\/m/);
  await page.locator('#colour').selectOption('speed');
  await until('speeds', async () => /m\/s/.test(await page.locator('.legend-high').first().textContent()));
  await page.locator('#canvas').focus();
  for (const [key, frame] of [['Home', 0], ['ArrowRight', 1], ['Shift+ArrowRight', 11], ['e', null]]) {
    await page.keyboard.press(key);
    if (frame !== null) await shows(page, frame);
  }
  await page.keyboard.press('n');
  await until('the first node', async () => /beam\[0\]/.test(await text(page, 'node')));
  await page.keyboard.press('Shift+N');
  await until('the one before it, the last', async () => /floor/.test(await text(page, 'node')));
  await page.keyboard.press('Shift+N');
  await until('the ball', async () => /ball/.test(await text(page, 'node')));
  const target = () => page.evaluate(() => window.lodestone.stage.controls.target.z);
  for (const moves of [false, true]) { // without following and with it
    await page.keyboard.press('Home');
    await shows(page, 0);
    if (moves) await page.keyboard.press('g');
    const from = await target();
    await page.keyboard.press('End');
    await shows(page, 20);
    assert.equal(Math.abs((await target()) - from) > 0.01, moves, 'the camera goes with a node that is followed');
  }
  await page.keyboard.press('g');
  const before = await near(page, [255, 255, 255], 0);
  await page.locator('#show-walls').uncheck();
  await page.locator('#section-axis').selectOption('0');
  await page.locator('#section-at').fill('200');
  const cut = await near(page, [255, 255, 255], 0);
  assert.ok(cut.count > before.count, 'a section shows less of the bodies');
  await page.keyboard.press('d');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  await until('playing', () => page.evaluate(() => window.lodestone.player.at > 2));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test('a run that goes on is shown as it goes, can be paused and stopped with the token alone, and ends', async () => {
  const live = join(folder.path, 'live');
  const args = ['run', writeScene(folder.path, { duration: '30 s', frames: '0.1 s' }), '--out', live, '--force', '--live', '--control', '--no-open'];
  const it = await serve(args);
  const bare = it.address.replace(/\?.*/, '');
  const page = await openPage(browser, it.address);
  await until('some frames', () => page.evaluate(() => window.lodestone.player.times.length > 2));
  assert.match(await text(page, 'status'), /running, \d+ %/);
  for (const token of ['', 'x'.repeat(32)])
    assert.equal((await ask('/api/control?order=stop', { method: 'POST', headers: { 'X-Token': token }, port: Number(new URL(bare).port) })).status, 403);
  await page.locator('#pause').click();
  await until('a pause', async () => /paused/.test(await text(page, 'status')));
  await page.locator('#pause').click();
  await until('going on', async () => /running/.test(await text(page, 'status')));
  const seen = await page.evaluate(() => window.lodestone.player.times.length);
  await page.reload(); // the whole history is there again
  await until('all frames', () => page.evaluate((n) => window.lodestone.player.times.length >= n && window.lodestone.frame !== null, seen));
  assert.equal(await page.evaluate(() => window.lodestone.player.times[0]), 0);
  await page.locator('#stop').click();
  await until('the end', async () => /interrupted/.test(await text(page, 'status')));
  assert.deepEqual(page.errors, []);
  await page.close();
  assert.equal(await it.ended, 130);
});

test('a live run that comes to its end is done', async () => {
  const live = join(folder.path, 'short');
  const it = await serve(['run', writeScene(folder.path, { duration: '2 s' }), '--out', live, '--live', '--no-open']);
  const page = await openPage(browser, it.address);
  await until('done', async () => (await text(page, 'status')) === 'done');
  assert.equal(await page.evaluate(() => window.lodestone.player.times.length), 201);
  assert.equal(await page.locator('#control').isVisible(), false);
  await page.close();
  assert.equal(await it.ended, 0);
});

// What no browser would ask for: paths and headers as they are.
function ask(path, { method = 'GET', headers = {}, port: to = port } = {}) {
  return new Promise((done, fail) => {
    const r = request({ host: '127.0.0.1', port: to, path, method, headers: { Host: `127.0.0.1:${to}`, ...headers } }, (reply) => {
      let body = '';
      reply.on('data', (part) => (body += part));
      reply.on('end', () => done({ status: reply.statusCode, headers: reply.headers, body }));
    });
    r.on('error', fail);
    r.end();
  });
}

test('the server gives nothing but the page and the run, and that to this machine alone', async () => {
  for (const path of ['/../scene.toml', '/%2e%2e/scene.toml', '/..%2fscene.toml', '/scene.toml', '//etc/passwd', '/frames/000000.h5', '/api/../../x', '/api/frame/../../x'])
    assert.equal((await ask(path)).status, 404, path);
  for (const path of ['/api/frame?n=-1', '/api/frame?n=99', '/api/frame?n=1e1', '/api/frame?n=../1', '/api/frame?n=0&colour=../x', '/api/node?node=99', '/api/field?n=0&grid=../../x', '/api/fluid?n=0'])
    assert.equal((await ask(path)).status, 404, path);
  assert.equal((await ask('/%zz')).status, 400);
  assert.equal((await ask('/%00')).status, 400);
  for (const headers of [{ Host: 'evil.example' }, { Host: `evil.example:${port}` }, { Origin: 'http://evil.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }])
    assert.equal((await ask('/api/run', { headers })).status, 403, JSON.stringify(headers));
  assert.equal((await ask('/', { headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' } })).status, 200);
  assert.equal((await ask('/api/run', { method: 'DELETE' })).status, 405);
  assert.equal((await ask('/api/control?order=stop', { method: 'POST' })).status, 403);
  assert.equal((await ask('/', { headers: { 'X-Long': 'x'.repeat(20000) } })).status, 431);
  const { headers } = await ask('/');
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(headers['content-security-policy'], /default-src 'none'/);
  assert.equal(headers['access-control-allow-origin'], undefined);

  // A frame that is a link to a frame outside is refused, though it could be read.
  copyFileSync(join(out, 'frames/000001.h5'), join(folder.path, 'outside.h5'));
  rmSync(join(out, 'frames/000001.h5'));
  symlinkSync(join(folder.path, 'outside.h5'), join(out, 'frames/000001.h5'));
  const linked = await ask('/api/frame?n=1');
  assert.equal(linked.status, 404);
  assert.match(linked.body, /leads out of the folder/);

  const others = await run(['picture', out, '--frame', '1', '--out', join(folder.path, 'linked.png')]);
  assert.equal(others.code, 4, others.said);
  assert.match(others.said, /leads out of the folder/);

  // Half a request, and what is none, end without harm to others.
  const half = connect(port, '127.0.0.1');
  half.write('GET / HTTP/1.1\r\nHost:');
  const none = connect(port, '127.0.0.1');
  none.write('hello\r\n\r\n');
  await new Promise((done) => none.on('data', done));
  assert.equal((await ask('/api/run')).status, 200);
  half.destroy();
});

test('what cannot be shown is refused with what to do', async () => {
  const empty = join(folder.path, 'none');
  assert.equal((await run(['view', empty])).code, 2);
  const taken = await run(['view', out, '--no-open', '--port', String(port)]);
  assert.equal(taken.code, 4);
  assert.match(taken.said, /--port/);
  assert.equal((await run(['run', join(folder.path, 'scene.toml'), '--control'])).code, 2);
  writeFileSync(join(folder.path, 'bad.toml'), 'nonsense = 1\n');
  const bad = start(['run', join(folder.path, 'bad.toml'), '--out', join(folder.path, 'bad'), '--live', '--no-open']);
  assert.equal(await bad.ended, 2);
});

test('pictures and films are drawn by the same page', async () => {
  const png = join(folder.path, 'last.png'), film = join(folder.path, 'fall.webm');
  const drawn = await run(['picture', out, '--out', png, '--view', 'y', '--size', '320x200']);
  assert.equal(drawn.code, 0, drawn.said);
  const page = await browser.newPage();
  const size = await page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(data)).blob()), canvas = new OffscreenCanvas(image.width, image.height), c = canvas.getContext('2d');
    c.drawImage(image, 0, 0);
    const colours = new Set(new Uint32Array(c.getImageData(0, 0, image.width, image.height).data.buffer));
    return [image.width, image.height, colours.size];
  }, `data:image/png;base64,${readFileSync(png).toString('base64')}`);
  assert.deepEqual(size.slice(0, 2), [320, 200]);
  assert.ok(size[2] > 100, `${size[2]} colours`);
  const filmed = await run(['film', out, '--out', film, '--size', '160x90', '--from', '2', '--every', '6']);
  assert.equal(filmed.code, 0, filmed.said);
  assert.equal(readFileSync(film).readUInt32BE(0), 0x1a45dfa3);
  assert.equal((await run(['picture', out, '--frame', '99'])).code, 2);
  assert.equal((await run(['film', out, '--out', 'x.txt'])).code, 2);
  await page.close();
});
