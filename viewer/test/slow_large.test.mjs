// How long the page's own script takes for very large models: a million nodes, a layer of 256 x 256 x 256 cells.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, serve, temporaryFolder, until } from './browser.mjs';

const folder = temporaryFolder();
let browser;
before(async () => (browser = await openBrowser()));
after(async () => {
  await browser?.close();
  folder.remove();
});

// Frames as a run would write them; with Debian's h5py, since no run of this size is quick.
function writeRun(kind) {
  const out = join(folder.path, kind);
  execFileSync('/usr/bin/python3', [new URL('./large_run.py', import.meta.url).pathname, kind, out], { stdio: 'inherit' });
  return out;
}

test('a million nodes take the script 50 ms a frame at most', { timeout: 600000 }, async () => {
  const served = await serve(['view', writeRun('nodes'), '--no-open']);
  const page = await openPage(browser, served.address, { width: 640, height: 360 });
  const times = [];
  for (const frame of [0, 1, 2, 1, 2]) {
    await page.evaluate((n) => window.lodestone.player.go(n), frame);
    await until(`frame ${frame}`, () => page.evaluate((n) => window.lodestone.frame?.number === n, frame), 120);
    times.push(await page.evaluate(() => window.lodestone.script));
  }
  console.log(`a million nodes: ${times.slice(1).map((t) => t.toFixed(1)).join(', ')} ms a frame`);
  assert.ok(Math.min(...times.slice(1)) <= 50, `${times} ms`);
  assert.deepEqual(page.errors, []);
  await served.stop();
});

test('a layer of 256 cubed cells takes it no longer', { timeout: 600000 }, async () => {
  const served = await serve(['view', writeRun('fluid'), '--no-open']);
  const page = await openPage(browser, served.address, { width: 640, height: 360 });
  await until('a layer', () => page.evaluate(() => window.lodestone.sheets.script > 0), 120);
  const times = [];
  for (const axis of ['0', '1', '2', '1', '2']) {
    await page.evaluate(() => (window.lodestone.sheets.slice = null));
    await page.locator('#fluid-axis').selectOption(axis);
    await until(`axis ${axis}`, () => page.evaluate((a) => window.lodestone.sheets.slice?.axis === a, Number(axis)), 120);
    times.push(await page.evaluate(() => window.lodestone.sheets.script));
  }
  console.log(`256 x 256 cells: ${times.map((t) => t.toFixed(1)).join(', ')} ms a layer`);
  assert.ok(Math.min(...times.slice(1)) <= 50, `${times} ms`);
  assert.deepEqual(page.errors, []);
  await served.stop();
});
