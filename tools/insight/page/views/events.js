// Events of one block on the emulator, warp by warp: marks along the instructions that it executed. These are steps, not time.
import {h, s, table, format, plural} from '../ui/dom.js';

const width = 960, left = 70, lane = 7;

/** Makes the picture of a log of events. */
export function eventsPicture(state, events) {
  const {report} = state;
  const placeOf = new Map(report.document.ptx?.spans ?? []);
  const warps = [...new Set(events.log.map(event => event[0]))].sort((a, b) => a - b);
  const kinds = [...new Set(events.log.map(event => event[2]))].sort((a, b) => a - b);
  const names = kinds.map(kind => events.kinds[kind]);
  const first = events.log.reduce((least, event) => Math.min(least, event[1]), Infinity), last = events.log.reduce((most, event) => Math.max(most, event[1]), 0);
  const zoom = h('select', {'aria-label': 'Part of the run'}, [1, 2, 4, 8, 16, 32].map(part => h('option', {value: part}, part === 1 ? 'the whole run' : `a ${['', '', 'half', '', 'quarter', '', '', '', 'eighth'][part] ?? `${part}th`}`)));
  const start = h('input', {type: 'range', min: 0, max: 1000, value: 0, 'aria-label': 'Start of the part'});
  const figure = h('figure');
  zoom.addEventListener('change', draw);
  start.addEventListener('input', draw);

  function draw() {
    const part = (last - first + 1) / Number(zoom.value);
    const from = first + (last - first + 1 - part) * Number(start.value) / 1000;
    start.hidden = zoom.value === '1';
    const high = kinds.length * lane + 8;
    const seen = new Set(), shapes = [];
    for (const [warp, step, kind, line] of events.log) {
      if (step < from || step > from + part) continue;
      const x = Math.round(left + (step - from) / part * (width - left - 4)), row = warps.indexOf(warp), column = kinds.indexOf(kind);
      const key = `${x}|${row}|${column}`;
      const isSelected = state.places.size > 0 && state.places.has(placeOf.get(line));
      if (seen.has(key)) continue;
      seen.add(key);
      shapes.push(s('rect', {x, y: 26 + row * high + column * lane, width: 3, height: lane - 1, class: `event e${column % 8}${isSelected ? ' selected' : ''}`, 'data-line': line}));
    }
    const rows = warps.map((warp, row) => [s('text', {x: 0, y: 26 + row * high + high / 2 + 1, class: 'axis'}, `warp ${warp}`),
      s('line', {x1: left, x2: width, y1: 23 + row * high, y2: 23 + row * high, class: 'rule'})]);
    figure.replaceChildren(s('svg.events', {viewBox: `0 0 ${width} ${30 + warps.length * high}`, role: 'img', 'aria-label': `Events of ${plural(warps.length, 'warp')} along the instructions of the block`},
      s('text', {x: left, y: 14, class: 'axis'}, `instruction ${format(Math.round(from))} of the launch`), s('text', {x: width, y: 14, class: 'axis end'}, `${format(Math.round(from + part))}`), rows, shapes),
      h('figcaption.legend', null, names.map((name, i) => h('span.key', null, s('svg', {width: 8, height: 14, 'aria-hidden': 'true'}, s('rect', {width: 5, height: 14, class: `event e${i % 8}`})), name))));
  }
  figure.addEventListener('click', event => {
    const line = Number(event.target.dataset?.line);
    if (line && placeOf.get(line) >= 0) { state.select([placeOf.get(line)], 'events'); draw(); }
  });
  draw();
  state.listen(what => { if (what === 'selection' && figure.isConnected) draw(); });
  const counts = warps.map(warp => [`warp ${warp}`, ...kinds.map(kind => events.log.filter(event => event[0] === warp && event[2] === kind).length)]);
  return h('section', null, h('h2', null, `Block (${events.block.join(', ')}) on the emulator`),
    h('p.dim', null, `In the order in which it executed instructions; no time is meant. ${events.dropped ? `${format(events.dropped)} later events were not kept.` : ''}`),
    h('div.bar-of-tools', null, zoom, start), figure,
    h('details.twin', null, h('summary', null, 'As a table'), h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'Events by warp'}, table('Events by warp', ['', ...names], counts))));
}
