// Arithmetic for each byte of memory, from counts; performance only where a device was measured.
import {h, s, empty, table, format, plural, bytes} from '../ui/dom.js';
import {countFlops} from '../model/flops.js';

const width = 960, left = 84, right = 24, top = 24, bottom = 52;

const intensityText = value => format(value >= 100 ? Math.round(value) : Math.round(value * 100) / 100);

function chart(points, peak, measured) {
  const height = peak ? 380 : 170; // without a roof there is one axis alone
  const lowest = Math.floor(Math.min(-2, ...points.map(point => Math.log2(point.intensity) - 1)));
  const highest = Math.ceil(Math.max(10, ...points.map(point => Math.log2(point.intensity) + 1)));
  const x = intensity => left + (Math.log2(intensity) - lowest) / (highest - lowest) * (width - left - right);
  const ticks = [];
  for (let power = Math.ceil(lowest); power <= highest; power += 2) ticks.push(power);
  const shapes = [];
  let y = () => top + (height - top - bottom) / 2;
  if (peak) {
    const fastest = Math.max(...Object.values(peak.flopsPerSecond)), slowest = peak.bytesPerSecond * 2 ** lowest;
    y = flops => top + (Math.log2(fastest * 2) - Math.log2(flops)) / (Math.log2(fastest * 2) - Math.log2(slowest)) * (height - top - bottom);
    for (const [kind, flops] of Object.entries(peak.flopsPerSecond)) {
      const ridge = flops / peak.bytesPerSecond;
      shapes.push(s('path', {d: `M${x(2 ** lowest)} ${y(slowest)}L${x(ridge)} ${y(flops)}L${x(2 ** highest)} ${y(flops)}`, class: 'roof'}),
        s('text', {x: width - right, y: y(flops) - 6, class: 'label end'}, `${kind}, ${format(flops / 1e12)} Tflop/s; ridge at ${intensityText(ridge)}`));
    }
  }
  points.forEach((point, i) => {
    const at = x(point.intensity), level = measured ? y(point.flopsPerSecond) : height - bottom;
    shapes.push(s('line', {x1: at, x2: at, y1: top + 12 + i * 20, y2: height - bottom, class: `plumb ${point.kind}`}),
      point.kind === 'moved' ? s('circle', {cx: at, cy: level, r: 7, class: 'point moved'}) : s('rect', {x: at - 6, y: level - 6, width: 12, height: 12, class: 'point least'}),
      s('text', {x: at + (i % 2 ? 10 : -10), y: top + 22 + i * 20, class: i % 2 ? 'label start' : 'label end'}, `${point.name}: ${intensityText(point.intensity)}`));
  });
  return s('svg.roofline', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': points.map(point => `${point.name}: ${intensityText(point.intensity)} flop a byte`).join('; ')},
    ticks.map(power => [s('line', {x1: x(2 ** power), x2: x(2 ** power), y1: top, y2: height - bottom, class: 'rule faint'}),
      s('text', {x: x(2 ** power), y: height - bottom + 20, class: 'label'}, power < 0 ? `1/${2 ** -power}` : format(2 ** power))]),
    s('line', {x1: left, x2: width - right, y1: height - bottom, y2: height - bottom, class: 'edge'}),
    s('text', {x: (left + width - right) / 2, y: height - 8, class: 'axis middle'}, 'flop a byte of global memory'), shapes);
}

/** Makes the view. */
export function rooflineView(state) {
  const {roofline, measured} = state.report.document;
  const kinds = roofline?.flops ?? countFlops(state.report.document);
  const flops = Object.values(kinds).reduce((a, b) => a + b, 0);
  const none = (title, text) => ({element: empty(title, text), panes: [], update() {}, shown() {}});
  if (!roofline) return none('Roofline', 'Counts come from a run: `tegula explain` with `--grid` and `--arg`.');
  const rows = [...Object.entries(kinds).map(([kind, count]) => [`flop, ${kind}`, count]), ['bytes moved', roofline.bytesMoved], ['bytes needed', roofline.bytesLeast]];
  const counts = table('Counts of the run', ['', 'count'], rows);
  const seconds = measured?.nsQuantiles?.[2] / 1e9;
  const time = measured && h('p', null, `Measured on ${measured.device}: median ${format(measured.nsQuantiles[2] / 1000)} µs of a launch, fastest ${format(measured.nsQuantiles[0] / 1000)} µs` +
    `${flops ? `; ${format(flops / seconds / 1e12)} Tflop/s` : ''}, ${format(roofline.bytesMoved / seconds / 1e9)} GB/s moved.`);
  const picture = [];
  if (flops && roofline.bytesMoved) {
    const point = (kind, name, count) => ({kind, name, intensity: flops / count, flopsPerSecond: flops / seconds});
    const points = [point('moved', 'as it moved them', roofline.bytesMoved)];
    if (roofline.bytesLeast && roofline.bytesLeast < roofline.bytesMoved) points.push(point('least', 'with the least sectors', roofline.bytesLeast));
    picture.push(h('p.readout', null, `${intensityText(points[0].intensity)} flop a byte: ${plural(flops, 'flop')} for ${bytes(roofline.bytesMoved)} of sectors.`),
      h('figure', null, chart(points, roofline.peak, measured)));
  } else picture.push(h('p.readout', null, flops ? 'The run moved no global memory.' : `No arithmetic in floating point was counted; ${bytes(roofline.bytesMoved)} of sectors were moved, ${bytes(roofline.bytesLeast)} were needed.`));
  if (!roofline.peak) picture.push(h('p.dim', null, 'Peaks of a device are not part of this report, hence no roof: counts are counts.'));
  return {element: h('div.picture', null, h('h2', null, 'Roofline'), picture, time, counts), panes: [], update() {}, shown() {}};
}
