// The page of a report: unpacks it, shows its views, and takes the keyboard.
import {h} from './ui/dom.js';
import {State} from './ui/state.js';
import {Finder} from './ui/finder.js';
import {CodePane} from './ui/codepane.js';
import {helpDialog} from './ui/help.js';
import {masthead} from './ui/masthead.js';
import {Report} from './model/report.js';
import {unpack} from './model/unpack.js';
import {linesView} from './views/lines.js';
import {stagesView} from './views/stages.js';
import {layoutView} from './views/layout.js';
import {memoryView} from './views/memory.js';
import {loopView} from './views/loop.js';
import {resourcesView} from './views/resources.js';
import {rooflineView} from './views/roofline.js';
import {diffView} from './views/diff.js';

/** Views by name: those that draw pictures stand next to the source. */
const views = {
  lines: {title: 'Lines', make: linesView},
  stages: {title: 'Stages', make: stagesView},
  layout: {title: 'Layout', make: layoutView, isPicture: true},
  memory: {title: 'Memory', make: memoryView, isPicture: true},
  loop: {title: 'Loop', make: loopView, isPicture: true},
  resources: {title: 'Resources', make: resourcesView, isPicture: true},
  roofline: {title: 'Roofline', make: rooflineView},
  diff: {title: 'Diff', make: diffView},
};
const names = Object.keys(views);

class Page {
  /** @param {Report} report */
  constructor(report) {
    this.report = report;
    this.state = new State(report);
    this.made = new Map();
    this.active = 0; // number of the pane that the keys of lines move in
    this.here = {showText: key => this.showText(key), showValue: number => this.showValue(number)};
    this.help = helpDialog();
    this.finder = new Finder((text, by) => this.find(text, by), () => this.pane()?.list.focus());
    this.main = h('main', {id: 'main'});
    this.tabs = names.map((name, i) => h('button', {type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'view', onclick: () => this.state.show(name)},
      h('kbd', {'aria-hidden': 'true'}, String(i + 1)), views[name].title));
    this.root = h('div.page', null, masthead(report, {changed: () => this.repaint(), find: () => this.finder.open(), help: () => this.help.showModal(), tabs: this.tabs}),
      this.finder.element, this.main, this.help);
    this.source = new CodePane(this.state, report.source, {label: 'Source', header: h('div.heading', null, report.kernel.file ?? 'source')});
    this.source.element.classList.add('beside');
    this.picture = h('div.beside-source', null, this.source.element);
    this.state.listen(what => what === 'view' ? this.show() : this.update());
    this.tabs[0].parentElement.addEventListener('keydown', event => this.tabKey(event));
    document.addEventListener('keydown', event => this.key(event));
    addEventListener('resize', () => this.repaint());
    addEventListener('hashchange', () => this.readHash());
  }

  view() {
    const name = this.state.view;
    if (!this.made.has(name)) this.made.set(name, views[name].make(this.state, this.here));
    return this.made.get(name);
  }

  /** The panes of code of the view that is shown. */
  panes() { return [...(views[this.state.view].isPicture ? [this.source] : []), ...this.view().panes]; }
  pane() { return this.panes()[Math.min(this.active, this.panes().length - 1)]; }

