// An access of memory as the warp's request meets it: lanes above, sectors or banks below, links between them.
import {h, s, empty, twin, format, plural} from '../ui/dom.js';
import {bankBytes, lanesOf, lanesOfPass, passesOf, sectorsOf} from '../model/banks.js';

const width = 960, lane = {y: 34, height: 26}, below = {y: 196, height: 34};

function lanes(pattern, colourOf) {
  const taking = new Set(lanesOf(pattern).map(entry => entry.lane));
  const step = width / 32;
  return Array.from({length: 32}, (_, number) => s('g', null,
    s('rect', {x: number * step + 1, y: lane.y, width: step - 2, height: lane.height, rx: 3, class: taking.has(number) ? `box ${colourOf(number)}` : 'box off'}),
    s('text', {x: (number + 0.5) * step, y: lane.y + 17, class: taking.has(number) ? 'label' : 'label off'}, String(number))));
}

const link = (number, x, kind, end = below.y) => {
  const from = (number + 0.5) * width / 32, top = lane.y + lane.height, middle = (top + end) / 2;
  return s('path', {d: `M${from} ${top}C${from} ${middle} ${x} ${middle} ${x} ${end}`, class: `link ${kind}`});
};

/** Draws a request of global memory. Sectors that follow each other touch; gaps are left out. */
function sectorPicture(pattern, bytes) {
  const {sectors, least} = sectorsOf(pattern, bytes);
  const gaps = sectors.filter((sector, i) => i > 0 && sector.number !== sectors[i - 1].number + 1).length;
  const gap = gaps ? Math.min(14, width * 0.35 / gaps) : 0, step = Math.min(60, (width - gaps * gap) / sectors.length);
  const total = step * sectors.length + gap * gaps;
  let x = (width - total) / 2;
  const boxes = [], links = [], rows = [];
  let free = 0; // where the next label may begin
  sectors.forEach((sector, i) => {
    if (i > 0 && sector.number !== sectors[i - 1].number + 1) {
      if (gap >= 8) boxes.push(s('text', {x: x + gap / 2, y: below.y + 20, class: 'label'}, '⋯'));
      x += gap;
    }
    const share = sector.used.size / 32;
    boxes.push(s('rect', {x: x + 0.5, y: below.y, width: step - 1, height: below.height, rx: 2, class: share < 1 ? 'box waste' : 'box least'}),
      s('rect', {x: x + 0.5, y: below.y + below.height * (1 - share), width: step - 1, height: below.height * share, rx: 2, class: 'box least'}));
    const label = `+${sector.number * 32}`, half = label.length * 3;
    if (x + step / 2 - half >= free) {
      boxes.push(s('text', {x: x + step / 2, y: below.y + below.height + 15, class: 'label under'}, label));
      free = x + step / 2 + half + 6;
    }
    for (const number of sector.lanes) links.push(link(number, x + step / 2, share < 1 ? 'over' : 'fine'));
    rows.push([`+${sector.number * 32}`, `${sector.used.size} of 32`, [...sector.lanes].join(' ')]);
    x += step;
  });
  const text = sectors.length > least ? `${plural(sectors.length, 'sector')} for what would fit into ${format(least)}` : `${plural(sectors.length, 'sector')}, as few as possible`;
  return {shapes: [links, lanes(pattern, () => 'lane'), boxes], text, unit: 'sectors of 32 bytes, by their offset', over: sectors.length > least,
    table: [['sector', 'bytes used', 'lanes'], rows]};
}

/** Draws a request of shared memory: words of one pass are in one row, those that have to wait lie below it. */
function bankPicture(pattern, bytes, group) {
  const groups = passesOf(pattern, bytes);
  const shown = groups.find(entry => entry.group === group) ?? groups[0];
  const step = width / 32, high = 22, passes = groups.reduce((sum, entry) => sum + entry.passes, 0);
  const boxes = [], links = [], late = new Set();
  for (const word of shown.words) {
    if (word.pass > 0) word.lanes.forEach(number => late.add(number));
    if (word.pass < 8) {
      boxes.push(s('rect', {x: word.bank * step + 1, y: below.y + word.pass * high, width: step - 2, height: high - 2, rx: 3, class: word.pass ? 'box conflict' : 'box least'}),
        s('text', {x: (word.bank + 0.5) * step, y: below.y + word.pass * high + 14, class: 'label tiny'}, `+${word.word * bankBytes}`));
    }
    for (const number of word.lanes) links.push(link(number, (word.bank + 0.5) * step, word.pass ? 'over' : 'fine', below.y - 15));
  }
  const used = new Set(shown.words.map(word => word.bank));
  for (let bank = 0; bank < 32; ++bank) {
    if (!used.has(bank)) boxes.push(s('rect', {x: bank * step + 1, y: below.y, width: step - 2, height: high - 2, rx: 3, class: 'box off'}));
    boxes.push(s('text', {x: (bank + 0.5) * step, y: below.y - 5, class: 'label under'}, String(bank)));
  }
  const members = new Set(shown.words.flatMap(word => word.lanes));
  const alone = {...pattern, mask: [...members].reduce((mask, number) => (mask | 1 << number) >>> 0, 0)};
  const rows = groups.flatMap(entry => entry.words.map(word => [`${entry.group}`, `${word.bank}`, `${word.pass + 1}`, `+${word.word * bankBytes}`, word.lanes.join(' ')]));
  const text = passes > groups.length ? `${plural(passes, 'pass', 'passes')} over the banks, ${format(groups.length)} without conflicts` :
    `${plural(passes, 'pass', 'passes')} over the banks, without conflicts`;
  return {shapes: [links, lanes(alone, number => late.has(number) ? 'late' : 'lane'), boxes], text, unit: 'banks of 4 bytes; lower rows wait for a pass of their own',
    over: passes > groups.length, groups, height: Math.min(8, shown.passes) * high, table: [['lanes\' group', 'bank', 'pass', 'word', 'lanes'], rows]};
}

