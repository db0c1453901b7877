// Two or three texts next to each other, held together by the places that they share.
import {h} from '../ui/dom.js';
import {CodePane} from '../ui/codepane.js';

/** Makes the view. */
export function stagesView(state) {
  const {report} = state;
  const byKey = new Map(report.texts.map(text => [text.key, text]));
  const keys = report.texts.map(text => text.key);
  const initial = [keys[0], byKey.has('distributed') ? 'distributed' : keys[1], byKey.has('ptx') ? 'ptx' : keys.at(-1)];
  const chosen = [...new Set(initial)].filter(Boolean);
  const element = h('div.columns');
  const view = {element, panes: [], update, shown, showText};
  let isWide = true;

  function make(column) {
    const text = byKey.get(chosen[column]);
    const names = ['First', 'Second', 'Third'];
    const select = h('select', {'aria-label': `${names[column]} text`, onchange: event => { chosen[column] = event.target.value; replace(column); }},
      report.texts.map(({key, title}) => h('option', {value: key, selected: key === text.key}, title)));
    const covered = text.placesOf.size;
    const header = h('div.heading', null, select, h('span.dim', null, `${text.lines.length} lines, ${covered} with a place`));
    return new CodePane(state, text, {label: `${text.title}, ${names[column].toLowerCase()} text`, header});
  }

  function replace(column) {
    const pane = make(column);
    view.panes[column].element.replaceWith(pane.element);
    view.panes[column] = pane;
    pane.reveal();
    pane.element.querySelector('select').focus();
  }

  function shown() {
    const wide = element.clientWidth >= 1100;
    if (!view.panes.length || wide !== isWide) {
      isWide = wide;
      const count = wide ? 3 : 2;
      if (!wide && chosen.length > 2) chosen.splice(1, chosen.length - 2);
      while (chosen.length < Math.min(count, keys.length)) chosen.splice(1, 0, initial.find(key => !chosen.includes(key)) ?? keys.find(key => !chosen.includes(key)));
      view.panes = chosen.map((key, column) => make(column));
      element.replaceChildren(...view.panes.map(pane => pane.element));
    }
    view.panes.forEach(pane => { pane.mark(); pane.reveal(); });
  }

  function update() { view.panes.forEach(pane => pane.mark()); }

  /** Shows a text in the last pane unless one shows it. */
  function showText(key) {
    if (chosen.includes(key)) return;
    chosen[chosen.length - 1] = key;
    if (view.panes.length) replace(chosen.length - 1);
  }
  return view;
}
