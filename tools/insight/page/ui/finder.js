// The box that looks for text in the pane of code that is current.
import {h} from './dom.js';

export class Finder {
  /**
   * @param {(text: string, by: number) => boolean} find looks on from the current line, says whether there is a line
   * @param {() => void} closed gives the focus back
   */
  constructor(find, closed) {
    this.find = find;
    this.closed = closed;
    this.input = h('input', {type: 'search', 'aria-label': 'Find in the current pane', placeholder: 'find in this pane', spellcheck: 'false'});
    this.note = h('span.dim', {role: 'status'});
    this.element = h('form.finder', {hidden: true, role: 'search'}, this.input, this.note);
    this.element.addEventListener('submit', event => { event.preventDefault(); this.again(1); });
    this.input.addEventListener('keydown', event => { if (event.key === 'Escape') { event.preventDefault(); this.close(); } });
  }

  open() {
    this.element.hidden = false;
    this.input.focus();
    this.input.select();
  }

  close() {
    this.element.hidden = true;
    this.closed();
  }

  /** Looks for the same again. */
  again(by) {
    if (!this.input.value) return;
    this.note.textContent = this.find(this.input.value, by) ? 'Enter: next · Escape: back' : 'not found';
  }
}
