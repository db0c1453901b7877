// The page of a heatmap: a canvas that can be walked, and its numbers as a table.
"use strict";

const find = (selector) => document.querySelector(selector);
const canvas = find("canvas");
const picture = document.createElement("canvas");
let tile, at = 0;

/** Elements a row of the picture: the last side, or 64 or 1024 where there is no other or it is too long. */
const widthOf = ({ shape, elements }) => (shape.length > 1 && shape.at(-1) <= 4096 ? shape.at(-1)
  : Math.min(elements.length, elements.length <= 4096 ? 64 : 1024));

/** Returns the place of an element as the expression of kernels has it: `[1, 0]`. */
const nameOf = (index) => {
  const name = tile.shape.reduceRight(([names, rest], side) => [[rest % side, ...names], Math.floor(rest / side)], [[], index])[0];
  return name.length ? `[${name.join(", ")}]` : "";
};

/** Returns the text of an element: fp32 and narrower types have no more than eight digits. */
function textOf(value) {
  if (value === null) return "undefined";
  const isShort = Number.isFinite(value) && !Number.isInteger(value) && !tile.type.startsWith("fp64");
  return String(isShort ? Number(value.toPrecision(8)) : value);
}

/** Returns a colour of the editor's theme as three numbers. */
function colour(name) {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--vscode-${name}`) || "gray";
  pen.fillRect(0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

/** Paints the elements, once for each tile and theme. */
function paint() {
  const { elements, width } = tile, rows = Math.ceil(elements.length / width);
  const cell = tile.cell = Math.max(1, Math.min(24, Math.floor(Math.min(720 / width, 60000 / rows))));
  [picture.width, picture.height] = [canvas.width, canvas.height] = [width * cell, rows * cell];
  const pen = picture.getContext("2d");
  const [paper, ink, above, below] = ["editor-background", "editor-foreground", "charts-blue", "charts-orange"].map(colour);
  const { low, high } = tile, most = Math.max(Math.abs(low), Math.abs(high));
  // Of one sign, the scale is from the least to the greatest; of both, paper is zero.
  const part = (value) => (low < 0 && high > 0 ? value / most : (value - low) / (high - low || 1));
  const rgb = (from, to, t) => `rgb(${from.map((v, i) => Math.round(v + (to[i] - v) * t)).join()})`;
  const shade = (value) => rgb(paper, part(value) < 0 ? below : above, 0.08 + 0.92 * Math.abs(part(value)));
  const shades = Array.from({ length: 257 }, (_, i) => shade(low + (high - low) * i / 256));
  find("#scale i").style.background = `linear-gradient(to right, ${shades.filter((_, i) => i % 32 === 0)})`;
  pen.font = `${cell * 0.8}px sans-serif`;
  [pen.textAlign, pen.textBaseline] = ["center", "middle"];
  elements.forEach((value, index) => {
    const x = (index % width) * cell, y = Math.floor(index / width) * cell;
    if (Number.isFinite(value)) {
      pen.fillStyle = shades[Math.round(256 * (value - low) / (high - low || 1))];
      pen.fillRect(x, y, cell, cell);
      return;
    }
    // Not a number: ink. Undefined: half of it. With room, a sign on it.
    pen.fillStyle = rgb(paper, ink, value === null ? 0.4 : 1);
    pen.fillRect(x, y, cell, cell);
    pen.fillStyle = rgb(paper, ink, value === null ? 1 : 0);
    if (cell >= 6) pen.fillText({ null: "?", nan: "×", inf: "↑", "-inf": "↓" }[value] ?? "×", x + cell / 2, y + cell / 2);
  });
}

/** Draws what is painted, with a frame on the element that is looked at. */
function draw() {
  const pen = canvas.getContext("2d"), { cell, width } = tile;
  pen.drawImage(picture, 0, 0);
  if (document.activeElement !== canvas) return;
  pen.lineWidth = Math.max(2, cell / 8);
  pen.strokeStyle = getComputedStyle(document.body).color;
  pen.strokeRect((at % width) * cell, Math.floor(at / width) * cell, cell, cell);
}

function look(index) {
  at = Math.max(0, Math.min(tile.elements.length - 1, index));
  find("#element").textContent = `${tile.expression}${nameOf(at)} = ${textOf(tile.elements[at])}`;
  draw();
}

/** Fills the table with the first rows: a screen reader reads them as it walks. */
function fillTable() {
  const { elements, width } = tile, most = 64, columns = Math.min(width, most);
  const rows = Math.min(Math.ceil(elements.length / width), most);
  find("details > summary").textContent = elements.length > rows * columns || width > columns
    ? `Numbers of the first ${rows} rows and ${columns} columns` : "Numbers";
  const row = (name, texts) => {
    const made = document.createElement("tr");
    texts.forEach((text, i) => {
      const one = document.createElement(name === "th" || i === 0 ? "th" : "td");
      one.textContent = text;
      made.append(one);
    });
    return made;
  };
  const all = Array.from({ length: rows }, (_, r) =>
    row("td", [nameOf(r * width), ...elements.slice(r * width, r * width + columns).map(textOf)]));
  find("table").replaceChildren(row("th", ["from", ...Array.from({ length: columns }, (_, c) => `+${c}`)]), ...all);
}

function take({ wrong, ...message }) {
  wrong ??= message.elements.length ? undefined : "there are no elements";
  find("h1").textContent = message.expression;
  find("#summary").textContent = wrong ?? message.summary;
  for (const one of document.querySelectorAll("#picture, #element, #scale, #legend, details")) one.hidden = Boolean(wrong);
  if (wrong) return;
  const numbers = message.elements.filter(Number.isFinite);
  const low = numbers.reduce((a, b) => Math.min(a, b), Infinity), high = numbers.reduce((a, b) => Math.max(a, b), -Infinity);
  tile = { ...message, width: widthOf(message), low, high };
  const count = (text, kind) => [text, message.elements.filter(kind).length];
  const kinds = [
    count("NaN (×)", (v) => v === "nan"),
    count("infinite (↑ ↓)", (v) => v === "inf" || v === "-inf"),
    count("undefined (?)", (v) => v === null),
  ];
  const lines = kinds.filter(([, n]) => n).map(([text, n]) => `${n} ${text}`);
  find("#scale").hidden = !numbers.length;
  [find("#scale").firstChild.data, find("#scale").lastChild.data] = [`${textOf(low)} `, ` ${textOf(high)}`];
  find("#legend").replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  canvas.setAttribute("aria-label", `Heatmap of ${[message.expression, message.summary, ...lines].join(", ")}. Arrows walk its elements.`);
  fillTable();
  paint();
  look(at);
}

canvas.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: tile?.width, ArrowUp: -tile?.width, Home: -Infinity, End: Infinity }[event.key];
  if (!step) return;
  event.preventDefault();
  if (at + step >= 0 && at + step < tile.elements.length || !Number.isFinite(step)) look(at + step);
});
canvas.addEventListener("pointerdown", (event) => {
  look(Math.floor(event.offsetY / tile.cell) * tile.width + Math.floor(event.offsetX / tile.cell));
});
for (const name of ["focus", "blur"]) canvas.addEventListener(name, () => tile && draw());
new MutationObserver(() => {
  if (!tile) return;
  paint();
  draw();
}).observe(document.body, { attributeFilter: ["data-vscode-theme-kind", "data-vscode-theme-id"] });
window.addEventListener("message", (event) => take(event.data));
acquireVsCodeApi().postMessage("ready");
