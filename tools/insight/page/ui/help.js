// The dialog that says which keys there are.
import {h} from './dom.js';

const keys = [
  ['1 – 8', 'views'], ['j  k', 'next line, line before; arrows and Page keys too'], ['h  l', 'pane before, next pane'],
  ['g  G', 'next finding, finding before'], ['/', 'find in the current pane; n and N go on'], ['Escape', 'select nothing'],
  ['arrows', 'in a tile: walk its elements, which are read out'], ['?', 'this help'],
];

/** Returns the dialog, closed. */
export function helpDialog() {
  const dialog = h('dialog', {'aria-labelledby': 'help-title'}, h('h2', {id: 'help-title'}, 'Keys'),
    h('dl.keys', null, keys.map(([key, text]) => [h('dt', null, h('kbd', null, key)), h('dd', null, text)])),
    h('p.dim', null, 'A line of any text, a box of a picture and a link select a place of the source, and every view follows. Hatched bars are what goes beyond the least possible. Counts are of the emulator; no number is a predicted time.'),
    h('form', {method: 'dialog'}, h('button', null, 'Close')));
  dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
  return dialog;
}
