// A real browser and a served run, for the tests of the page.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';

// The packages lie in the folder of the build.
const { chromium } = createRequire(process.env.LODESTONE_PAGE_FOLDER + '/')('playwright-core');
export const program = process.env.LODESTONE_PROGRAM;

export async function openBrowser() {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
}

export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'lodestone-page-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

// Starts the program; said: what it printed so far; ended: its exit code.
export function start(args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const it = { child, said: '', ended: new Promise((done) => child.on('exit', (code, signal) => done(code ?? signal))) };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (it.said += text));
  return it;
}

export async function run(args) {
  const it = start(args);
  const code = await it.ended;
  return { code, said: it.said };
}

export async function until(what, condition, seconds = 30) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${seconds} s for ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

// The address that `lodestone view` prints. What is served ends with this process, and does not keep it from its end when a
// test has failed.
export async function serve(args) {
  const it = start(args);
  it.address = await until(`an address from lodestone ${args.join(' ')}: ${it.said}`, () => it.said.match(/http:\/\/127\.0\.0\.1:\d+\/\S*/)?.[0]);
  for (const part of [it.child, it.child.stdout, it.child.stderr]) part.unref();
  process.on('exit', () => it.child.kill('SIGKILL'));
  it.stop = async () => {
    it.child.kill('SIGINT');
    return it.ended;
  };
  return it;
}

// A page whose errors and complaints are noted.
export async function openPage(browser, address, size = { width: 1280, height: 720 }) {
  const page = await browser.newPage({ viewport: size });
  page.errors = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && !/GPU stall|GL Driver/.test(m.text()) && page.errors.push(m.text()));
  page.on('pageerror', (e) => page.errors.push(String(e)));
  await page.goto(address);
  return page;
}
