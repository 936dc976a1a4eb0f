// The timeline: which frame is shown, playing, marks of events.

const filmSeconds = 8; // a run of a hundred frames or more takes so long at speed 1

export class Player {
  constructor({ range, marks, play, number, speed, show }) {
    Object.assign(this, { range, marks, playButton: play, numberText: number, speed, showFrame: show });
    this.times = [];
    this.at = 0;
    this.playing = false;
    this.atEnd = true; // new frames of a run under way are shown as they come
    range.addEventListener('input', () => this.go(Number(range.value)));
    play.addEventListener('click', () => this.toggle());
  }

  setTimes(times) {
    const first = this.times.length === 0;
    this.times = times;
    this.range.max = Math.max(times.length - 1, 0);
    if (times.length > 0 && (first || (this.atEnd && !this.playing))) this.go(first ? this.wanted ?? times.length - 1 : times.length - 1);
    else this.tellNumber();
  }

  setEvents(events) {
    const known = JSON.stringify(events) + this.times.length;
    if (known === this.knownEvents || this.times.length < 2) return;
    this.knownEvents = known;
    this.events = events.filter((e) => e.kind !== 'stage' || e.at > 0);
    this.marks.replaceChildren(...this.events.map((event) => {
      const mark = document.createElement('button'), frame = this.nearest(event.at);
      mark.type = 'button';
      mark.dataset.kind = event.kind;
      mark.style.left = `${(100 * frame) / (this.times.length - 1)}%`;
      mark.title = mark.ariaLabel = `${event.kind} at ${event.at === event.time ? `${event.time.toPrecision(4)} s` : `step ${event.step}`}: ${event.text}`;
      mark.addEventListener('click', () => this.go(frame));
      return mark;
    }));
  }

  nextEvent() {
    const frames = (this.events ?? []).map((e) => this.nearest(e.at)).sort((a, b) => a - b);
    if (frames.length > 0) this.go(frames.find((n) => n > this.at) ?? frames[0]);
  }

  nearest(time) {
    let best = 0;
    for (let n = 1; n < this.times.length; ++n) if (Math.abs(this.times[n] - time) < Math.abs(this.times[best] - time)) best = n;
    return best;
  }

  go(frame) {
    if (this.times.length === 0) return;
    this.at = Math.min(Math.max(Math.round(frame), 0), this.times.length - 1);
    this.atEnd = this.at === this.times.length - 1;
    this.range.value = this.at;
    this.tellNumber();
    return this.showFrame(this.at);
  }

  tellNumber() {
    this.numberText.textContent = this.times.length > 0 ? `${this.at} of ${this.times.length - 1}` : 'no frames yet';
  }

  toggle() {
    this.playing = !this.playing;
    this.playButton.textContent = this.playing ? '❚❚' : '▶';
    if (!this.playing) return;
    if (this.at === this.times.length - 1) this.at = 0;
    this.run();
  }

  // A frame is shown before the next one is asked for: a slow machine shows fewer, not later ones.
  async run() {
    let before = performance.now(), place = this.at;
    while (this.playing) {
      await this.go(place);
      await new Promise(requestAnimationFrame);
      const now = performance.now(), perSecond = Math.max(this.times.length / filmSeconds, 5) * Number(this.speed.value);
      place += Math.min(((now - before) / 1000) * perSecond, Math.max(1, this.times.length / 20));
      before = now;
      if (place > this.times.length - 1) {
        await this.go(this.times.length - 1);
        this.toggle();
      }
    }
  }
}
