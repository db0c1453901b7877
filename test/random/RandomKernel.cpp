// Kernels of each kind, and the files that they stand in.
#include "test/random/RandomKernel.h"
#include "test/random/ArrayKernel.h"
#include "test/random/Generator.h"

#include "llvm/Support/ErrorHandling.h"

namespace tegula::random {

static const char *const prelude = R"(import triton
import triton.language as tl


@triton.jit
def combine_product(a, b):
    return (a * b).to(a.dtype)


@triton.jit
def combine_or(a, b):
    return a | b


@triton.jit
def combine_greater(a, b):
    return tl.where(a > b, a, b)


@triton.jit
def combine_pair(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)


@triton.jit
def combine_affine(a, b, c, d):
    return (a * c).to(a.dtype), (b * c + d).to(b.dtype)


@triton.jit
def map_steps(n):
    steps = 0
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@triton.jit
def map_ordered(a, b):
    if a > b:
        return b, a
    return a, b


@triton.jit
def map_pair(a, b, c, d):
    if a > c:
        a = c
    if b > d:
        b = d
    return a, b


@tl.core._aggregate
class Box:
    first: tl.tensor
    second: tl.tensor
    times: tl.constexpr

    def __init__(self, first, second, times):
        self.first = first
        self.second = second
        self.times = times

    @triton.jit
    def turned(self):
        return Box(self.second, self.first, self.times)

    @triton.jit
    def mixed(self):
        return (self.first ^ (self.second * self.times)).to(self.first.dtype)


@triton.jit
def helper_sort(a, b):
    return tl.minimum(a, b), tl.maximum(a, b)


@triton.jit
def helper_early(a, n):
    if n > 3:
        return a + a
    if n < 0:
        return a ^ a
    return a


)";

/// Source text that only kernels of kind `Rare` need.
static const char *const rarePrelude = R"(from collections import namedtuple
from triton.language.extra import libdevice

RarePair = namedtuple("RarePair", ["first", "rest"])


@triton.jit
def rare_minus(a, b):
    return a - b


@triton.jit
def rare_fold(f, items):
    first, *rest = items
    for item in tl.static_range(len(rest)):
        first = f(first, rest[item]).to(first.dtype)
    return first


@triton.jit(noinline=True)
def rare_apply(f, *items, times: tl.constexpr = 1):
    left, right = items
    for _ in tl.static_range(times):
        left = f(left, right).to(left.dtype)
    return left


@triton.jit
def rare_swapped(pair):
    return pair[::-1]


)";

static void write(std::string &text, const std::vector<Node> &nodes, size_t depth) {
  for (const Node &node : nodes) {
    text += std::string(depth * 4, ' ') + node.text + "\n";
    write(text, node.body, depth + 1);
  }
}

std::string sourceOf(const RandomKernel &kernel) {
  std::string parameters;
  for (const Argument &argument : kernel.arguments)
    parameters += (parameters.empty() ? "" : ", ") + argument.name;
  std::string text = prelude;
  if (kernel.kind == Kind::Rare)
    text += rarePrelude;
  text += "@triton.jit\ndef kernel(" + parameters + "):\n";
  write(text, kernel.body, 1);
  return text;
}

RandomKernel randomKernel(uint64_t seed, const Features &features) {
  switch (features.kind) {
  case Kind::General:
  case Kind::Rare:
    return Generator(seed, features).make();
  case Kind::Dots:
  case Kind::NormalDots:
    return Generator(seed, features).makeDots();
  case Kind::Tiles:
    return Generator(seed, features).makeTiles();
  case Kind::Arrays:
    return ArrayKernel(seed).make();
  }
  llvm_unreachable("every kind has its generator");
}

} // namespace tegula::random
