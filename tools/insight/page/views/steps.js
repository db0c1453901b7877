// One iteration of a loop: a row of steps for each group of warps, and arrows from what fills or frees a slot to the wait for
// it. Steps follow each other; no time is meant.
import {h, s, twin, format, plural} from '../ui/dom.js';
import {placeLink} from '../ui/inspector.js';

const left = 150, widest = 104, narrowest = 66, box = 36, between = 92;

/** @typedef {{place: number, kind: string, group: number, op: string, count: number, column: number, x: number, y: number}} Step */
/** @typedef {{from: number, to: number, kind: string, later: number}} Signal */

/** Returns the groups of warps as words. */
const warpsText = group => group.warps === undefined ? '' : group.warps === 1 ? `warp ${group.firstWarp}` : `warps ${group.firstWarp}–${group.firstWarp + group.warps - 1}`;
const groupsOf = loop => loop.groups?.length ? loop.groups : [{name: 'all'}];
const nameOf = group => group.name === 'all' ? 'all warps' : group.name ?? 'warps';

/**
 * Returns the steps of an iteration, equal ones that follow each other as one, and the signals between them.
 * @returns {{steps: Step[], signals: Signal[]}}
 */
function iterationOf(loop) {
  const steps = [], numbers = [], groups = groupsOf(loop).length;
  for (const [place, kind, , , group = 0, op = ''] of loop.ops ?? []) {
    const last = steps.at(-1);
    if (last && last.kind === kind && last.place === place && last.group === group && last.op === op) ++last.count;
    else steps.push({place, kind, group: Math.min(group, groups - 1), op, count: 1, column: 0});
    numbers.push(steps.length - 1);
  }
  const signals = new Map();
  for (const {from, to, kind, later} of loop.signals ?? [])
    if (numbers[from] !== undefined && numbers[to] !== undefined)
      signals.set(`${numbers[from]} ${numbers[to]} ${kind} ${later}`, {from: numbers[from], to: numbers[to], kind, later});
  return {steps, signals: [...signals.values()]};
}

/** Gives each step a column: behind those before it in its row, and behind what it waits for in the same iteration. */
function setColumns(steps, signals) {
  for (let round = 0, isSettled = false; round < steps.length && !isSettled; ++round) {
    isSettled = true;
    steps.forEach((step, i) => {
      const before = steps.slice(0, i).findLast(other => other.group === step.group);
      const waited = signals.filter(signal => signal.to === i && signal.later === 0 && signal.from < i).map(signal => steps[signal.from].column + 1);
      const column = Math.max(before ? before.column + 1 : 0, ...waited);
      if (column !== step.column) { step.column = column; isSettled = false; }
    });
  }
  return Math.max(0, ...steps.map(step => step.column)) + 1;
}

/** Returns what a step is, in two short lines. */
function wordsOf(step, number, signals) {
  if (step.kind !== 'wait') {
    const what = {'tgpu.barrier_expect': 'expects', 'tgpu.barrier_arrive': 'slot is read', 'tgpu.async_commit': 'group made', 'tgpu.tma_copy': 'TMA', 'tgpu.async_copy': 'cp.async'}[step.op];
    return [step.kind, what ?? (step.count > 1 ? `×${step.count}` : '')];
  }
  const kinds = new Set(signals.filter(signal => signal.to === number).map(signal => signal.kind));
  const what = kinds.has('empty') ? 'until empty' : kinds.has('full') ? 'until full' : {'tgpu.mma_wait': 'for products', 'tgpu.tma_store_wait': 'for stores'}[step.op];
  return ['wait', what ?? ''];
}

/** Draws an arrow from one box to another; `spread` keeps those that end at one box apart, and the last of them is labelled. */
function arrow(from, to, signal, spread, hasLabel) {
  const isSameRow = from.y === to.y, isDown = from.y < to.y;
  const x1 = from.x, x2 = to.x + spread;
  const y1 = isSameRow || !isDown ? from.y : from.y + box, y2 = isSameRow || isDown ? to.y : to.y + box;
  const bend = isSameRow ? -30 - Math.min(34, Math.abs(x2 - x1) / 14) : (y2 - y1) * 0.55;
  const points = isSameRow ? [y1 + bend, y2 + bend] : [y1 + bend, y2 - bend];
  const up = y2 > points[1] ? -1 : 1; // towards where it comes from
  const at = signal.kind === 'empty' ? 0.2 : isSameRow ? 0.5 : 0.7; // where few others cross it
  const along = (a, b, c, d) => (1 - at) ** 3 * a + 3 * at * (1 - at) ** 2 * b + 3 * at ** 2 * (1 - at) * c + at ** 3 * d;
  return s('g', {class: `signal ${signal.kind === 'empty' ? 'empty' : 'full'}`},
    s('path', {d: `M${x1} ${y1}C${x1} ${points[0]} ${x2} ${points[1]} ${x2} ${y2 + up * 5}`}),
    s('path', {class: 'head', d: `M${x2} ${y2}l-4 ${up * 8}h8z`}),
    hasLabel && s('text', {x: along(x1, x1, x2, x2), y: along(y1, points[0], points[1], y2) + 4, class: 'label halo strong'}, `+${format(signal.later)}`));
}

