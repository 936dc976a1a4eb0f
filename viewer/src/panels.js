// Texts beside the picture: what is known of a node, energies and the ledger, the state of the run.
import { withUnit } from './colours.js';

export function table(rows) {
  const out = document.createElement('table');
  for (const [name, value] of rows) {
    const row = out.insertRow();
    row.insertCell().textContent = name;
    row.insertCell().textContent = value;
  }
  return out;
}

const sizes = ['velocity', 'spin', 'force', 'torque', 'contact_force', 'moment'];
const order = ['position', 'velocity', 'spin', 'force', 'torque', 'contact_force', 'contact_gap', 'contacts', 'moment', 'mass', 'radius', 'orientation'];

function shown(name, { value, unit }) {
  if (name === 'orientation') return value.map((v) => v.toFixed(3)).join(' ');
  if (value.length === 1) return withUnit(value[0], unit === 'kg' ? '1' : unit) + (unit === 'kg' ? ' kg' : '');
  const all = value.map((v) => withUnit(v, unit)).join(', ');
  return sizes.includes(name) ? `${withUnit(Math.hypot(...value), unit)} (${all})` : all;
}

export function nodeTable(name, values) {
  return table([['name', name], ...order.filter((key) => values[key]).map((key) => [key.replace('_', ' '), shown(key, values[key])])]);
}

export function ledgerTable(summary) {
  const rows = [];
  for (const [part, value] of Object.entries(summary?.energy ?? {})) rows.push([part.replace('_', ' '), withUnit(value, 'J')]);
  for (const [part, value] of Object.entries(summary?.ledger ?? {})) rows.push([`ledger: ${part}`, withUnit(value, 'J')]);
  const balance = summary?.energy_balance;
  if (balance) rows.push(['balance', balance.gained === undefined ? balance.followed : withUnit(balance.gained, 'J')]);
  if (rows.length === 0) rows.push(['', 'known when the run has ended']);
  return table(rows);
}

export function duration(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

// "running, 42 %, 12 s left": what is known of how far the run is.
export function statusText(run) {
  if (!run.running) return run.message ? `${run.status}: ${run.message}` : run.status;
  const time = run.times.length > 0 ? run.times[run.times.length - 1] : 0;
  const done = run.progress?.done ?? (run.duration > 0 ? time / run.duration : null);
  const parts = [run.paused ? 'paused' : 'running'];
  if (done !== null) parts.push(`${Math.floor(100 * Math.min(done, 1))} %`);
  if (run.progress?.seconds_left !== undefined) {
    const left = run.progress.seconds_left;
    parts.push(`${duration(left)} left, ends about ${new Date(Date.now() + 1000 * left).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}`);
  }
  return parts.join(', ');
}
