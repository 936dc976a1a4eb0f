// What the page asks of its server, and how it reads the answers.

const types = { f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array };

// The arrays of a reply are looked at where they lie: nothing is copied or converted.
export function decode(buffer) {
  const bytes = new DataView(buffer);
  if (buffer.byteLength < 8 || bytes.getUint32(0, false) !== 0x4c534231) throw new Error('not a reply of this server');
  const length = bytes.getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  const arrays = {};
  for (const [name, a] of Object.entries(head.arrays ?? {}))
    arrays[name] = new types[a.type](buffer, 8 + length + a.offset, a.length);
  return { ...head, ...arrays, bytes: buffer.byteLength };
}

async function ask(path, parameters = {}) {
  const query = new URLSearchParams(parameters).toString();
  const reply = await fetch(query ? `${path}?${query}` : path);
  if (!reply.ok) throw new Error((await reply.text()).trim() || `the server says ${reply.status}`);
  return reply;
}

export const askJson = async (path, parameters) => (await ask(path, parameters)).json();
export const askBuffer = async (path, parameters) => (await ask(path, parameters)).arrayBuffer();
export const askArrays = async (path, parameters) => decode(await askBuffer(path, parameters));

// With the token of the page's own address: without it the server does nothing.
export async function tell(path, parameters, body) {
  const token = new URLSearchParams(location.search).get('token') ?? '';
  const reply = await fetch(`${path}?${new URLSearchParams(parameters)}`, { method: 'POST', headers: { 'X-Token': token }, body });
  if (!reply.ok) throw new Error((await reply.text()).trim());
}

// Frames by number and colour, the last few of them kept; a frame that is asked for twice at once is fetched once.
export class Frames {
  constructor(mostBytes = 256 << 20) {
    this.most = mostBytes;
    this.kept = new Map();
  }
  clear() {
    this.kept.clear();
  }
  get(number, colour) {
    const key = `${number} ${colour}`;
    let entry = this.kept.get(key);
    if (!entry) {
      entry = { bytes: 0 };
      entry.buffer = askBuffer('/api/frame', { n: number, colour }).then((buffer) => {
        entry.bytes = buffer.byteLength;
        return buffer;
      });
      entry.buffer.catch(() => this.kept.delete(key));
    }
    this.kept.delete(key);
    this.kept.set(key, entry);
    let sum = 0;
    for (const one of this.kept.values()) sum += one.bytes;
    for (const [old, one] of this.kept) {
      if (sum <= this.most || this.kept.size <= 2) break;
      sum -= one.bytes;
      this.kept.delete(old);
    }
    return entry.buffer;
  }
}