function drawing(state, groups, steps, signals) {
  const shown = groups.filter((_, i) => steps.some(step => step.group === i));
  const columns = setColumns(steps, signals);
  const wide = Math.max(narrowest, Math.min(widest, (960 - left) / columns)), width = Math.max(960, left + columns * wide);
  const hasArcs = signals.some(signal => steps[signal.from].group === steps[signal.to].group);
  const top = hasArcs ? 72 : 12, rowHeight = box + between;
  for (const step of steps) {
    step.x = left + (step.column + 0.5) * wide;
    step.y = top + shown.indexOf(groups[step.group]) * rowHeight;
  }
  const rows = shown.map((group, i) => [
    s('text', {x: 0, y: top + i * rowHeight + 15, class: 'name'}, nameOf(group)), s('text', {x: 0, y: top + i * rowHeight + 31, class: 'axis'}, warpsText(group)),
    group.registers > 0 && s('text', {x: 0, y: top + i * rowHeight + 46, class: 'axis'}, `${group.registers} registers`),
    s('line', {x1: left - 12, x2: width, y1: top + i * rowHeight + box / 2, y2: top + i * rowHeight + box / 2, class: 'rule'})]);
  const boxes = steps.map((step, number) => {
    const [what, more] = wordsOf(step, number, signals);
    return s('g', {class: `step k-${step.kind}${state.places.has(step.place) ? ' selected' : ''}`, 'data-place': step.place},
      s('title', null, state.report.sourceOf(step.place)),
      s('rect', {x: step.x - wide / 2 + 4, y: step.y, width: wide - 8, height: box, rx: 5}),
      s('text', {x: step.x, y: step.y + (more ? 15 : 22), class: 'label'}, step.count > 1 && more !== `×${step.count}` ? `${what} ×${step.count}` : what),
      more && s('text', {x: step.x, y: step.y + 29, class: 'label under'}, more));
  });
  const arrows = signals.map(signal => {
    const same = signals.filter(other => other.to === signal.to), number = same.indexOf(signal);
    return arrow(steps[signal.from], steps[signal.to], signal, (number - (same.length - 1) / 2) * 9, signal.later > 0 && same[number + 1]?.later !== signal.later);
  });
  const spoken = groups.map((group, i) => `${nameOf(group)}: ${steps.flatMap((step, number) => step.group === i ? [wordsOf(step, number, signals).filter(Boolean).join(' ')] : []).join(', ')}`);
  return s('svg.iteration', {viewBox: `0 0 ${width} ${top + shown.length * rowHeight - between + 16}`, role: 'img', 'aria-label': `One iteration. ${spoken.join('. ')}`, css: width > 960 ? {'min-width': `${width}px`} : {}},
    rows, arrows, boxes);
}

/** Returns what ends the wait of a step, in words. */
function waitText(number, steps, signals) {
  return signals.filter(signal => signal.to === number).map(({from, kind, later}) =>
    `step ${from + 1}${later ? `, ${plural(later, 'iteration')} before` : ''}: ${kind === 'empty' ? 'slot is read' : steps[from].kind === 'copy' ? 'slot is filled' : 'bytes are expected'}`).join('; ');
}

/** Makes the picture of one iteration of a loop, and its table; nothing for a loop without steps. */
export function stepsPicture(state, loop) {
  const groups = groupsOf(loop), {steps, signals} = iterationOf(loop);
  if (!steps.length) return undefined;
  const figure = h('figure', null, h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'One iteration'}, drawing(state, groups, steps, signals)),
    signals.length > 0 && h('figcaption.legend', null, key('full', 'fills the slot that is waited for'), signals.some(signal => signal.kind === 'empty') && key('empty', 'frees the slot that is waited for'),
      signals.some(signal => signal.later > 0) && h('span', null, '+n: the wait of n iterations later')),
    twin('Steps of one iteration', ['step', 'warps', 'what', 'op', 'place', 'goes on after'], steps.map((step, number) =>
      [`${number + 1}`, [nameOf(groups[step.group]), warpsText(groups[step.group])].filter(Boolean).join(', '), wordsOf(step, number, signals).filter(Boolean).join(' '), step.op, placeLink(state, step.place), waitText(number, steps, signals)])));
  figure.addEventListener('click', event => {
    const place = Number(event.target.closest?.('.step')?.dataset.place ?? -1);
    if (place >= 0) state.select([place], 'steps');
  });
  return h('section', null, h('h3', null, 'One iteration, step by step'),
    h('p.dim', null, groups.length > 1 ? 'Each group of warps goes through its row by itself, and waits where an arrow ends. Steps, not time.' : 'Steps in their order, not time.'), figure);
}

function key(kind, text) {
  return h('span.key', null, s('svg', {width: 26, height: 10, 'aria-hidden': 'true'}, s('g', {class: `signal ${kind}`}, s('path', {d: 'M1 5H18'}), s('path', {class: 'head', d: 'M25 5l-8 -4v8z'}))), text);
}
