// A pane of code: rows of text that can be walked and selected, marked by the selection that all panes share.
import {h} from './dom.js';
import {tokenize} from '../model/syntax.js';

const chunk = 64; // rows; those out of sight are not laid out
let panes = 0;

/** Returns tokens as elements. */
export const coloured = tokens => tokens.map(([kind, text]) => kind ? h('span', {class: `t-${kind}`}, text) : text);

export class CodePane {
  /**
   * @param {import('./state.js').State} state
   * @param {import('../model/report.js').Text} text
   * @param {{label: string, gutter?: (line: number) => (Node | string)[], header?: Node, isSource?: boolean}} options
   */
  constructor(state, text, options) {
    this.state = state;
    this.text = text;
    this.options = options;
    this.id = `pane${++panes}`;
    this.isSource = text.file === state.report.mainFile;
    this.rows = [];
    this.current = 0;
    this.list = h('div.rows', {role: 'listbox', tabindex: 0, 'aria-label': options.label, id: this.id});
    this.element = h('div.pane', {css: {'--digits': `${String(text.lines.length).length}ch`}}, options.header, this.list);
    this.#fill();
    this.list.addEventListener('click', event => this.#clicked(event));
    this.list.addEventListener('focus', () => { if (!this.current) this.#setCurrent(this.#firstMarked() || 1); });
    this.mark();
  }

  #fill() {
    const {text, options} = this;
    const spans = options.gutter ? 'div.row.costed' : 'div.row';
    let inString = '';
    let block;
    text.lines.forEach((line, index) => {
      if (index % chunk === 0) {
        block = h('div.chunk', {role: 'presentation', css: {'--rows': Math.min(chunk, text.lines.length - index)}});
        this.list.append(block);
      }
      const coloring = tokenize(line, text.language, inString);
      ({inString} = coloring);
      const code = h('span.code', null, coloured(coloring.tokens));
      const row = h(spans, {role: 'option', id: `${this.id}-${index + 1}`, 'aria-selected': 'false'},
        h('span.gutter', null, h('span.number', null, String(index + 1)), options.gutter?.(index + 1)), code);
      if (!text.placesOf.has(index + 1)) row.classList.add('bare');
      this.rows.push(row);
      block.append(row);
    });
  }

  #clicked(event) {
    const row = event.target.closest?.('.row');
    if (!row) return;
    this.go(Number(row.id.split('-')[1]));
  }

  /** Makes a line current and selects what is on it. */
  go(line) {
    this.#setCurrent(line);
    if (this.isSource) this.state.selectLine(line, this.id);
    else {
      const places = this.text.placesOf.get(line);
      if (places) this.state.select(places, this.id);
    }
    this.#reveal(line);
  }

  /** Moves the current line. In code that has no place the selection stays. */
  move(by) {
    const from = this.current || this.#firstMarked() || 1;
    this.go(Math.min(Math.max(1, from + by), this.rows.length));
  }

  #setCurrent(line) {
    this.rows[this.current - 1]?.classList.remove('current');
    this.current = line;
    const row = this.rows[line - 1];
    row?.classList.add('current');
    if (row) this.list.setAttribute('aria-activedescendant', row.id);
  }

  #firstMarked() { return this.marked?.[0] ?? 0; }

  /** Marks the rows of the selection, and shows the first of them if another pane selected it. */
  mark() {
    for (const line of this.marked ?? []) {
      const row = this.rows[line - 1];
      row.classList.remove('selected');
      row.setAttribute('aria-selected', 'false');
      row.querySelector('.range')?.remove();
    }
    const lines = new Set();
    for (const place of this.state.places) for (const line of this.text.linesOf.get(place) ?? []) lines.add(line);
    if (this.isSource && this.state.line) lines.add(this.state.line);
    this.marked = [...lines].sort((a, b) => a - b).filter(line => this.rows[line - 1]);
    for (const line of this.marked) {
      this.rows[line - 1].classList.add('selected');
      this.rows[line - 1].setAttribute('aria-selected', 'true');
    }
    if (this.isSource) this.#markRange();
    if (this.state.from !== this.id && this.marked.length) {
      this.#setCurrent(this.marked[0]);
      this.#reveal(this.marked[0]);
    }
  }

  /** Underlines the columns of the one place that is selected. */
  #markRange() {
    const {report, places} = this.state;
    if (places.size !== 1) return;
    const at = report.places[report.chain([...places][0]).at(-1)];
    if (!at || at[0] !== this.text.file || at[3] !== at[1] || at[4] <= at[2]) return;
    this.rows[at[1] - 1]?.querySelector('.code')
      .append(h('span.range', {'aria-hidden': 'true', css: {'--from': `${at[2] - 1}ch`, '--length': `${at[4] - at[2]}ch`}}));
  }

  #reveal(line) {
    const row = this.rows[line - 1];
    if (!row || !this.list.isConnected) return;
    const box = this.list.getBoundingClientRect(), at = row.getBoundingClientRect();
    if (!box.height) return;
    const margin = Math.min(box.height / 4, 80);
    const isIn = at.top >= box.top + margin / 2 && at.bottom <= box.bottom - margin / 2;
    if (!isIn) this.list.scrollTop += at.top - box.top - box.height / 3;
  }

  /** Shows the first marked row: for panes that were made out of sight. */
  reveal() {
    const line = this.marked?.[0];
    if (!line) return;
    this.#reveal(line);
    // Rows above may just have been laid out for the first time, and have moved it.
    requestAnimationFrame(() => this.#reveal(line));
  }

  /** Goes to the next line behind the current one that holds `text`, or before it; returns whether there is one. */
  find(text, by = 1) {
    const wanted = text.toLowerCase(), count = this.rows.length;
    for (let i = 1; i <= count; ++i) {
      const index = (((this.current - 1 + i * by) % count) + count) % count;
      if (!this.text.lines[index].toLowerCase().includes(wanted)) continue;
      this.go(index + 1);
      return true;
    }
    return false;
  }
}
