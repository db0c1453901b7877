// A tile of a tensor on a canvas, each element with the colour of what holds it. Arrow keys walk the elements.
import {h} from './dom.js';
import {isDark, shade} from './theme.js';
import {apply, holder, holdersOf, numberOf, shapeOf, sizeOfInput} from '../model/layout.js';

const smallestLabel = 25; // pixels of a cell that has room for one

export class Tile {
  /**
   * @param {import('../model/layout.js').Layout} layout
   * @param {{label: string, changed: (tile: Tile) => void}} options `changed` is called when the current element has changed
   */
  constructor(layout, options) {
    this.layout = layout;
    this.options = options;
    this.shape = shapeOf(layout);
    this.isMemory = !layout.ins.some(([name]) => ['register', 'lane', 'warp'].includes(name)) && layout.ins.some(([name]) => name === 'offset');
    this.held = this.isMemory ? undefined : holdersOf(layout);
    if (this.isMemory) this.#readOffsets();
    const last = this.shape.at(-1) ?? 1, elements = this.shape.reduce((a, b) => a * b, 1);
    this.columns = this.shape.length > 1 ? last : Math.min(last, 64);
    this.rows = elements / this.columns;
    this.at = 0;
    this.mode = this.isMemory ? 'offset' : 'lane';
    this.canvas = h('canvas', {'aria-hidden': 'true'});
    this.element = h('div.tile', {tabindex: 0, role: 'application', 'aria-roledescription': 'tile', 'aria-label': `${options.label}. Arrow keys walk the elements.`}, this.canvas);
    this.canvas.addEventListener('pointermove', event => this.#pointed(event));
    this.canvas.addEventListener('click', () => this.element.focus());
    this.element.addEventListener('keydown', event => this.#key(event));
  }

  #readOffsets() {
    this.offsets = new Map();
    const size = sizeOfInput(this.layout, 'offset');
    for (let offset = 0; offset < size; ++offset) {
      const number = numberOf(apply(this.layout, {offset}), this.shape);
      if (!this.offsets.has(number)) this.offsets.set(number, offset);
    }
  }

  /** Returns who holds the element `number`, the lowest thread first. */
  holders(number = this.at) { return (this.held?.holders[number] ?? []).map(packed => holder(packed, this.held)); }

  /** Returns the elements of a thread, by register. */
  elementsOf({lane, warp}) {
    const {registers} = this.held;
    const warps = sizeOfInput(this.layout, 'warp');
    return Array.from({length: registers}, (_, register) =>
      numberOf(apply(this.layout, {register, lane, warp: warp % warps, block: Math.floor(warp / warps)}), this.shape));
  }

  /** Returns the coordinates of an element. */
  coordinates(number = this.at) {
    const at = [];
    for (let axis = this.shape.length - 1; axis >= 0; --axis) {
      at.unshift(number % this.shape[axis]);
      number = Math.floor(number / this.shape[axis]);
    }
    return at;
  }

  /** Says in words who holds the current element. */
  spoken() {
    const where = this.shape.length ? `(${this.coordinates().join(', ')})` : 'the element';
    if (this.isMemory) return `${where}: offset ${this.offsets.get(this.at) ?? 'none'}`;
    const list = this.holders();
    if (!list.length) return `${where}: no holder`;
    const {lane, warp, register} = list[0];
    const more = list.length > 1 ? `, and ${list.length - 1} more ${list.length > 2 ? 'copies' : 'copy'}` : '';
    return `${where}: lane ${lane} of warp ${warp}, register ${register}${more}`;
  }

  #key(event) {
    const steps = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns, Home: -(this.at % this.columns), End: this.columns - 1 - this.at % this.columns};
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const column = this.at % this.columns;
    if ((event.key === 'ArrowLeft' && column === 0) || (event.key === 'ArrowRight' && column === this.columns - 1)) return;
    const to = this.at + step;
    if (to >= 0 && to < this.rows * this.columns) this.go(to);
  }

  #pointed(event) {
    const row = Math.floor(event.offsetY / this.cell), column = Math.floor(event.offsetX / this.cell);
    if (row >= 0 && row < this.rows && column >= 0 && column < this.columns) this.go(row * this.columns + column);
  }

  /** Makes an element current. */
  go(number) {
    if (number === this.at) return;
    this.at = number;
    this.options.changed(this);
  }

  /** Paints the tile into at most `width` by `height` pixels, but cells no smaller than three. */
  paint(width, height) {
    this.cell = Math.max(3, Math.min(38, Math.floor(width / this.columns), Math.floor(Math.max(height / this.rows, 4))));
    this.ratio = devicePixelRatio || 1;
    const wide = this.columns * this.cell, high = this.rows * this.cell;
    this.ground = h('canvas', {width: wide * this.ratio, height: high * this.ratio});
    const context = this.ground.getContext('2d');
    context.scale(this.ratio, this.ratio);
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = `${Math.max(9, Math.min(12, this.cell / 2.6))}px ui-sans-serif, system-ui, sans-serif`;
    const dark = isDark(), gap = this.cell >= 8 ? 1 : 0;
    for (let number = 0; number < this.rows * this.columns; ++number) this.#paintCell(context, number, dark, gap);
    Object.assign(this.canvas, {width: wide * this.ratio, height: high * this.ratio});
    this.canvas.style.width = `${wide}px`;
    this.canvas.style.height = `${high}px`;
    this.refresh();
  }

  /** Paints the frames anew over the cells, which stay as they are. */
  refresh() {
    if (!this.ground) return;
    const context = this.canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.ground, 0, 0);
    context.scale(this.ratio, this.ratio);
    this.#paintThread(context, isDark());
  }

  #paintCell(context, number, dark, gap) {
    const x = number % this.columns * this.cell, y = Math.floor(number / this.columns) * this.cell, size = this.cell - gap;
    const packed = this.isMemory ? undefined : this.held.holders[number][0];
    const value = this.isMemory ? this.offsets.get(number) : packed === undefined ? undefined : holder(packed, this.held)[this.mode];
    if (value === undefined) {
      context.fillStyle = dark ? '#2a2c31' : '#eceae6';
      context.fillRect(x, y, size, size);
      return;
    }
    const {fill, ink} = this.#shadeOf(value, dark);
    context.fillStyle = fill;
    context.fillRect(x, y, size, size);
    if (this.cell < smallestLabel) return;
    context.fillStyle = ink;
    context.fillText(String(value), x + size / 2, y + size / 2 + 0.5);
  }

  #shadeOf(value, dark) {
    const count = this.isMemory ? sizeOfInput(this.layout, 'offset') : {lane: this.held.lanes, register: this.held.registers, warp: this.held.warps}[this.mode];
    return shade(this.mode, value, count, dark);
  }

  /** Frames the elements of the thread that holds the current one, and that one more strongly. */
  #paintThread(context, dark) {
    const frame = (number, width, colour) => {
      const x = number % this.columns * this.cell, y = Math.floor(number / this.columns) * this.cell;
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.strokeRect(x + width / 2 - 0.5, y + width / 2 - 0.5, this.cell - width + 0.5, this.cell - width + 0.5);
    };
    const first = this.isMemory ? undefined : this.holders()[0];
    const ink = dark ? '#ffffff' : '#15171c';
    if (first) for (const number of this.elementsOf(first)) frame(number, this.cell > 8 ? 2 : 1, ink);
    frame(this.at, this.cell > 8 ? 4 : 2, dark ? '#ff9f5a' : '#c2410c');
  }
}
