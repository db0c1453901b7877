// Says what is known of the selection: findings and remarks, counts, values, and where it is in the other texts.
import {h, prose, format, plural, table} from './dom.js';

const signs = {missed: '▲', failed: '▲', passed: '✓', analysis: '•'};

/** Returns a button that selects a place. */
export function placeLink(state, place, label) {
  const {report} = state;
  const text = label ?? report.nameOf(place);
  return h('button.link', {type: 'button', title: report.sourceOf(place), onclick: () => state.select([place], 'link')}, text);
}

function because(state, text, cause) {
  const places = [...new Set(cause ?? [])].filter(place => state.report.places[place]);
  if (!text && !places.length) return undefined;
  return h('p', null, h('span.lead', null, 'because'), prose(text),
    places.length > 0 && [' ', places.map(place => [placeLink(state, place), ' '])]);
}

/** Returns a finding as a card. */
export function findingCard(state, finding, isSelected) {
  return h('article', {class: `card finding${isSelected ? ' now' : ''}`},
    h('header', null, h('span.sign', {'aria-hidden': 'true'}, '▲'), h('strong', null, finding.kind), ' ', placeLink(state, finding.place),
      finding.least > 0 && finding.cost > finding.least && h('span.factor', null, `${format(Math.round(finding.cost / finding.least * 10) / 10)}×`)),
    h('p', null, prose(finding.text)),
    because(state, finding.because, finding.cause),
    finding.change && h('p', null, h('span.lead', null, 'change'), prose(finding.change)));
}

function remarkCard(state, remark) {
  const text = state.report.remarkText(remark);
  const metrics = Object.entries(remark.metrics ?? {}).filter(([key]) => key !== 'cause' && key !== 'fix');
  return h('article', {class: `card remark ${remark.kind}`},
    h('header', null, h('span.sign', {'aria-hidden': 'true'}, signs[remark.kind] ?? '•'), h('strong', null, remark.kind), ' ',
      h('span.dim', null, `${remark.pass} · ${remark.name}`)),
    h('p', null, prose(text)),
    remark.reason && remark.reason !== text && remark.reason !== remark.causeText && because(state, remark.reason, []),
    because(state, remark.causeText, remark.cause),
    remark.fix && h('p', null, h('span.lead', null, 'change'), prose(remark.fix.text)),
    metrics.length > 0 && h('p.dim.small', null, metrics.map(([key, value]) => `${key} ${value}`).join(' · ')));
}

/** Returns the facts about a value in words. */
export function factsText(facts) {
  if (!facts) return '';
  const axis = list => list.join('×');
  const parts = [];
  if (facts.constant !== undefined) parts.push(`= ${facts.constant}`);
  if (facts.contiguous?.some(n => n > 1)) parts.push(`${axis(facts.contiguous)} in a row`);
  if (facts.divisible?.some(n => n > 1)) parts.push(`divisible by ${axis(facts.divisible)}`);
  if (facts.constancy?.some(n => n > 1)) parts.push(`alike in ${axis(facts.constancy)}`);
  return parts.join(', ');
}

function values(state, here) {
  const {report} = state;
  const best = new Map();
  report.values.forEach((value, number) => {
    if (!state.places.has(value.place)) return;
    const key = `${value.name || value.op}|${report.valueType(value)}`;
    const known = best.get(key);
    if (!known || (known.value.layout < 0 && value.layout >= 0)) best.set(key, {value, number});
  });
  const list = [...best.values()].sort((a, b) => Boolean(b.value.name) - Boolean(a.value.name) || b.value.registers - a.value.registers).slice(0, 10);
  if (!list.length) return undefined;
  return h('section', null, h('h3', null, 'Values'),
    h('ul.values', null, list.map(({value, number}) => h('li', null,
      h('code', null, report.valueName(value)), ' ', h('span.type', null, report.valueType(value)),
      value.registers > 0 && h('span.dim', null, ` ${plural(value.registers, 'register')}`),
      value.layout >= 0 && [' ', h('button.link', {type: 'button', onclick: () => here.showValue(number)}, `layout, ${report.stages[value.stage]?.name}`)],
      factsText(value.facts) && h('div.dim.small', null, factsText(value.facts))))));
}

function counts(state, cost) {
  const {report} = state;
  const share = cost.instructions / report.total.instructions;
  const rows = [];
  if (cost.instructions) rows.push(['warp instructions', cost.instructions, `${format(share * 100)} %`]);
  if (cost.sectors) rows.push(['sectors moved', cost.sectors, `${format(cost.sectorsLeast)} needed`]);
  if (cost.passes) rows.push(['shared passes', cost.passes, `${format(cost.passesLeast)} needed`]);
  if (cost.barriers) rows.push(['barriers met', cost.barriers, 'by warps']);
  if (cost.registers) rows.push(['registers', cost.registers, 'held by tensors']);
  return rows.length > 0 && table('Counts of this line', ['', 'count', ''], rows, {class: 'data counts'});
}

function whereElse(state, here) {
  const entries = [];
  for (const text of state.report.texts) {
    if (text.file !== undefined && text.file === state.report.mainFile) continue;
    const lines = new Set();
    for (const place of state.places) for (const line of text.linesOf.get(place) ?? []) lines.add(line);
    if (lines.size)
      entries.push(h('li', null, h('button.link', {type: 'button', onclick: () => here.showText(text.key)}, text.title), h('span.dim', null, ` ${plural(lines.size, 'line')}`)));
  }
  return entries.length > 0 && h('section', null, h('h3', null, 'Comes to'), h('ul.inline', null, entries));
}

/**
 * Returns what there is to say of the selection.
 * @param {import('./state.js').State} state
 * @param {{showText: (key: string) => void, showValue: (number: number) => void}} here
 */
export function inspect(state, here) {
  const {report} = state;
  if (!state.places.size && !state.line) return overview(state);
  const findings = report.findings.filter((finding, i) => i === state.finding || state.places.has(finding.place));
  const told = new Set(findings.map(finding => `${finding.place}|${finding.because}`));
  const remarks = report.remarks.filter(remark => state.places.has(remark.place) && !told.has(`${remark.place}|${remark.reason}`));
  remarks.sort((a, b) => (a.kind === 'passed') - (b.kind === 'passed'));
  const source = report.source.lines[state.line - 1]?.trim();
  const cost = report.costOf(report.mainFile, state.line);
  const inlined = [...state.places].map(place => report.chain(place)).find(chain => chain.length > 1);
  return h('div.inspection', null,
    h('h2', null, `Line ${state.line || '—'}`), source && h('pre.snippet', null, source),
    inlined && h('p.dim.small', null, 'by way of ', inlined.slice(0, -1).map(at => [placeLink(state, at), ' '])),
    findings.map(finding => findingCard(state, finding, report.findings.indexOf(finding) === state.finding)),
    remarks.map(remark => remarkCard(state, remark)),
    counts(state, cost), values(state, here), whereElse(state, here),
    !state.places.size && h('p.dim', null, 'No instruction comes from this line.'));
}

function overview(state) {
  const {report} = state;
  if (!report.findings.length)
    return h('div.inspection', null, h('h2', null, 'Findings'), h('p', null, report.hasRun ? 'Nothing was found that costs more than it must.' : 'Nothing was found without a run; `--grid` and `--arg` give counts.'));
  return h('div.inspection', null, h('h2', null, plural(report.findings.length, 'finding')),
    report.findings.map((finding, i) => findingCard(state, finding, i === state.finding)));
}
