// What keys do. Fields for numbers and lists keep theirs.

export function addKeys({ player, look, fit, choose, page, setTheme, toggle, help }) {
  const step = (e, by) => player.go(player.at + (e.shiftKey ? 10 * by : by));
  const other = (by) => {
    const count = page.model?.nodes ?? 0;
    if (count > 0) choose((Math.max(page.node, by > 0 ? -1 : 0) + by + count) % count);
  };
  const actions = {
    ' ': () => player.toggle(),
    ArrowLeft: (e) => step(e, -1),
    ArrowRight: (e) => step(e, 1),
    Home: () => player.go(0),
    End: () => player.go(player.times.length - 1),
    x: () => look('x'),
    y: () => look('y'),
    z: () => look('z'),
    c: () => look('iso'),
    f: () => fit(),
    n: () => other(1),
    N: () => other(-1),
    g: () => {
      page.following = !page.following && page.node >= 0;
      const box = document.getElementById('follow');
      if (box) box.checked = page.following;
    },
    e: () => player.nextEvent(),
    m: () => toggle('show-moments'),
    d: () => setTheme(),
    '?': () => help.showModal(),
    Escape: () => choose(-1),
  };
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || help.open) return;
    const { tagName, type } = e.target;
    if (tagName === 'SELECT' || (tagName === 'INPUT' && type === 'range' && e.key.startsWith('Arrow'))) return;
    if (e.key === ' ' && (tagName === 'BUTTON' || tagName === 'INPUT') && type !== 'range') return;
    const act = actions[e.key];
    if (!act) return;
    e.preventDefault();
    act(e);
  });
}
