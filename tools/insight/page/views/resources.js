// Resources of a block and of a multiprocessor: occupancy, shared memory by address and lifetime, registers.
import {h, s, twin, table, format, plural, bytes} from '../ui/dom.js';
import {placeLink} from '../ui/inspector.js';

const width = 960;

function occupancy(resources) {
  const {occupancy: facts} = resources;
  if (!facts) return undefined;
  const limits = Object.entries(facts.limits ?? {});
  const most = Math.max(1, ...limits.map(([, blocks]) => blocks));
  const next = Object.entries(facts.nextBlock ?? {}).map(([what, by]) => what === 'registers' ? `${format(Math.abs(by))} registers a thread fewer` : `${bytes(Math.abs(by))} of ${what} memory less`);
  return h('section', null, h('h2', null, facts.blocks ? `${plural(facts.blocks, 'block')} on a multiprocessor` : 'Not one block fits on a multiprocessor'),
    h('p', null, facts.limiters?.length ? `Limited by ${facts.limiters.join(' and ')}. ` : '', next.length > 0 && `One more needs ${next.join(' and ')}.`),
    h('table.data.limits', null, h('caption', null, 'Blocks that each resource allows'), h('tbody', null, limits.map(([what, blocks]) =>
      h('tr', {class: facts.limiters?.includes(what) ? 'limiter' : undefined}, h('th', {scope: 'row'}, what, facts.limiters?.includes(what) && h('span.tag', null, 'limiter')),
        h('td.meter', null, h('span.bar', {'aria-hidden': 'true'}, h('i.least', {css: {width: `${blocks / most * 100}%`}}))), h('td.number', null, format(blocks)))))));
}

function figures(resources) {
  const rows = [];
  const add = (name, value, note) => { if (value !== undefined) rows.push([name, value, note ?? '']); };
  add('registers of a thread', resources.registers, resources.registerLimit ? `of ${resources.registerLimit}` : '');
  add('spilled bytes stored', resources.spillStoreBytes);
  add('spilled bytes loaded', resources.spillLoadBytes);
  add('stack bytes', resources.stackBytes);
  add('shared bytes of a block', resources.sharedBytes, resources.sharedLimit ? `of ${format(resources.sharedLimit)}` : '');
  add('threads of a block', resources.threads);
  add('named barriers', resources.barriers);
  return h('section', null, h('h2', null, 'Resources'), table('Resources of a block and its threads', ['', 'takes', ''], rows));
}

/** Draws pieces of shared memory: downwards by address, to the right by the ops between which they live. */
function sharedMap(state, resources) {
  const pieces = resources.shared ?? [];
  if (!pieces.length) return undefined;
  const {report} = state;
  const end = Math.max(1, resources.sharedBytes, ...pieces.map(piece => piece.offset + piece.bytes));
  const first = Math.min(...pieces.map(piece => piece.from)), last = Math.max(first + 1, ...pieces.map(piece => piece.to));
  const left = 76, top = 24, height = 260;
  const x = op => left + (op - first) / (last - first) * (width - left - 2), y = at => top + at / end * height;
  const boxes = pieces.map(piece => {
    const wide = Math.max(3, x(piece.to) - x(piece.from)), high = Math.max(2, y(piece.bytes) - top);
    const label = `${piece.what} ${bytes(piece.bytes)}${piece.place >= 0 ? ` · ${report.nameOf(piece.place)}` : ''}`;
    return s('g', {class: `piece ${piece.what === 'buffer' ? 'buffer' : piece.what === 'barriers' ? 'barriers' : 'moment'}${state.places.has(piece.place) ? ' selected' : ''}`, onclick: () => state.select([piece.place], 'resources')},
      s('title', null, label), s('rect', {x: x(piece.from), y: y(piece.offset) + 0.5, width: wide, height: high - 1, rx: 2}),
      high > 15 && wide > label.length * 6.4 && s('text', {x: x(piece.from) + 8, y: y(piece.offset) + Math.min(high / 2 + 4, 18), class: 'label start'}, label));
  });
  const ticks = [...new Set([0, end, ...pieces.map(piece => piece.offset)])].sort((a, b) => a - b);
  let lastY = -20;
  const labels = ticks.map(at => {
    if (at !== end && (y(at) - lastY < 13 || y(end) - y(at) < 13)) return undefined;
    lastY = y(at);
    return s('text', {x: left - 8, y: y(at) + 4, class: 'axis end'}, bytes(at));
  });
  const rows = pieces.map(piece => [piece.what, piece.offset, piece.bytes, `${piece.from} to ${piece.to}`, report.nameOf(piece.place)]);
  return h('section', null, h('h2', null, 'Shared memory'),
    h('figure', null, s('svg.shared', {viewBox: `0 0 ${width} ${top + height + 12}`, role: 'img', 'aria-label': `Shared memory by address and lifetime, ${bytes(end)}`},
      s('text', {x: left, y: 13, class: 'axis'}, 'first op'), s('text', {x: width, y: 13, class: 'axis end'}, 'last op'),
      s('rect', {x: left, y: top, width: width - left - 1, height, class: 'ground'}), labels, boxes)),
    twin('Pieces of shared memory', ['piece', 'offset', 'bytes', 'lives from op to op', 'line'], rows));
}

