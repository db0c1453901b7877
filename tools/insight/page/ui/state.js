// The selection that all views share, and which view is shown.

/** @typedef {import('../model/report.js').Report} Report */

export class State {
  /** @param {Report} report */
  constructor(report) {
    this.report = report;
    /** @type {Report | undefined} the report that is compared with this one */
    this.other = undefined;
    /** @type {Set<number>} numbers of places */
    this.places = new Set();
    this.line = 0;      // of the main source file, 0 for none
    this.finding = -1;  // number in `report.findings`
    this.view = 'lines';
    this.listeners = [];
  }

  /** Calls `listener(what)` after each change: 'selection', 'view' or 'other'. */
  listen(listener) { this.listeners.push(listener); }
  tell(what) { this.listeners.forEach(listener => listener(what)); }

  /** Selects places, and the line of the source that the first of them is on. `from` names the pane that did. */
  select(places, from, finding = -1) {
    this.places = new Set(places.filter(place => place >= 0));
    this.finding = finding;
    const first = [...this.places][0];
    this.line = first === undefined ? 0 : this.lineOf(first);
    this.from = from;
    this.tell('selection');
  }

  /** Selects all that is on a line of the main source file. */
  selectLine(line, from) {
    this.places = new Set(this.report.source.placesOf.get(line) ?? []);
    this.finding = -1;
    this.line = line;
    this.from = from;
    this.tell('selection');
  }

  /** Returns the line of the main source file that a place is on, or that of the call that brought it there. */
  lineOf(place) {
    const {report} = this;
    const chain = report.chain(place).filter(at => report.places[at][0] === report.mainFile);
    return chain.length ? report.places[chain.at(-1)][1] : 0;
  }

  show(view) {
    this.view = view;
    this.tell('view');
  }

  /** Returns whether one of the places belongs to the selection; without a selection, all do. */
  has(...places) { return this.places.size === 0 || places.some(place => this.places.has(place)); }

  /** Selects the next finding, or the one before; returns it. */
  step(by) {
    const {findings} = this.report;
    if (!findings.length) return undefined;
    const next = (this.finding + by + findings.length) % findings.length;
    const number = this.finding < 0 && by < 0 ? findings.length - 1 : next;
    this.select([findings[number].place], 'findings', number);
    return findings[number];
  }
}
