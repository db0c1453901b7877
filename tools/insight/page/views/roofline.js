// Arithmetic for each byte of memory, from counts, under the roofs of a device; performance only where a device was measured.
import {h, s, empty, table, twin, format, plural, bytes} from '../ui/dom.js';

const width = 960, left = 84, right = 24, top = 24, bottom = 52;

/** @typedef {{letter: string, kind: string, way: 'moved' | 'least', flops: number, bytes: number, intensity: number, peak: number | undefined, flopsPerSecond: number | undefined}} Point */

const intensityText = value => format(value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
const wayText = {moved: 'as it moved them', least: 'with the least sectors'};

/** Returns a rate with its unit: `4.8 TB/s`. */
function rate(number, unit) {
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
  let step = 0;
  while (number >= 1000 && step < prefixes.length - 1) { number /= 1000; ++step; }
  return `${format(Number(number.toPrecision(4)))} ${prefixes[step]}${unit}/s`;
}

/**
 * Returns the points of a run: for each kind of arithmetic its flops for a byte that was moved, and for a byte that was needed
 * where those are fewer.
 * @returns {Point[]}
 */
function pointsOf({flops, bytesMoved, bytesLeast, peak}, seconds) {
  const points = [];
  for (const [kind, count] of Object.entries(flops ?? {}).sort((a, b) => b[1] - a[1]))
    for (const [way, moved] of [['moved', bytesMoved], ['least', bytesLeast]])
      if (count > 0 && moved > 0 && (way === 'moved' || moved < bytesMoved))
        points.push({letter: String.fromCharCode(65 + points.length % 26), kind, way, flops: count, bytes: moved, intensity: count / moved, peak: peak?.flopsPerSecond?.[kind], flopsPerSecond: seconds > 0 ? count / seconds : undefined});
  return points;
}

/** Returns kinds with one peak together, the highest first: [rate, kinds]. */
function roofsOf(peak) {
  const roofs = new Map();
  for (const [kind, flops] of Object.entries(peak.flopsPerSecond ?? {}))
    if (flops > 0) roofs.set(flops, [...roofs.get(flops) ?? [], kind]);
  return [...roofs].sort((a, b) => b[0] - a[0]);
}

/** Returns `products of fp16 and bf16` for kinds that are alike. */
const kindsText = kinds => {
  const products = kinds.filter(kind => kind.startsWith('products of ')).map(kind => kind.slice(12));
  return [...kinds.filter(kind => !kind.startsWith('products of ')), products.length > 0 && `products of ${products.join(', ')}`].filter(Boolean).join(', ');
};

/** Returns the scales: from intensities to x, and from rates to y. */
function scalesOf(points, peak, height) {
  const low = Math.floor(Math.min(-2, ...points.map(point => Math.log2(point.intensity) - 1)));
  const ridges = peak ? roofsOf(peak).map(([flops]) => Math.log2(flops / peak.bytesPerSecond) + 2) : [];
  const high = Math.ceil(Math.max(8, ...ridges, ...points.map(point => Math.log2(point.intensity) + 1)));
  const x = intensity => left + (Math.log2(intensity) - low) / (high - low) * (width - left - right);
  if (!peak) return {x, low, high};
  const rates = points.map(point => point.flopsPerSecond).filter(Boolean);
  const fastest = Math.log2(Math.max(...roofsOf(peak).map(([flops]) => flops), peak.bytesPerSecond, ...rates)) + 0.8;
  const slowest = Math.log2(Math.min(peak.bytesPerSecond * 2 ** low, ...rates));
  return {x, low, high, slowest, fastest, y: flops => top + (fastest - Math.log2(flops)) / (fastest - slowest) * (height - top - bottom)};
}

function roofShapes({x, y, low, high}, peak, points) {
  const roofs = roofsOf(peak), steepest = roofs[0]?.[0] ?? peak.bytesPerSecond * 2 ** high;
  const slope = s('path', {d: `M${x(2 ** low)} ${y(peak.bytesPerSecond * 2 ** low)}L${x(steepest / peak.bytesPerSecond)} ${y(steepest)}`, class: 'roof mine'});
  const angle = Math.atan2(y(2 * peak.bytesPerSecond) - y(peak.bytesPerSecond), x(2) - x(1)) * 180 / Math.PI;
  const at = [x(2 ** (low + 1)), y(peak.bytesPerSecond * 2 ** (low + 1)) - 8];
  return [slope, roofs.map(([flops, kinds]) => s('path', {d: `M${x(flops / peak.bytesPerSecond)} ${y(flops)}H${x(2 ** high)}`, class: `roof${kinds.some(kind => points.some(point => point.kind === kind)) ? ' mine' : ''}`})),
    roofs.map(([flops, kinds]) => s('text', {x: width - right, y: y(flops) - 5, class: 'label end halo'}, `${kindsText(kinds)}: ${rate(flops, 'flop')}`)),
    s('text', {x: at[0], y: at[1], class: 'label start', transform: `rotate(${angle} ${at[0]} ${at[1]})`}, `memory: ${rate(peak.bytesPerSecond, 'B')}`)];
}

/** Returns the marks of the points: on the axis, or at their performance where that was measured, with a line up to the roof. */
function pointShapes({x, y}, peak, points, height) {
  return points.map((point, i) => {
    const at = x(point.intensity), level = y && point.flopsPerSecond ? y(point.flopsPerSecond) : height - bottom;
    const roof = y ? y(Math.min(point.peak ?? Infinity, peak.bytesPerSecond * point.intensity)) : top + 22 + i % 4 * 16;
    return [s('line', {x1: at, x2: at, y1: roof, y2: height - bottom, class: `plumb ${point.way}`}),
      point.way === 'moved' ? s('circle', {cx: at, cy: level, r: 7, class: 'point moved'}) : s('rect', {x: at - 6, y: level - 6, width: 12, height: 12, class: 'point least'}),
      s('text', {x: at, y: Math.max(12, roof - 8), class: 'label halo strong'}, point.letter)];
  });
}

function chart(points, peak) {
  const height = peak ? 420 : 170; // without a roof there is one axis alone
  const scales = scalesOf(points, peak, height), {x, y, low, high} = scales;
  const ticks = [];
  for (let power = Math.ceil(low / 2) * 2; power <= high; power += 2) ticks.push(power);
  const decades = [];
  if (peak) for (let power = Math.ceil(scales.slowest * Math.log10(2)); 10 ** power <= 2 ** scales.fastest; ++power) decades.push(10 ** power);
  return s('svg.roofline', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': points.map(point => `${point.letter}: ${point.kind}, ${wayText[point.way]}: ${intensityText(point.intensity)} flop a byte`).join('; ')},
    ticks.map(power => [s('line', {x1: x(2 ** power), x2: x(2 ** power), y1: top, y2: height - bottom, class: 'rule faint'}),
      s('text', {x: x(2 ** power), y: height - bottom + 20, class: 'label'}, power < 0 ? `1/${2 ** -power}` : format(2 ** power))]),
    decades.map(flops => [s('line', {x1: left, x2: width - right, y1: y(flops), y2: y(flops), class: 'rule faint'}), s('text', {x: left - 8, y: y(flops) + 4, class: 'axis end'}, rate(flops, 'flop'))]),
    s('line', {x1: left, x2: width - right, y1: height - bottom, y2: height - bottom, class: 'edge'}),
    s('text', {x: (left + width - right) / 2, y: height - 8, class: 'axis middle'}, 'flop a byte of global memory'),
    peak && roofShapes(scales, peak, points), pointShapes(scales, peak, points, height));
}

/** Returns which roof is the lower one over a point, in words. */
function roofText(point, peak) {
  if (!peak) return '';
  if (!point.peak) return 'no peak of this kind is known';
  const ridge = point.peak / peak.bytesPerSecond;
  return point.intensity < ridge ? `memory, up to ${intensityText(ridge)}` : `${point.kind}, from ${intensityText(ridge)}`;
}

function legend(points, peak) {
  return h('figcaption', null, h('ul.points', null, points.map(point => h('li', null, h('b', null, point.letter), ` ${point.kind}, ${wayText[point.way]}: ${intensityText(point.intensity)} flop a byte`,
    peak && h('span.dim', null, `; the lower roof: ${roofText(point, peak)}`)))));
}

function tables(points, peak) {
  const roofs = peak && [['memory', rate(peak.bytesPerSecond, 'B'), ''], ...roofsOf(peak).map(([flops, kinds]) => [kindsText(kinds), rate(flops, 'flop'), intensityText(flops / peak.bytesPerSecond)])];
  return h('div.twins', null,
    twin('Points', ['', 'arithmetic', 'bytes', 'flop', 'bytes', 'flop a byte', 'the lower roof'], points.map(point =>
      [point.letter, point.kind, wayText[point.way], point.flops, point.bytes, intensityText(point.intensity), roofText(point, peak)]), 'Points as a table'),
    roofs && twin(`Roofs: ${peak.from}`, ['roof', 'peak', 'flop a byte at its ridge'], roofs, 'Roofs as a table'));
}

/** Says where the roofs come from, and what they are not. */
function sources(report, peak) {
  if (!peak) return h('p.dim', null, `No peaks of ${report.spec.arch} are known, hence points without roofs: counts are counts.`);
  return h('p.dim', null, `Roofs: ${peak.from}. They bound what a device can do; no time is predicted. Bytes are those that instructions move, whichever caches have them: on a device a point may lie further to the right.`);
}

/** Returns what the device's own counters say next to the emulator's, where a launch was measured. */
function deviceCounts(measured, counters) {
  if (!measured?.counts) return measured?.whyNoCounts && h('p.dim', null, `No counters of the device: ${measured.whyNoCounts}`);
  const {counts} = measured;
  const ours = name => counters?.total[counters.columns.indexOf(name)] ?? '';
  return table(`Counts of ${measured.device} (${counts.from})`, ['', 'device', 'emulator'], [
    ['sectors loaded', counts.loadSectors, ours('loadSectors')], ['sectors stored', counts.storeSectors, ours('storeSectors')],
    ['bank conflicts', counts.bankConflicts, ours('bankConflicts')],
    ['instructions of warps', `${counts.instructions} of machine code`, `${ours('warpInstructions')} of PTX`],
    ['bytes read from DRAM', counts.dramBytesRead, ''], ['bytes written to DRAM', counts.dramBytesWritten, '']]);
}

/** Makes the view. */
export function rooflineView(state) {
  const {roofline, measured} = state.report.document;
  const none = (title, text) => ({element: empty(title, text), panes: [], update() {}, shown() {}});
  if (!roofline) return none('Roofline', 'Counts come from a run: `tegula explain` with `--grid` and `--arg`.');
  const peak = roofline.peak?.bytesPerSecond > 0 ? roofline.peak : undefined;
  const flops = Object.values(roofline.flops ?? {}).reduce((a, b) => a + b, 0);
  const seconds = measured?.nsQuantiles?.[2] / 1e9;
  const points = pointsOf(roofline, seconds);
  const counts = table('Counts of the run', ['', 'count'], [...Object.entries(roofline.flops ?? {}).map(([kind, count]) => [`flop, ${kind}`, count]), ['bytes moved', roofline.bytesMoved], ['bytes asked for', roofline.bytesLeast]]);
  const time = measured && h('p', null, `Measured on ${measured.device}: median ${format(measured.nsQuantiles[2] / 1000)} µs of a launch, fastest ${format(measured.nsQuantiles[0] / 1000)} µs` +
    `${flops ? `; ${rate(flops / seconds, 'flop')}` : ''}, ${rate(roofline.bytesMoved / seconds, 'B')} moved.`);
  const picture = points.length ? [h('p.readout', null, `${intensityText(points[0].intensity)} flop of ${points[0].kind} a byte: ${plural(points[0].flops, 'flop')} for ${bytes(points[0].bytes)} of sectors.`),
    h('figure', null, chart(points, peak), legend(points, peak), tables(points, peak))]
    : h('p.readout', null, flops ? 'The run moved no global memory.' : `No arithmetic in floating point was counted; ${bytes(roofline.bytesMoved)} of sectors were moved, ${bytes(roofline.bytesLeast)} were needed.`);
  return {element: h('div.picture', null, h('h2', null, 'Roofline'), picture, sources(state.report, peak), time, counts, deviceCounts(measured, state.report.document.counters)), panes: [], update() {}, shown() {}};
}
