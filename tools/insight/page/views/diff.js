// Two reports compared: figures, lines that cost more or less, and the texts of a stage.
import {h, table, format} from '../ui/dom.js';
import {Report} from '../model/report.js';
import {readReport} from '../model/unpack.js';
import {alignLines, changes, figures, normalize} from '../model/compare.js';
import {tokenize} from '../model/syntax.js';
import {coloured} from '../ui/codepane.js';

const longest = 3000; // rows of a diff that are shown

const signed = n => n > 0 ? `+${format(n)}` : n < 0 ? `−${format(-n)}` : '0';
const value = n => n === undefined ? '—' : n;

function figuresTable(before, after) {
  return table('Figures', ['', 'before', 'after', 'change'], figures(before, after).map(([name, a, b]) =>
    [name, value(a), value(b), a === undefined || b === undefined ? '' : h('span', {class: a === b ? 'dim' : 'changed'}, signed(b - a))]));
}

function linesTable(state, before, after) {
  const keys = [['instructions', 'instructions'], ['sectors', 'sectors'], ['passes', 'shared passes']];
  const rows = [];
  for (const [a, b] of alignLines(before.source.lines, after.source.lines)) {
    const x = before.costOf(before.mainFile, a), y = after.costOf(after.mainFile, b);
    if (keys.every(([key]) => x[key] === y[key])) continue;
    const text = (b ? after.source.lines[b - 1] : before.source.lines[a - 1]).trim();
    rows.push([b ? h('button.link', {type: 'button', onclick: () => state.selectLine(b, 'diff')}, String(b)) : `(${a})`, h('code', null, text),
      ...keys.map(([key]) => x[key] === y[key] ? '' : `${signed(y[key] - x[key])} (${format(x[key])} → ${format(y[key])})`)]);
  }
  if (!rows.length) return h('p.dim', null, 'No line costs more or less.');
  return h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': 'Lines that changed'}, table('Lines that cost more or less', ['line', 'source', ...keys.map(([, title]) => title)], rows));
}

function textDiff(before, after, key) {
  const a = before.texts.find(text => text.key === key), b = after.texts.find(text => text.key === key);
  if (!a || !b) return h('p.dim', null, `Only one of the reports has ${key}.`);
  const list = changes(a.language === 'python' ? a.lines : normalize(a), b.language === 'python' ? b.lines : normalize(b));
  if (list.every(entry => typeof entry === 'number')) return h('p.dim', null, 'No difference but in names of values.');
  const row = entry => {
    if (typeof entry === 'number') return h('div.skipped', null, `⋯ ${format(entry)} equal lines`);
    const line = entry.sign === '-' ? a.lines[entry.before - 1] : b.lines[entry.after - 1];
    return h('div', {class: `diffrow ${{'+': 'added', '-': 'removed', ' ': 'same'}[entry.sign]}`}, h('span.number', null, entry.before || ''), h('span.number', null, entry.after || ''),
      h('span.sign', null, entry.sign), h('span.code', null, coloured(tokenize(line, b.language).tokens)));
  };
  return h('div.difftext.scroll', {tabindex: 0, role: 'region', 'aria-label': `Differences of ${b.title}`}, list.slice(0, longest).map(row),
    list.length > longest && h('div.skipped', null, `⋯ ${format(list.length - longest)} more rows`));
}

/** Makes the view. */
export function diffView(state) {
  const after = state.report;
  const input = h('input', {type: 'file', accept: '.json,.html', id: 'other-file', onchange: () => open(input.files[0])});
  const picker = h('label.picker', {for: 'other-file'}, 'Compare with a report (.json or .html) ', input);
  const problem = h('p.verdict.over', {role: 'alert'});
  const body = h('div');
  const element = h('div.picture.diff', null, h('h2', null, 'Compare'), picker, problem, body);

  async function open(file) {
    if (!file) return;
    try {
      state.other = new Report(await readReport(await file.text()));
      problem.textContent = '';
      draw();
    } catch (error) {
      problem.textContent = `${file.name}: ${error.message}`;
    }
  }

  function draw() {
    const before = state.other;
    if (!before) {
      body.replaceChildren(h('p.dim', null, 'The report that you choose is taken as what was before; nothing leaves this page.'));
      return;
    }
    const spec = report => `${report.kernel.name} ${report.spec.arch}, ${report.spec.warps} warps, ${report.spec.stages} stages` +
      Object.entries(report.spec.constexprs ?? {}).map(([name, entry]) => ` ${name}=${entry}`).join('');
    const choice = h('select', {'aria-label': 'Text', onchange: () => text.replaceChildren(textDiff(before, after, choice.value))},
      after.texts.map(({key, title}) => h('option', {value: key, selected: key === 'ptx'}, title)));
    const text = h('div', null, textDiff(before, after, choice.value));
    body.replaceChildren(h('dl.specs', null, h('dt', null, 'before'), h('dd', null, spec(before)), h('dt', null, 'after'), h('dd', null, spec(after))),
      figuresTable(before, after), linesTable(state, before, after), h('div.bar-of-tools', null, choice), text);
  }
  return {element, panes: [], update() {}, shown: () => { if (!body.childElementCount || (state.other && !body.querySelector('dl'))) draw(); }};
}
