// Linear layouts: maps over bits, as their bases say them.

/**
 * @typedef {{ins: [string, number][], outs: [string, number][], bases: number[][]}} Layout
 */

/** Returns the number of values of an input axis; 1 where the layout has no such axis. */
export function sizeOfInput(layout, name) {
  const axis = layout.ins.find(([axisName]) => axisName === name);
  return axis ? 2 ** axis[1] : 1;
}

/** Returns the extents of the tensor. */
export const shapeOf = layout => layout.outs.map(([, bits]) => 2 ** bits);

/**
 * Returns the coordinates that the inputs map to: the exclusive or of the bases of their set bits.
 * @param {Layout} layout
 * @param {Record<string, number>} inputs by the names of axes; those left out are 0
 * @returns {number[]}
 */
export function apply(layout, inputs) {
  const at = layout.outs.map(() => 0);
  let row = 0;
  for (const [name, bits] of layout.ins)
    for (let bit = 0; bit < bits; ++bit, ++row)
      if ((inputs[name] ?? 0) >> bit & 1) layout.bases[row].forEach((value, axis) => { at[axis] ^= value; });
  return at;
}

/**
 * Returns the number of an element in the order of rows: the last axis runs first.
 * @param {number[]} at
 * @param {number[]} shape
 */
export const numberOf = (at, shape) => at.reduce((number, value, axis) => number * shape[axis] + value, 0);

/**
 * Returns the holders of every element, by its number: of each holder its number of thread and register packed as
 * `thread * registers + register`, the lowest first. Warps count on from the lanes, and the warps of blocks from each other.
 * @param {Layout} layout
 * @returns {{holders: number[][], registers: number, lanes: number, warps: number}} `warps` are those of all blocks
 */
export function holdersOf(layout) {
  const shape = shapeOf(layout);
  const elements = shape.reduce((a, b) => a * b, 1);
  const registers = sizeOfInput(layout, 'register');
  const lanes = sizeOfInput(layout, 'lane');
  // The contribution of each bit to the element's number is a sum of disjoint bits: an exclusive or as well.
  const weights = [];
  let row = 0;
  for (const [name, bits] of layout.ins)
    for (let bit = 0; bit < bits; ++bit, ++row) weights.push([name, bit, numberOf(layout.bases[row], shape)]);
  const order = ['register', 'lane', 'warp', 'block'];
  const known = weights.filter(([name]) => order.includes(name));
  known.sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]) || a[1] - b[1]);
  const holders = Array.from({length: elements}, () => []);
  const size = 2 ** known.length;
  const numbers = new Int32Array(size);
  for (let i = 0; i < size; ++i) {
    if (i > 0) {
      const low = 31 - Math.clz32(i & -i);
      numbers[i] = numbers[i & (i - 1)] ^ known[low][2];
    }
    holders[numbers[i]]?.push(i);
  }
  return {holders, registers, lanes, warps: sizeOfInput(layout, 'warp') * sizeOfInput(layout, 'block')};
}

/** Returns who a packed holder is. */
export function holder(packed, {registers, lanes}) {
  const thread = Math.floor(packed / registers);
  return {register: packed % registers, lane: thread % lanes, warp: Math.floor(thread / lanes), thread};
}

/**
 * Counts how the elements of a tensor travel from one layout to another: those that stay in their thread, in their warp,
 * and that change warps.
 * @returns {{thread: number, warp: number, block: number}}
 */
export function travel(from, to) {
  const a = holdersOf(from), b = holdersOf(to);
  const counts = {thread: 0, warp: 0, block: 0};
  b.holders.forEach((wanted, element) => {
    const have = a.holders[element] ?? [];
    const threads = new Set(have.map(p => holder(p, a).thread));
    const warps = new Set(have.map(p => holder(p, a).warp));
    for (const packed of wanted) {
      const who = holder(packed, b);
      ++counts[threads.has(who.thread) ? 'thread' : warps.has(who.warp) ? 'warp' : 'block'];
    }
  });
  return counts;
}
