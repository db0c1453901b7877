// The layout of a value: its tile by lane, warp or register, and both sides of a conversion.
import {h, empty, twin, format, plural} from '../ui/dom.js';
import {Tile} from '../ui/tile.js';
import {travel} from '../model/layout.js';

const modes = ['lane', 'warp', 'register'];
const largest = 2 ** 18; // elements that are painted

function valueChoice(state, drawn) {
  const {report} = state;
  const groups = new Map();
  drawn.forEach(number => {
    const value = report.values[number];
    if (!groups.has(value.stage)) groups.set(value.stage, []);
    groups.get(value.stage).push(h('option', {value: number},
      `${report.valueName(value)}  ${report.valueType(value)}  ${value.place >= 0 ? report.nameOf(value.place) : ''}`));
  });
  return h('select', {'aria-label': 'Value'}, [...groups].map(([stage, options]) => h('optgroup', {label: report.stages[stage]?.name ?? ''}, options)));
}

/** Returns the values that have a picture, once a place and layout. */
function drawnValues(report) {
  const seen = new Set();
  return report.values.map((_, number) => number).filter(number => {
    const value = report.values[number];
    const layout = report.layouts[value.layout];
    if (!layout || layout.outs.reduce((bits, axis) => bits + axis[1], 0) > Math.log2(largest)) return false;
    const key = `${value.stage}|${value.name || value.ssa}|${value.place}|${value.layout}`;
    return !seen.has(key) && seen.add(key);
  });
}

function basesTable(layout) {
  const rows = [];
  let row = 0;
  for (const [name, bits] of layout.ins)
    for (let bit = 0; bit < bits; ++bit, ++row) rows.push([`${name} ${2 ** bit}`, `(${layout.bases[row].join(', ')})`]);
  return rows;
}

function cellRows(tile) {
  return Array.from({length: tile.rows * tile.columns}, (_, number) => {
    const at = `(${tile.coordinates(number).join(', ')})`;
    if (tile.isMemory) return [at, String(tile.offsets.get(number) ?? 'none')];
    return [at, tile.holders(number).slice(0, 8).map(({thread, register}) => `T${thread}:${register}`).join(' ') || '-'];
  });
}

