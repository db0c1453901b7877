// Loops as they are scheduled: slots of buffers by iteration, the steps of one iteration by groups of warps, and what a block did
// on the emulator.
import {h, s, empty, twin, format, plural, bytes} from '../ui/dom.js';
import {placeLink} from '../ui/inspector.js';
import {eventsPicture} from './events.js';
import {stepsPicture} from './steps.js';

const width = 960, left = 150, rowHeight = 30;

/** @typedef {{buffer: number, slot: number, iteration: number, issued: number, used: number}} Stay */

/** Returns whether no iteration loads into a buffer: it is filled before the loop. */
const isHeld = (buffer, loop) => buffer.slots === 1 && loop.ops?.length > 0 && !loop.ops.some(([place, kind]) => kind === 'copy' && place === buffer.place);

/**
 * Returns how long the data of each iteration stays in its slot: iteration k is loaded while iteration k - ahead runs, and
 * lies in slot k modulo the number of slots.
 * @returns {Stay[]}
 */
function stays(buffers, loop, iterations) {
  const ahead = loop.stages - 1;
  return buffers.flatMap((buffer, number) => isHeld(buffer, loop) ? [] : Array.from({length: iterations}, (_, iteration) =>
    ({buffer: number, slot: iteration % buffer.slots, iteration, issued: iteration - Math.min(ahead, buffer.slots - 1), used: iteration})));
}

function slotsPicture(state, loop) {
  const {report} = state;
  const buffers = loop.buffers ?? [];
  const ahead = loop.stages - 1, iterations = Math.max(4, 2 * loop.stages);
  const steps = iterations + ahead, step = (width - left) / steps;
  const x = at => left + (at + ahead + 0.5) * step;
  const shapes = [], rows = [];
  let y = 34;
  const top = y;
  buffers.forEach((buffer, number) => {
    const name = report.sourceOf(buffer.place).split('=')[0].trim().slice(0, 16) || buffer.ssa || `buffer ${number}`;
    for (let slot = 0; slot < buffer.slots; ++slot) {
      shapes.push(s('text', {x: 0, y: y + 20, class: 'axis'}, slot === 0 ? name : ''), s('text', {x: left - 10, y: y + 20, class: 'label end'}, `slot ${slot}`),
        s('line', {x1: left, x2: width, y1: y + rowHeight / 2, y2: y + rowHeight / 2, class: 'rule'}));
      if (isHeld(buffer, loop)) {
        shapes.push(s('rect', {x: left, y: y + 6, width: width - left, height: rowHeight - 12, rx: 9, class: 'stay'}), s('text', {x: (left + width) / 2, y: y + rowHeight / 2 + 4, class: 'label'}, 'filled before the loop'));
        rows.push([name, `${slot}`, 'all', 'before the loop', 'in every iteration']);
      }
      for (const stay of stays(buffers, loop, iterations)) {
        if (stay.buffer !== number || stay.slot !== slot) continue;
        const from = x(stay.issued), to = x(stay.used);
        shapes.push(s('rect', {x: from - 5, y: y + 6, width: Math.max(10, to - from + 10), height: rowHeight - 12, rx: 9, class: 'stay'}),
          s('circle', {cx: from, cy: y + rowHeight / 2, r: 5, class: 'load'}), s('rect', {x: to - 5, y: y + rowHeight / 2 - 5, width: 10, height: 10, class: 'use'}));
        if (to - from > 46) shapes.push(s('text', {x: (from + to) / 2, y: y + rowHeight / 2 + 4, class: 'label'}, `of ${stay.iteration}`));
        rows.push([name, `${slot}`, `${stay.iteration}`, stay.issued < 0 ? 'before the loop' : `iteration ${stay.issued}`, `iteration ${stay.used}`]);
      }
      y += rowHeight;
    }
    y += 10;
  });
  const columns = Array.from({length: steps}, (_, i) => i - ahead).map(at => [
    s('line', {x1: x(at) - step / 2, x2: x(at) - step / 2, y1: top - 6, y2: y - 8, class: at === 0 ? 'edge' : 'rule faint'}),
    s('text', {x: x(at), y: 22, class: 'label'}, at < 0 ? '' : `${at}`)]);
  const prologue = ahead > 0 && s('text', {x: x(-ahead) - step / 2 + 4, y: 22, class: 'axis'}, ahead * step > 70 ? (loop.groups?.length > 1 ? 'ahead' : 'prologue') : '');
  return h('figure', null, s('svg.slots', {viewBox: `0 0 ${width} ${y + 4}`, role: 'img', 'aria-label': `Slots of ${plural(buffers.length, 'buffer')} over ${iterations} iterations, ${loop.stages} in flight`},
    s('text', {x: 0, y: 22, class: 'axis'}, 'iteration that runs'), columns, prologue, shapes),
    h('figcaption.legend', null, key('load', 'loaded'), key('stay', 'in its slot'), key('use', 'used')),
    twin('Slots by iteration', ['buffer', 'slot', 'data of iteration', 'loaded', 'used'], rows));
}

