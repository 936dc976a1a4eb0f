// Colours of values and of bodies: those of the pictures that a run draws.

// Lightness rises steadily from indigo to amber.
const rising = [[0.20, 0.12, 0.40], [0.19, 0.31, 0.61], [0.12, 0.49, 0.62], [0.18, 0.65, 0.52], [0.53, 0.76, 0.33], [0.96, 0.77, 0.20]];
// Blue below zero, red above, grey between.
const diverging = [[0.13, 0.29, 0.62], [0.42, 0.60, 0.82], [0.80, 0.80, 0.80], [0.90, 0.55, 0.42], [0.68, 0.14, 0.18]];
export const palette = [[0.22, 0.42, 0.63], [0.84, 0.49, 0.18], [0.27, 0.58, 0.40], [0.69, 0.27, 0.33], [0.50, 0.41, 0.66], [0.49, 0.37, 0.31], [0.20, 0.60, 0.66], [0.62, 0.60, 0.22]];

export function fromRamp(share, isSigned) {
  const ramp = isSigned ? diverging : rising;
  const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
  const i = Math.min(Math.floor(place), ramp.length - 2);
  return ramp[i].map((c, k) => c + (ramp[i + 1][k] - c) * (place - i));
}

export function rampBytes(isSigned, entries = 256) {
  const bytes = new Uint8Array(4 * entries);
  for (let i = 0; i < entries; ++i) bytes.set([...fromRamp(i / (entries - 1), isSigned).map((c) => Math.round(255 * c)), 255], 4 * i);
  return bytes;
}

export const css = (c) => `rgb(${c.map((x) => Math.round(255 * x)).join(' ')})`;
export const bodyColour = (body) => palette[Math.max(body, 0) % palette.length];

const prefixes = { '-4': 'p', '-3': 'n', '-2': 'µ', '-1': 'm', 0: '', 1: 'k', 2: 'M', 3: 'G' };

// "12.3 mm": as people read it. Powers of units (1/m) and numbers without one take no prefix.
export function withUnit(value, unit) {
  if (!Number.isFinite(value)) return `– ${unit}`;
  const plain = unit === '' || unit === '1' || unit.startsWith('1/') || unit.includes('^');
  const third = value === 0 || plain ? 0 : Math.floor(Math.log10(Math.abs(value)) / 3 + 1e-12);
  const shown = unit === '1' ? '' : unit;
  if (!(third in prefixes)) return `${value.toPrecision(4)} ${shown}`.trim();
  const digits = value / 1000 ** third;
  const text = plain && value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6) ? value.toExponential(3) : String(Number(digits.toPrecision(4)));
  return `${text} ${prefixes[third]}${shown}`.trim();
}

// What the colours stand for: a range that grows with what was seen, or that of the frame alone.
export class Scale {
  constructor() {
    this.reset();
  }
  reset() {
    this.seen = null;
    this.now = null;
  }
  look(range, hold) {
    if (!range) {
      this.now = hold ? this.seen : null;
      return;
    }
    this.seen = this.seen ? [Math.min(this.seen[0], range[0]), Math.max(this.seen[1], range[1])] : [...range];
    this.now = hold ? this.seen : range;
  }
  get isSigned() {
    return this.now !== null && this.now[0] < 0 && this.now[1] > 0 && -this.now[0] > 0.05 * this.now[1];
  }
  // Values that have a sign are shown about zero, others from zero where they come near it.
  get bounds() {
    if (!this.now) return [0, 1];
    const [low, high] = this.now;
    if (this.isSigned) {
      const most = Math.max(-low, high);
      return [-most, most];
    }
    const first = low > 0 && low < 0.5 * high ? 0 : low;
    return high > first ? [first, high] : [first, first + (Math.abs(first) || 1)];
  }
}