/** Makes the view. */
export function layoutView(state) {
  const {report} = state;
  const drawn = drawnValues(report);
  if (!drawn.length) return {element: empty('Layouts', 'No value of this kernel has a layout.'), panes: [], update() {}, shown() {}};
  const choice = valueChoice(state, drawn);
  const buttons = modes.map(mode => h('button', {type: 'button', 'aria-pressed': 'false', onclick: () => setMode(mode)}, mode));
  const conversionChoice = h('select', {'aria-label': 'Conversion'});
  const readout = h('p.readout', {'aria-live': 'polite'});
  const sentence = h('p.dim');
  const pictures = h('div.tiles');
  const behind = h('div');
  const element = h('div.picture.layout', null,
    h('div.bar-of-tools', null, choice, h('span.switch', {role: 'group', 'aria-label': 'Colour by'}, buttons), conversionChoice), readout, sentence, pictures, behind);
  let tiles = [], mode = 'lane', number = -1, conversion;

  choice.addEventListener('change', () => { conversion = undefined; show(Number(choice.value)); });
  conversionChoice.addEventListener('change', () => {
    conversion = report.conversions[Number(conversionChoice.value)];
    show(number);
  });

  function setMode(wanted) {
    mode = wanted;
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(modes[i] === mode)));
    tiles.forEach(tile => { if (!tile.isMemory) tile.mode = mode; });
    paint();
  }

  function show(wanted) {
    number = wanted;
    choice.value = String(number);
    const here = report.conversions.map((entry, i) => [entry, i]).filter(([entry]) => entry[3] === number || entry[4] === number);
    conversionChoice.hidden = !here.length;
    conversionChoice.replaceChildren(h('option', {value: -1}, 'this value alone'), ...here.map(([entry, i]) =>
      h('option', {value: i, selected: entry === conversion}, `conversion, ${report.nameOf(entry[0])}, by ${entry[5]}`)));
    const sides = conversion ? [conversion[3], conversion[4]] : [number];
    const names = conversion ? ['from', 'to'] : [''];
    tiles = sides.map((side, i) => new Tile(report.layouts[report.values[side].layout],
      {label: `${names[i]} ${report.valueName(report.values[side])} ${report.valueType(report.values[side])}`.trim(), changed}));
    pictures.replaceChildren(...tiles.map((tile, i) => h('figure', null, h('figcaption', null, names[i] && h('span.lead', null, names[i]),
      h('code', null, report.valueName(report.values[sides[i]])), ' ', report.valueType(report.values[sides[i]])), h('div.scroll', null, tile.element))));
    describe(sides, names);
    setMode(mode);
    changed(tiles[0]);
  }

  function describe(sides, names) {
    const value = report.values[sides[0]];
    if (conversion) {
      const counts = travel(tiles[0].layout, tiles[1].layout);
      const all = counts.thread + counts.warp + counts.block;
      sentence.textContent = `Of ${plural(all, 'register')} that the result needs in all threads, ${format(counts.thread)} come from the thread itself, ` +
        `${format(counts.warp)} from its warp, ${format(counts.block)} from other warps.`;
    } else sentence.textContent = `${plural(value.registers, 'register')} of a thread, after ${value.op ?? value.ssa} in stage ${report.stages[value.stage]?.name}.`;
    behind.replaceChildren(...tiles.map((tile, i) => h('div.twins', null,
      twin(`Bases of ${report.valueName(report.values[sides[i]])}`, ['input bit', 'adds to the coordinates'], basesTable(tile.layout), `${names[i]} bases as a table`.trim()),
      lazyTwin(tile, report.valueName(report.values[sides[i]]), `${names[i]} cells as a table`.trim()))));
  }

  /** The table of all cells is long: it is made when it is opened. */
  function lazyTwin(tile, name, title) {
    const details = h('details', {class: 'twin cells'}, h('summary', null, title));
    details.addEventListener('toggle', () => {
      if (!details.open || details.children.length > 1) return;
      const made = twin(`Cells of ${name}`, ['element', tile.isMemory ? 'offset' : 'holders, thread:register'], cellRows(tile));
      details.append(made.lastChild);
    });
    return details;
  }

  function changed(tile) {
    tiles.forEach(other => { if (other !== tile && other.rows * other.columns > tile.at) other.at = tile.at; });
    readout.textContent = tiles.map((each, i) => `${tiles.length > 1 ? ['from ', 'to '][i] : ''}${each.spoken()}`).join(' — ');
    tiles.forEach(each => each.refresh());
  }

  function paint() {
    if (!pictures.clientWidth) return;
    const across = tiles.length > 1 && pictures.clientWidth > 700 ? 2 : 1;
    pictures.classList.toggle('both', across === 2);
    const width = pictures.clientWidth / across - 24, height = Math.max(240, element.clientHeight - 190);
    tiles.forEach(tile => tile.paint(width, height));
  }

  /** Follows the selection: to a value at its places, if the one that is shown is not at them. */
  function update() {
    if (number >= 0 && state.places.has(report.values[number].place)) return;
    const here = drawn.filter(value => state.places.has(report.values[value].place));
    here.sort((a, b) => report.values[b].shape.length - report.values[a].shape.length || Boolean(report.values[b].name) - Boolean(report.values[a].name) || report.values[b].registers - report.values[a].registers);
    if (here.length) conversion = undefined;
    show(here[0] ?? (number >= 0 ? number : largestOf(drawn)));
  }

  const largestOf = list => list.reduce((best, value) => report.values[value].registers > report.values[best].registers ? value : best, list[0]);

  return {element, panes: [], update, repaint: paint, shown: () => { update(); paint(); }, showValue: wanted => { if (drawn.includes(wanted)) { conversion = undefined; show(wanted); } else update(); }};
}
