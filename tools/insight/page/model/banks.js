// Memory as a warp's request meets it: sectors of 32 bytes in global memory, banks of 4 bytes in shared memory.

export const sectorBytes = 32;
export const banks = 32;
export const bankBytes = 4;

/** @typedef {{count: number, mask: number, alignment: number, offsets: number[]}} Pattern */

/** Returns the lanes that take part, with the address of each relative to the line of 128 bytes that the lowest lies in. */
export function lanesOf(pattern) {
  const lanes = [];
  for (let lane = 0; lane < 32; ++lane)
    if (pattern.mask >>> lane & 1) lanes.push({lane, address: pattern.alignment + pattern.offsets[lane]});
  return lanes;
}

/**
 * Returns the sectors that a request touches, in the order of their addresses, each with the bytes of it that are used
 * and the lanes that use it; and the least number of sectors that would hold as many bytes.
 * @param {Pattern} pattern
 * @param {number} bytes of a lane
 */
export function sectorsOf(pattern, bytes) {
  const sectors = new Map();
  for (const {lane, address} of lanesOf(pattern))
    for (let byte = address; byte < address + bytes; ++byte) {
      const number = Math.floor(byte / sectorBytes);
      if (!sectors.has(number)) sectors.set(number, {number, used: new Set(), lanes: new Set()});
      sectors.get(number).used.add(byte % sectorBytes);
      sectors.get(number).lanes.add(lane);
    }
  const list = [...sectors.values()].sort((a, b) => a.number - b.number);
  const used = list.reduce((sum, sector) => sum + sector.used.size, 0);
  return {sectors: list, least: Math.max(1, Math.ceil(used / sectorBytes))};
}

/** Returns how many lanes one pass serves: 32 of 4 bytes, 16 of 8, 8 of 16. */
export const lanesOfPass = bytes => banks / Math.min(Math.max(1, Math.floor(bytes / bankBytes)), 4);

/**
 * Returns the passes that a request of shared memory takes. Lanes are served in groups; a group takes as many passes as
 * the most different words that it needs of one bank.
 * @param {Pattern} pattern
 * @param {number} bytes of a lane
 * @returns {{group: number, passes: number, words: {bank: number, word: number, lanes: number[], pass: number}[]}[]}
 */
export function passesOf(pattern, bytes) {
  const wordsEach = Math.max(1, Math.floor(bytes / bankBytes));
  const groups = new Map();
  for (const {lane, address} of lanesOf(pattern)) {
    const group = Math.floor(lane / lanesOfPass(bytes));
    if (!groups.has(group)) groups.set(group, new Map());
    const words = groups.get(group);
    for (let i = 0; i < wordsEach; ++i) {
      const word = Math.floor(address / bankBytes) + i;
      if (!words.has(word)) words.set(word, {bank: word % banks, word, lanes: [], pass: 0});
      words.get(word).lanes.push(lane);
    }
  }
  return [...groups].sort((a, b) => a[0] - b[0]).map(([group, found]) => {
    const perBank = new Map();
    const words = [...found.values()].sort((a, b) => a.word - b.word);
    for (const word of words) {
      word.pass = perBank.get(word.bank) ?? 0;
      perBank.set(word.bank, word.pass + 1);
    }
    return {group, passes: Math.max(...perBank.values()), words};
  });
}
