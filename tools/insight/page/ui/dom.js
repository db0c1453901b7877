// Makes elements: the one place that writes to the document. Text goes in as text nodes, never as markup.

const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const svgSpace = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'css') for (const [key, entry] of Object.entries(value)) element.style.setProperty(key, entry);
    else element.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity))
    if (child !== undefined && child !== null && child !== false) element.append(typeof child === 'string' ? visible(child) : child);
  return element;
}

/** Returns text in which characters that cannot be seen, or that turn the text round, are numbers: `⟨U+202E⟩`. */
export const visible = text => text.replace(unseen, found => `⟨U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);

/**
 * Returns an HTML element. Attributes that begin with `on` are listeners, `css` sets properties of its style.
 * @param {string} tag with classes behind dots: `div.row.current`
 */
export function h(tag, attributes, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name || 'div');
  if (classes.length) element.className = classes.join(' ');
  return fill(element, attributes, children);
}

/** Returns an SVG element, in the same way. */
export function s(tag, attributes, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElementNS(svgSpace, name);
  if (classes.length) element.setAttribute('class', classes.join(' '));
  return fill(element, attributes, children);
}

/** Returns a table; a cell is text, a node, or a number, which is set to the right. */
export function table(caption, columns, rows, attributes) {
  const cell = (tag, content, extra) =>
    h(tag, {...extra, class: typeof content === 'number' ? 'number' : undefined}, typeof content === 'number' ? format(content) : content);
  return h('table.data', attributes,
    h('caption', null, caption),
    h('thead', null, h('tr', null, columns.map(column => column ? cell('th', column, {scope: 'col'}) : h('td')))),
    h('tbody', null, rows.map(row => h('tr', null, row.map(content => cell('td', content))))));
}

/** Returns the table behind a picture, folded. */
export function twin(caption, columns, rows, title = 'As a table') {
  const limit = 2000;
  const shown = rows.slice(0, limit);
  const name = rows.length > limit ? `${caption}, the first ${format(limit)} of ${format(rows.length)} rows` : caption;
  return h('details.twin', null, h('summary', null, title), h('div.scroll', {tabindex: 0, role: 'region', 'aria-label': name}, table(name, columns, shown)));
}

/** Returns a number with commas between thousands. */
export const format = number => Number(number).toLocaleString('en-US', {maximumFractionDigits: 2});

/** Returns a number of bytes as `24 KiB`. */
export function bytes(number) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (Math.abs(number) >= 1024 && unit < units.length - 1) { number /= 1024; ++unit; }
  return `${format(number)} ${units[unit]}`;
}

/** Returns `1 warp`, `4 warps`. */
export const plural = (number, noun, many = `${noun}s`) => `${format(number)} ${number === 1 ? noun : many}`;

/** Returns text with `code` in backticks as elements. */
export function prose(text) {
  return String(text ?? '').split('`').map((part, i) => i % 2 ? h('code', null, part) : part);
}

/** Returns a message in the place of a picture that there is no data for. */
export const empty = (title, text) => h('div.empty', null, h('h2', null, title), h('p', null, prose(text)));
