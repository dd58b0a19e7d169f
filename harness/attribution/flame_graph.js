// Zoom, search and keyboard of a flame graph of tare. Reads what the SVG's attributes say, writes attributes and text.
(function () {
  'use strict';
  const svg = document.currentScript.ownerSVGElement;
  const left = +svg.dataset.left, width = +svg.dataset.width, letter = +svg.dataset.letter;
  const part = (name) => svg.querySelector('.' + name);
  const box = part('search'), input = box.querySelector('input'), found = part('found');
  const reset = part('reset'), details = part('details');
  const frames = Array.from(svg.querySelectorAll('.frame'), (g) => {
    const title = g.querySelector('title').textContent;
    return {
      g, title: title.replace(/\n/g, ' \u00b7 '), name: title.split('\n')[0],
      rect: g.querySelector('rect'), text: g.querySelector('text'),
      from: +g.dataset.from, size: +g.dataset.size, depth: +g.dataset.depth
    };
  });
  const frameOf = new Map(frames.map((frame) => [frame.g, frame]));
  const root = frames[0];
  let zoomed = root, current = root, matches = [];

  const inside = (inner, outer) => inner.from >= outer.from && inner.from + inner.size <= outer.from + outer.size;

  function fit(frame, pixels) {
    const letters = Array.from(frame.name), most = Math.floor((pixels - 6) / letter);
    if (most >= letters.length) return frame.name;
    return most < 3 ? '' : letters.slice(0, most - 1).join('') + '\u2026';
  }

  function zoom(target) {
    zoomed = target;
    for (const frame of frames) {
      const above = frame.depth < target.depth && inside(target, frame);
      const below = frame.depth >= target.depth && inside(frame, target);
      frame.g.classList.toggle('above', above);
      frame.g.style.display = above || below ? '' : 'none';
      if (!above && !below) continue;
      const x = above ? left : left + (frame.from - target.from) / target.size * width;
      const pixels = above ? width : frame.size / target.size * width;
      frame.rect.setAttribute('x', x);
      frame.rect.setAttribute('width', pixels);
      frame.text.setAttribute('x', x + 3);
      frame.text.textContent = fit(frame, pixels);
    }
    reset.style.display = target === root ? 'none' : '';
  }

  function search(text) {
    const wanted = text.toLowerCase();
    matches = wanted ? frames.filter((frame) => frame.name.toLowerCase().includes(wanted)) : [];
    const hit = new Set(matches);
    let end = 0, sum = 0;
    // Below a frame that matches nothing counts twice: sorted by start and depth, the outermost comes first.
    for (const frame of [...matches].sort((a, b) => a.from - b.from || a.depth - b.depth)) {
      if (frame.from < end) continue;
      sum += frame.size;
      end = frame.from + frame.size;
    }
    for (const frame of frames) frame.g.classList.toggle('match', hit.has(frame));
    found.textContent = wanted
      ? matches.length + ' frames, ' + (100 * sum / root.size).toFixed(1) + ' % of the instructions' : '';
  }

  function focus(frame) {
    current.g.setAttribute('tabindex', '-1');
    current = frame;
    current.g.setAttribute('tabindex', '0');
    current.g.focus();
  }

  // Of the frames that are shown the next one in a direction.
  function neighbour(key) {
    const shown = frames.filter((frame) => frame.g.style.display !== 'none');
    const depth = current.depth + (key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0);
    const row = shown.filter((frame) => frame.depth === depth);
    if (key === 'ArrowUp') return row.find((frame) => inside(frame, current));
    if (key === 'ArrowDown') return row.find((frame) => inside(current, frame));
    return row[row.indexOf(current) + (key === 'ArrowRight' ? 1 : -1)];
  }

  function openSearch() {
    box.style.display = '';
    input.focus();
    input.select();
  }

  function closeSearch() {
    input.value = '';
    search('');
    box.style.display = 'none';
    current.g.focus();
  }

  for (const frame of frames) {
    frame.g.addEventListener('click', () => { focus(frame); zoom(frame); });
    frame.g.addEventListener('mouseenter', () => { details.textContent = frame.title; });
    frame.g.addEventListener('focus', () => { details.textContent = frame.title; });
  }
  input.addEventListener('input', () => search(input.value));
  reset.addEventListener('click', () => { zoom(root); focus(root); });
  part('find').addEventListener('click', openSearch);
  svg.addEventListener('keydown', (event) => {
    const typing = event.target === input, key = event.key;
    if ((key === 'f' && (event.ctrlKey || event.metaKey)) || (key === '/' && !typing)) openSearch();
    else if (key === 'Escape' && typing) closeSearch();
    else if (typing) return;
    else if (key === 'Escape') { zoom(root); focus(root); }
    else if (key === 'Enter' && event.target === reset) { zoom(root); focus(root); }
    else if (key === 'Enter' && event.target === part('find')) openSearch();
    else if (key === 'Enter' && frameOf.has(event.target)) zoom(frameOf.get(event.target));
    else if (key.startsWith('Arrow')) { const next = neighbour(key); if (next) focus(next); }
    else return;
    event.preventDefault();
  });
  part('find').style.display = '';
  root.g.setAttribute('tabindex', '0');
  zoom(root);
})();