/** Makes the view. */
export function memoryView(state) {
  const {report} = state;
  const {accesses} = report;
  if (!accesses.length)
    return {element: empty('Memory', report.hasRun ? 'This run touched no memory.' : 'Patterns of memory come from a run: `tegula explain` with `--grid` and `--arg`.'), panes: [], update() {}, shown() {}};
  const order = accesses.map((_, i) => i).sort((a, b) => accesses[a].ptxLine - accesses[b].ptxLine);
  const choice = h('select', {'aria-label': 'Access'}, order.map(i => h('option', {value: i}, title(accesses[i]))));
  const patterns = h('select', {'aria-label': 'Pattern'}), groups = h('select', {'aria-label': 'Group of lanes'});
  const head = h('p.readout', {'aria-live': 'polite'}), figure = h('figure'), numbers = h('div'), behind = h('div');
  const element = h('div.picture.memory', null, h('div.bar-of-tools', null, choice, patterns, groups), head, figure, numbers, behind);
  let number = -1;
  choice.addEventListener('change', () => { number = Number(choice.value); state.select([accesses[number].place], 'memory'); fillPatterns(); });
  patterns.addEventListener('change', () => draw());
  groups.addEventListener('change', () => draw());

  function title(access) {
    const ratio = access.unitsLeast && access.units > access.unitsLeast ? `, ${format(Math.round(access.units / access.unitsLeast * 10) / 10)}×` : '';
    return `${report.nameOf(access.place)}  ${access.space} ${access.op}, PTX ${access.ptxLine}${ratio}`;
  }

  function fillPatterns() {
    const access = accesses[number];
    choice.value = String(number);
    patterns.replaceChildren(...access.patterns.map((pattern, i) => h('option', {value: i}, `pattern ${i + 1} of ${access.patterns.length}, ${format(pattern.count)} times`)));
    groups.value = '';
    draw();
  }

  function draw() {
    const access = accesses[number], pattern = access.patterns[Number(patterns.value) || 0];
    if (!pattern) { tellWithout(access); return; }
    patterns.hidden = false;
    const isGlobal = access.space === 'global';
    const picture = isGlobal ? sectorPicture(pattern, access.bytesPerLane) : bankPicture(pattern, access.bytesPerLane, Number(groups.value) || 0);
    groups.hidden = isGlobal || picture.groups.length < 2;
    if (!isGlobal && groups.childElementCount !== picture.groups.length)
      groups.replaceChildren(...picture.groups.map(({group, passes}) => h('option', {value: group}, `lanes ${lanesIn(access, group)}: ${plural(passes, 'pass', 'passes')}`)));
    head.replaceChildren(h('span', {class: picture.over ? 'verdict over' : 'verdict fine'}, h('i', {'aria-hidden': 'true'}, picture.over ? '▲ ' : '✓ '), picture.text),
      h('span.dim', null, `  ${plural(access.bytesPerLane, 'byte')} a lane, ${plural(lanesOf(pattern).length, 'lane')}`));
    const foot = below.y + Math.max(isGlobal ? below.height + 36 : 0, (picture.height ?? 0) + 18), height = foot + 8;
    figure.replaceChildren(s('svg.requests', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${access.space} ${access.op} of one warp: ${picture.text}`},
      s('text', {x: 1, y: 20, class: 'axis'}, 'lanes of the warp'), picture.shapes,
      s('text', {x: 1, y: foot, class: 'axis'}, picture.unit)));
    numbers.replaceChildren(summary(access));
    behind.replaceChildren(twin('The request', ...picture.table));
  }

  /** TMA and its stores have no lanes, so there is nothing to draw. */
  function tellWithout(access) {
    groups.hidden = patterns.hidden = true;
    head.textContent = access.bytesPerLane ? 'No pattern was kept of this access.' : 'Moved by TMA or a matrix unit as a whole: no lane has an address of its own.';
    figure.replaceChildren();
    behind.replaceChildren();
    numbers.replaceChildren(summary(access));
  }

  function lanesIn(access, group) {
    const size = lanesOfPass(access.bytesPerLane);
    return `${group * size}–${(group + 1) * size - 1}`;
  }

  function summary(access) {
    const unit = access.space === 'global' ? 'sectors' : 'passes';
    const possible = access.space === 'global' && access.bytesPerLane > 0 && access.bytesPerLane < 16;
    return h('p.dim', null, `In the run: ${plural(access.requests, 'request')}, ${format(access.units)} ${unit}, ${format(access.unitsLeast)} needed. `,
      possible && `At 16 bytes a lane one request would do the work of ${format(16 / access.bytesPerLane)}.`);
  }

  /** Follows the selection: to its access that wastes most, if the one that is shown is not at its places. */
  function update() {
    if (number >= 0 && state.places.has(accesses[number].place)) return;
    const waste = access => access.units - access.unitsLeast;
    const here = order.filter(i => state.places.has(accesses[i].place));
    const from = here.length ? here : number >= 0 ? [number] : order;
    const better = (i, best) => waste(accesses[i]) > waste(accesses[best]) || (accesses[i].patterns.length > 0 && !accesses[best].patterns.length);
    number = from.reduce((best, i) => better(i, best) ? i : best, from[0]);
    fillPatterns();
  }
  return {element, panes: [], update, shown: update};
}