  show() {
    const name = this.state.view, view = this.view();
    this.tabs.forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(names[i] === name));
      tab.tabIndex = names[i] === name ? 0 : -1;
    });
    let element = view.element;
    if (views[name].isPicture) {
      view.element.tabIndex = -1;
      this.picture.replaceChildren(this.source.element, view.element);
      element = this.picture;
    }
    this.main.replaceChildren(h('div.view', {id: 'view', role: 'tabpanel', 'aria-labelledby': `tab-${name}`, tabindex: -1}, element));
    view.shown();
    this.active = Math.min(this.active, Math.max(0, this.panes().length - 1));
    if (views[name].isPicture) { this.source.mark(); this.source.reveal(); }
    this.writeHash();
  }

  /** Shows a view, and gives the focus to what keys work on in it. */
  showAndFocus(name) {
    this.state.show(name);
    (this.pane()?.list ?? document.getElementById('view')).focus({preventScroll: true});
  }

  update() {
    if (views[this.state.view].isPicture) this.source.mark();
    this.view().update();
    this.writeHash();
  }

  repaint() {
    const view = this.made.get(this.state?.view);
    if (view?.repaint) view.repaint();
    else if (this.state?.view === 'stages') view?.shown();
  }

  showText(key) {
    this.state.show('stages');
    this.view().showText(key);
  }

  showValue(number) {
    this.state.show('layout');
    this.view().showValue?.(number);
  }

  find(text, by) { return this.pane()?.find(text, by) ?? false; }

  /** Gives the focus to the next pane of code, or to the picture next to it. */
  nextPane(by) {
    const stops = this.panes().map(pane => pane.list);
    if (views[this.state.view].isPicture) stops.push(this.view().element.querySelector('.tile') ?? this.view().element.querySelector('select:not([hidden])') ?? this.view().element);
    const at = stops.findIndex(stop => stop === document.activeElement);
    const next = at < 0 ? 0 : (at + by + stops.length) % stops.length;
    if (next < this.panes().length) this.active = next;
    stops[next]?.focus();
  }

  tabKey(event) {
    const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!by) return;
    event.preventDefault();
    const next = (names.indexOf(this.state.view) + by + names.length) % names.length;
    this.state.show(names[next]);
    this.tabs[next].focus();
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || this.help.open) return;
    const isTyping = event.target.matches('input:not([type=range]), textarea');
    if (isTyping) return;
    const isList = event.target.matches('select');
    const act = this.#actionOf(event.key, isList, event.target);
    if (!act) return;
    event.preventDefault();
    act();
  }

  #actionOf(key, isList, target) {
    if (/^[1-8]$/.test(key)) return () => this.showAndFocus(names[Number(key) - 1]);
    if (isList && /^(Arrow|Page|Home|End|Escape)/.test(key)) return undefined;
    const inPane = target.matches('.rows');
    const inner = inPane ? {ArrowDown: () => this.pane().move(1), ArrowUp: () => this.pane().move(-1), PageDown: () => this.pane().move(20), PageUp: () => this.pane().move(-20)} : {};
    if (inPane) this.active = Math.max(0, this.panes().findIndex(pane => pane.list === target));
    return {
      j: () => this.pane()?.move(1), k: () => this.pane()?.move(-1), h: () => this.nextPane(-1), l: () => this.nextPane(1),
      g: () => this.state.step(1), G: () => this.state.step(-1), '/': () => this.finder.open(), n: () => this.finder.again(1), N: () => this.finder.again(-1),
      '?': () => this.help.showModal(), Escape: () => this.state.select([], 'escape'), ...inner,
    }[key];
  }

  /** The address says which view and line are shown, so that a link to them can be kept. */
  writeHash() {
    const hash = `#${this.state.view}${this.state.line ? `:${this.state.line}` : ''}`;
    if (location.hash !== hash) try { history.replaceState(null, '', hash); } catch { /* a frame without an address */ }
  }

  /** Selects the first finding; without any, the line that executes the most instructions, or where the kernel begins. */
  selectDearest() {
    const {report, state} = this;
    if (report.findings.length) { state.step(1); return; }
    const at = `${report.mainFile}:`;
    const here = [...report.costs].filter(([key, cost]) => key.startsWith(at) && cost.instructions > 0);
    const dearest = here.reduce((best, entry) => !best || entry[1].instructions > best[1].instructions ? entry : best, undefined);
    const line = dearest ? Number(dearest[0].slice(at.length)) : report.kernel.line;
    if (line) state.selectLine(line, 'start');
  }

  readHash() {
    const [name, line] = location.hash.slice(1).split(':');
    if (Number(line)) this.state.selectLine(Number(line), 'address');
    else if (!this.state.places.size) this.selectDearest();
    this.state.show(views[name] ? name : 'lines');
  }
}

async function start() {
  const other = document.getElementById('other');
  const report = new Report(await unpack(document.getElementById('insight').textContent));
  const page = new Page(report);
  if (other) page.state.other = new Report(await unpack(other.textContent));
  document.title = `${report.kernel.name}, ${report.spec.arch}`;
  document.body.replaceChildren(page.root);
  page.readHash();
  page.pane()?.list.focus({preventScroll: true});
  document.documentElement.dataset.shown = String(Math.round(performance.now()));
}

start().catch(error => {
  document.body.replaceChildren(h('main', null, h('h1', null, 'This report cannot be shown'), h('p', null, error.message)));
});
