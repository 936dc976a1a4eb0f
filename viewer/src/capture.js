// Pictures and films: the page draws frame after frame and hands each to the program that opened it.
import { tell } from './wire.js';

// The stage with its legend, title and clock, as one picture.
function compose(stage, texts) {
  const source = stage.canvas, picture = document.createElement('canvas');
  picture.width = source.width;
  picture.height = source.height;
  const c = picture.getContext('2d'), scale = source.height / 720;
  c.drawImage(source, 0, 0);
  c.fillStyle = texts.ink;
  c.textBaseline = 'top';
  const write = (text, x, y, size, align, weight = '') => {
    c.font = `${weight} ${size * scale}px system-ui, "DejaVu Sans", sans-serif`;
    c.textAlign = align;
    // Readable on what is drawn there, too.
    c.lineWidth = 4 * scale;
    c.lineJoin = 'round';
    c.strokeStyle = texts.paper;
    c.strokeText(text, x < 0 ? picture.width + x * scale : x * scale, y * scale);
    c.fillText(text, x < 0 ? picture.width + x * scale : x * scale, y * scale);
  };
  write(texts.title, 20, 16, 20, 'left', '600');
  write(texts.clock, -20, 18, 16, 'right');
  texts.legends.forEach(({ name, low, high, ramp }, k) => {
    const y = (texts.title ? 54 : 16) + 64 * k;
    write(name, 20, y, 14, 'left');
    c.drawImage(ramp, 20 * scale, (y + 20) * scale, 180 * scale, 11 * scale);
    write(low, 20, y + 36, 13, 'left');
    write(high, 200, y + 36, 13, 'right');
  });
  return new Promise((done) => picture.toBlob(done, 'image/png'));
}

// frames: their numbers; show: draws one.
export async function capture(stage, frames, show, texts) {
  for (let k = 0; k < frames.length; ++k) {
    await show(frames[k]);
    stage.draw();
    await tell('/api/shot', { n: k }, await compose(stage, texts()));
  }
}
