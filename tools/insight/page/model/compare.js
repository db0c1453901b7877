// Two reports of a kernel against each other.
import {diffArrays} from 'diff';

/**
 * Returns the figures of both reports, with those that only one has.
 * @param {import('./report.js').Report} before
 * @param {import('./report.js').Report} after
 * @returns {[string, number | undefined, number | undefined][]}
 */
export function figures(before, after) {
  const of = report => {
    const {resources, document, total} = report;
    return [['warp instructions', total.instructions || undefined], ['sectors', total.sectors || undefined], ['sectors needed', total.sectorsLeast || undefined],
      ['shared passes', total.passes || undefined], ['shared passes needed', total.passesLeast || undefined], ['registers', resources.registers],
      ['spilled bytes stored', resources.spillStoreBytes], ['shared bytes', resources.sharedBytes], ['threads', resources.threads],
      ['blocks on a multiprocessor', resources.occupancy?.blocks], ['PTX lines', report.texts.find(text => text.key === 'ptx')?.lines.length],
      ['findings', report.findings.length], ['median ns of a launch', document.measured?.nsQuantiles?.[2]]];
  };
  const [a, b] = [of(before), of(after)];
  return a.map(([name, value], i) => [name, value, b[i][1]]).filter(([, x, y]) => x !== undefined || y !== undefined);
}

/**
 * Returns the lines of both main sources side by side: pairs of line numbers, 0 where one has no such line.
 * @returns {[number, number][]}
 */
export function alignLines(before, after) {
  const pairs = [];
  let a = 0, b = 0;
  for (const part of diffArrays(before, after)) {
    for (let i = 0; i < part.count; ++i)
      pairs.push([part.added ? 0 : ++a, part.removed ? 0 : ++b]);
  }
  return pairs;
}

/** Returns the lines of a text without what differs between any two compilations: numbers of values and of labels, places. */
export function normalize(text) {
  return text.lines.map(line => line.replace(/\s*\bloc\([^)]*\)|^\s*\.loc\s.*$/g, '').replace(/([%$][A-Za-z_]*)[\w.]*/g, '$1·'));
}

/**
 * Returns what differs between two lists of lines, with `around` equal lines about each change. A number stands for equal
 * lines that are left out.
 * @returns {({sign: ' ' | '-' | '+', before: number, after: number} | number)[]}
 */
export function changes(before, after, around = 3) {
  const rows = alignLines(before, after).map(([a, b]) => ({sign: !a ? '+' : !b ? '-' : ' ', before: a, after: b}));
  const near = new Uint8Array(rows.length);
  rows.forEach((row, i) => { if (row.sign !== ' ') near.fill(1, Math.max(0, i - around), i + around + 1); });
  const shown = [];
  rows.forEach((row, i) => {
    if (near[i]) shown.push(row);
    else if (typeof shown.at(-1) === 'number') ++shown[shown.length - 1];
    else shown.push(1);
  });
  return shown;
}
