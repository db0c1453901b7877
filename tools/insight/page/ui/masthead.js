// The head of the page: which kernel, compiled for what, and the tabs of the views.
import {h, bytes, format, plural} from './dom.js';
import {themeButton} from './theme.js';

function specText(report) {
  const {spec, document} = report;
  const grid = spec.grid && `grid ${spec.grid.filter((n, i) => i === 0 || n > 1 || spec.grid.slice(i).some(m => m > 1)).join('×')}`;
  const words = [spec.arch, plural(spec.warps ?? 1, 'warp'), plural(spec.stages ?? 1, 'stage'), grid];
  const chips = words.filter(Boolean).map(text => h('li', null, text));
  for (const [name, value] of Object.entries(spec.constexprs ?? {})) chips.push(h('li', null, `${name}=${value}`));
  const from = {docstring: 'as in the docstring', text: 'as in the text', options: 'as given', call: 'as called'}[report.kernel.specFrom];
  const guessed = report.kernel.guessed && `guessed: ${report.kernel.guessed.join(', ')}`;
  const types = Object.entries(spec.signature ?? {}).map(([name, type]) => `${name}: ${type}`).join('\n');
  return [h('ul.chips', {title: types, 'aria-label': 'Specialisation'}, chips), h('span.dim.from', null, [document.counters?.device, from, guessed].filter(Boolean).join(', '))];
}

function summary(report) {
  const {resources} = report;
  const words = [];
  if (resources.registers !== undefined) words.push(plural(resources.registers, 'register'));
  words.push(`${bytes(resources.sharedBytes ?? 0)} shared`);
  const {occupancy} = resources;
  if (occupancy) words.push(`${plural(occupancy.blocks, 'block')} an SM${occupancy.limiters?.length ? `, limited by ${occupancy.limiters.join(', ')}` : ''}`);
  if (resources.spillStoreBytes !== undefined) words.push(resources.spillStoreBytes ? `${format(resources.spillStoreBytes)} bytes spilled` : 'no spills');
  return words.join(' · ');
}

/** Returns the head. */
export function masthead(report, {changed, find, help, tabs}) {
  const button = (label, key, action) => h('button', {type: 'button', title: `${label} (${key})`, 'aria-label': label, onclick: action}, key);
  return h('header.masthead', null,
    h('div.title', null, h('h1', null, report.kernel.name), specText(report),
      h('div.tools', null, button('Find', '/', find), themeButton(changed), button('Keys', '?', help))),
    h('div.tabs', null, h('div', {role: 'tablist', 'aria-label': 'Views'}, tabs), h('span.dim.summary', null, summary(report))));
}