function pressurePicture(state) {
  const {report} = state;
  const {pressure} = report.document;
  if (!pressure?.rows?.length) return undefined;
  const {rows, peak} = pressure;
  const stage = report.stages[pressure.stage], text = report.texts.find(entry => entry.key === stage?.name);
  const most = Math.max(1, ...rows.map(row => row[1])), top = 18, height = 150, left = 46;
  const firstLine = rows[0][0], lastLine = Math.max(rows.at(-1)[0], firstLine + 1);
  const x = line => left + (line - firstLine) / (lastLine - firstLine) * (width - left - 8), y = registers => top + height - registers / most * height;
  let path = `M${x(firstLine)} ${y(0)}`, before = 0;
  for (const [line, registers] of rows) {
    path += `L${x(line)} ${y(before)}L${x(line)} ${y(registers)}`;
    before = registers;
  }
  path += `L${x(lastLine)} ${y(before)}L${x(lastLine)} ${y(0)}Z`;
  const marks = rows.filter(([line]) => (text?.placesOf.get(line) ?? []).some(place => state.places.has(place)));
  const holders = (peak?.holders ?? []).map(([number, registers]) => [report.values[number], registers]).filter(([value]) => value);
  return h('section', null, h('h2', null, 'Registers that tensors hold'),
    h('p', null, `${plural(peak?.registers ?? most, 'register')} of a thread at the peak`, peak?.place >= 0 && [', ', placeLink(state, peak.place)], '. From layouts and live ranges in this stage, before the assembler decides.'),
    h('figure', null, s('svg.pressure', {viewBox: `0 0 ${width} ${top + height + 24}`, role: 'img', 'aria-label': `Registers by line of stage ${stage?.name}, at most ${most}`},
      s('path', {d: path, class: 'area'}), marks.map(([line]) => s('line', {x1: x(line), x2: x(line), y1: top, y2: top + height, class: 'here'})),
      s('line', {x1: left, x2: width - 8, y1: top + height, y2: top + height, class: 'edge'}),
      [0, most].map(value => s('text', {x: left - 6, y: y(value) + 4, class: 'axis end'}, String(value))),
      s('text', {x: left, y: top + height + 17, class: 'axis'}, `${stage?.name}, line ${firstLine}`), s('text', {x: width - 8, y: top + height + 17, class: 'axis end'}, `line ${lastLine}`))),
    holders.length > 0 && table('Held at the peak', ['value', 'type', 'registers', 'line'], holders.map(([value, registers]) => [h('code', null, report.valueName(value)), report.valueType(value), registers, placeLink(state, value.place)])),
    twin('Registers by line', ['line', 'registers'], rows.map(([line, registers]) => [`${line}`, registers])));
}

function configs(report) {
  const list = report.document.configs;
  if (!list?.length) return undefined;
  const rows = list.map(config => {
    const {resources} = config;
    if (!resources) return [config.number, config.text, h('span.over', null, config.error ?? 'not compiled'), '', '', ''];
    return [config.number, config.text, config.error ?? 'fits', resources.registers ?? '', resources.sharedBytes, `${resources.occupancy.blocks}, ${resources.occupancy.limiters.join(', ')}`];
  });
  return h('section', null, h('h2', null, 'Configs'), h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'Configs'}, table('Configs of the kernel', ['number', 'config', '', 'registers', 'shared bytes', 'blocks, limiter'], rows)));
}

/** Makes the view. */
export function resourcesView(state) {
  const {report} = state;
  const element = h('div.picture.resources');
  const update = () => element.replaceChildren(...[h('div.pair', null, occupancy(report.resources), figures(report.resources)),
    sharedMap(state, report.resources), pressurePicture(state), configs(report)].filter(Boolean));
  return {element, panes: [], update, shown: update};
}