function key(kind, text) {
  const shape = {load: s('circle', {cx: 8, cy: 8, r: 5, class: 'load'}), use: s('rect', {x: 3, y: 3, width: 10, height: 10, class: 'use'}), stay: s('rect', {x: 0, y: 3, width: 16, height: 10, rx: 5, class: 'stay'})}[kind];
  return h('span.key', null, s('svg', {width: 16, height: 16, 'aria-hidden': 'true'}, shape), text);
}

/** Returns a remark without the name of its pass. */
const told = text => text.replace(/^[\w-]+: /, '').replace('; reason: ', ': ');

function loopPicture(state, loop) {
  const facts = [loop.stages > 1 ? `${format(loop.stages)} iterations in flight` : 'one iteration at a time',
    ...(loop.buffers ?? []).map(buffer => `${plural(buffer.slots, 'slot')} of ${bytes(buffer.bytes / buffer.slots)}`)];
  return [h('h2', null, 'Loop at ', placeLink(state, loop.place)), h('p', null, facts.join(' · ')),
    loop.obstacle && (loop.stages > 1 ? h('p.dim', null, told(loop.obstacle)) : h('p.verdict.over', null, h('i', {'aria-hidden': 'true'}, '▲ '), told(loop.obstacle))),
    (loop.buffers?.length ?? 0) > 0 && slotsPicture(state, loop),
    stepsPicture(state, loop)];
}

/** Makes the view. */
export function loopView(state) {
  const {report} = state;
  const {loops} = report;
  const events = report.document.events?.log?.length ? report.document.events : undefined;
  if (!loops.length && !events) return {element: empty('Loops', 'This kernel has no loop.'), panes: [], update() {}, shown() {}};
  const choice = h('select', {'aria-label': 'Loop'}, loops.map((loop, i) => h('option', {value: i}, `loop at ${report.nameOf(loop.place)}, ${plural(loop.stages, 'stage')}`)));
  const body = h('div');
  const element = h('div.picture.loop', null, loops.length > 1 && h('div.bar-of-tools', null, choice), body, events && eventsPicture(state, events));
  let number = Math.max(0, loops.findIndex(loop => loop.buffers?.length));
  choice.addEventListener('change', () => { number = Number(choice.value); state.select([loops[number].place], 'loop'); draw(); });

  function draw() {
    choice.value = String(number);
    if (loops[number]) body.replaceChildren(...loopPicture(state, loops[number]).flat().filter(Boolean));
  }

  /** Counts what a loop has of the selection; its own place counts the most. */
  const hits = loop => (state.places.has(loop.place) ? 1e6 : 0) + (loop.buffers ?? []).filter(buffer => state.places.has(buffer.place)).length + (loop.ops ?? []).filter(([place]) => state.places.has(place)).length;

  /** Follows the selection: to the loop that has most of it. */
  function update() {
    number = loops.reduce((best, loop, i) => hits(loop) > hits(loops[best]) ? i : best, number);
    draw();
  }
  return {element, panes: [], update, shown: update};
}
