// Counts arithmetic in floating point from the instructions that a run executed.

const product = /\b(wgmma\.mma_async|mma\.sync)\S*?\.m(\d+)n(\d+)k(\d+)((?:\.\w+)*)/;
const scalar = /\b(fma|mad|add|sub|mul|div|sqrt|rsqrt|rcp|ex2|lg2|sin|cos|tanh)\.(?:\w+\.)*(f64|f32x2|f32|f16x2|f16|bf16x2|bf16)\b/;
const names = {f64: 'fp64', f32: 'fp32', f16: 'fp16', bf16: 'bf16', e4m3: 'fp8', e5m2: 'fp8'};
const warpsOfGroup = 4; // that execute one wgmma together

/**
 * Returns what one execution of an instruction computes: flops of a thread or of a warp, and their kind; nothing for other
 * instructions. A fused multiply-add is two, and a product of m by n by k 2mnk.
 * @param {string} text a line of PTX
 * @returns {{kind: string, ofThread?: number, ofWarp?: number} | undefined}
 */
export function flopsOf(text) {
  const matrix = product.exec(text);
  if (matrix) {
    const [, opcode, m, n, k, types] = matrix;
    const operand = types.split('.').filter(type => /^(f64|tf32|f16|bf16|e4m3|e5m2)$/.test(type) || type === 'f32')[1];
    if (!operand) return undefined; // of integers
    return {kind: `products of ${names[operand] ?? operand}`, ofWarp: 2 * m * n * k / (opcode === 'mma.sync' ? 1 : warpsOfGroup)};
  }
  const one = scalar.exec(text);
  if (!one) return undefined;
  const isPacked = one[2].endsWith('x2');
  return {kind: names[one[2].replace('x2', '')], ofThread: (/^(fma|mad)$/.test(one[1]) ? 2 : 1) * (isPacked ? 2 : 1)};
}

/**
 * Returns the flops of a run by their kind.
 * @param {any} document
 * @returns {Record<string, number>}
 */
export function countFlops({counters, ptx}) {
  const flops = {};
  if (!counters) return flops;
  const lines = (ptx?.text ?? '').split('\n');
  const warp = counters.columns.indexOf('warpInstructions') + 1, thread = counters.columns.indexOf('threadInstructions') + 1;
  for (const row of counters.perPtxLine) {
    const found = flopsOf(lines[row[0] - 1] ?? '');
    if (!found) continue;
    const count = found.ofWarp ? found.ofWarp * row[warp] : found.ofThread * row[thread];
    if (count) flops[found.kind] = (flops[found.kind] ?? 0) + count;
  }
  return flops;
}
