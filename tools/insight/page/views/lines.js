// The source with what each line costs, next to what is known of the selected line.
import {h, format} from '../ui/dom.js';
import {CodePane} from '../ui/codepane.js';
import {inspect} from '../ui/inspector.js';

/** A bar of a cost: the least that it could be, and hatched what goes beyond. */
function bar(value, least, most) {
  const share = n => `${Math.max(n > 0 ? 3 : 0, n / most * 100)}%`;
  return h('span.bar', {'aria-hidden': 'true'}, h('i.least', {css: {width: share(Math.min(value, least))}}),
    value > least && h('i.more', {css: {width: share(value - least)}}));
}

function columnsOf(report) {
  const {total} = report;
  const most = key => Math.max(1, ...[...report.costs].filter(([at]) => at.startsWith(`${report.mainFile}:`)).map(([, cost]) => cost[key]));
  const list = [
    {key: 'instructions', title: 'instr.', long: 'Warp instructions', least: 'instructions', unit: 'warp instructions'},
    {key: 'sectors', title: 'sectors', long: 'Sectors of 32 bytes moved; hatched: more than needed', least: 'sectorsLeast', unit: 'sectors'},
    {key: 'passes', title: 'shared', long: 'Passes over the banks of shared memory; hatched: conflicts', least: 'passesLeast', unit: 'shared passes'},
    {key: 'barriers', title: 'barriers', long: 'Barriers that warps came to', plain: true, unit: 'barriers'},
    {key: 'registers', title: 'regs', long: 'Registers of a thread that tensors hold', plain: true, unit: 'registers'},
  ];
  return list.filter(column => total[column.key] > 0).map(column => ({...column, most: most(column.key)}));
}

function cell(column, cost, total) {
  const value = cost[column.key];
  if (!value) return h('span.cost', {class: `cost ${column.key}`});
  const least = column.least ? cost[column.least] : value;
  const factor = least > 0 && value > least * 1.05 ? value / least : 0;
  let text = column.key === 'instructions' ? `${format(Math.round(value / total * 1000) / 10)}%` : short(value);
  if (factor) text = `${format(Math.round(factor * 10) / 10)}×`;
  const spoken = factor ? `${format(value)} ${column.unit}, ${format(least)} needed` : `${format(value)} ${column.unit}`;
  return h('span', {class: `cost ${column.key}${factor ? ' over' : ''}`, title: spoken},
    !column.plain && bar(value, least, column.most), h('b', {'aria-hidden': 'true'}, text), h('span.spoken', null, `, ${spoken}`));
}

/** Returns 16,384 as `16k`. */
const short = n => n >= 1e6 ? `${format(Math.round(n / 1e5) / 10)}M` : n >= 1e4 ? `${Math.round(n / 1e3)}k` : format(n);

function marks(report, line) {
  const isHere = item => report.chain(item.place).some(at => report.places[at][0] === report.mainFile && report.places[at][1] === line);
  if (report.findings.some(isHere)) return h('span.mark.finding', {title: 'a finding'}, h('i', {'aria-hidden': 'true'}, '▲'), h('span.spoken', null, 'finding, '));
  const remark = report.remarks.find(isHere);
  if (!remark) return h('span.mark');
  const isGood = !report.remarks.some(r => isHere(r) && r.kind !== 'passed');
  return h('span', {class: `mark ${isGood ? 'passed' : 'missed'}`, title: report.remarkText(remark)}, h('i', {'aria-hidden': 'true'}, isGood ? '✓' : '△'), h('span.spoken', null, 'remark, '));
}

/** Makes the view. */
export function linesView(state, here) {
  const {report} = state;
  const columns = columnsOf(report);
  const gutter = line => {
    const cost = report.costOf(report.mainFile, line);
    return [marks(report, line), columns.map(column => cell(column, cost, report.total.instructions))];
  };
  const header = h('div.heading.costed', {'aria-hidden': 'true'}, h('span.number', null, ''), h('span.mark'),
    columns.map(column => h('span', {class: `cost ${column.key}`, title: column.long}, column.title)), h('span.code', null, report.kernel.file ?? ''));
  const pane = new CodePane(state, report.source, {label: 'Source with costs', gutter, header});
  pane.element.classList.add('lines');
  const side = h('aside.side', {'aria-label': 'The selected line', tabindex: 0});
  const element = h('div.split', null, pane.element, side);
  const update = () => {
    pane.mark();
    side.replaceChildren(inspect(state, here));
    side.scrollTop = 0;
  };
  return {element, panes: [pane], update, shown: () => { update(); pane.reveal(); }};
}
