// Checks of what the compiler assumed; `p` and `q` are the predicates under which a line applies, all lanes
// without them:
//
//     //tegula: expect.div.s32 a, b, p, q;        a is divided by b
//     //tegula: expect.box.s32 a, p;              a box begins at the coordinate a
//     //tegula: expect.apart.b64 a, b, n, p, q;   b lies n bytes behind a
//     //tegula: expect.same.pred a, b, p;         one mask is the other
//     //tegula: expect.assume.lt.s32 a, b;        the program assumes a < b
//     //tegula: expect.assume.pred a;             the program assumes a
//
// For the assembler the line is a comment, and for the counts of a launch it is none of its instructions.
// `div` precedes an access that is wider than could be proven, and holds where the remainders of the numbers
// from a on, as many as the access has elements, follow one another: they do for every a that is not
// negative, and break at a negative multiple of b. Undefined values are not checked.

#include "runtime/emulator/ops/Opcodes.h"

#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace tegula::runtime::ptx {

namespace {

/// The lanes in which predicate `number` is true and known to be.
uint32_t lanesWhere(const Warp &warp, Row number) {
  return number == noRow ? ~0u : warp.predicates[number] & warp.predicateDefined[number];
}

/// Takes the line out of the counts, and returns the lanes that are asked: those in which the first
/// `registers` of `src` are defined and the predicates from `first` on, or noRow, are true.
uint32_t askedLanes(Warp &warp, const Inst &inst, size_t registers, size_t first) {
  Counters &count = warp.block->counters()[inst.place];
  --count.warpInstructions;
  count.threadInstructions -= uint64_t(std::popcount(warp.mask));
  uint32_t asked = warp.faulted() ? 0 : warp.mask;
  for (size_t i = 0; i < registers; ++i)
    asked &= warp.defined[inst.src[i]];
  for (size_t i = first; i < inst.src.size(); ++i)
    asked &= lanesWhere(warp, inst.src[i]);
  return asked;
}

int64_t signedIn(Warp &warp, const Inst &inst, size_t source, uint32_t lane) {
  return signExtend(warp.row(inst.src[source])[lane], bitsOf(inst.type));
}

/// src: a, b, and p and q or noRow.
void expectDividend(Warp &warp, const Inst &inst) {
  forLanes(askedLanes(warp, inst, 2, 2), [&](uint32_t lane) {
    const int64_t dividend = signedIn(warp, inst, 0, lane), divisor = signedIn(warp, inst, 1, lane);
    if (dividend >= 0 || warp.faulted() || divisor == 0 || (divisor != -1 && dividend % divisor != 0))
      return;
    warp.fault(lane,
               "what is divided here was trusted not to be negative, and is {}: an access "
               "takes several elements at once and would miss some",
               dividend);
  });
}

/// src: a, and p or noRow.
void expectInArray(Warp &warp, const Inst &inst) {
  forLanes(askedLanes(warp, inst, 1, 1), [&](uint32_t lane) {
    if (const int64_t start = signedIn(warp, inst, 0, lane); start < 0 && !warp.faulted())
      warp.fault(lane,
                 "where a box of an array begins was trusted not to be negative, and is {}: the "
                 "TMA reads zeros there",
                 start);
  });
}

/// src: a, b, and p and q or noRow; b is `inst.offset` behind a.
void expectApart(Warp &warp, const Inst &inst) {
  forLanes(askedLanes(warp, inst, 2, 2), [&](uint32_t lane) {
    const uint64_t first = warp.row(inst.src[0])[lane], other = warp.row(inst.src[1])[lane];
    if (other != first + uint64_t(inst.offset) && !warp.faulted())
      warp.fault(lane,
                 "elements were claimed to be neighbours (`tl.max_contiguous`, `tl.multiple_of`), and "
                 "are not: one at {:#x} was expected at {:#x}",
                 other, first + uint64_t(inst.offset));
  });
}

/// src: the predicates a, b, and p or noRow.
void expectSame(Warp &warp, const Inst &inst) {
  const uint32_t known = warp.predicateDefined[inst.src[0]] & warp.predicateDefined[inst.src[1]],
                 differ = warp.predicates[inst.src[0]] ^ warp.predicates[inst.src[1]];
  forLanes(askedLanes(warp, inst, 0, 2) & known & differ, [&](uint32_t lane) {
    if (!warp.faulted())
      warp.fault(lane, "elements were claimed to share their mask (`tl.max_constancy`), and do not");
  });
}

/// The order of a number and another one.
enum Order : uint8_t { Less = 1, Equal = 2, Greater = 4 };

struct Comparison {
  std::string_view name, sign;
  uint8_t orders; ///< those for which it holds
};
/// By their numbers, in `Inst::op`.
constexpr Comparison comparisons[] = {{"eq", "==", Equal},  {"ne", "!=", Less | Greater},
                                      {"lt", "<", Less},    {"le", "<=", Less | Equal},
                                      {"gt", ">", Greater}, {"ge", ">=", Greater | Equal}};

template <typename Number>
void checkAssumed(Warp &warp, const Inst &inst, uint32_t lane, Number a, Number b) {
  const Comparison &assumed = comparisons[inst.op];
  const uint8_t order = a < b ? Less : a == b ? Equal : Greater;
  if (!(assumed.orders & order) && !warp.faulted())
    warp.fault(lane, "what the program assumes is false: {} {} {}", a, assumed.sign, b);
}

/// src: a, b.
void expectAssumed(Warp &warp, const Inst &inst) {
  forLanes(askedLanes(warp, inst, 2, 2), [&](uint32_t lane) {
    if (isSigned(inst.type))
      return checkAssumed(warp, inst, lane, signedIn(warp, inst, 0, lane), signedIn(warp, inst, 1, lane));
    const uint64_t mask = lowMask(bitsOf(inst.type));
    checkAssumed(warp, inst, lane, warp.row(inst.src[0])[lane] & mask, warp.row(inst.src[1])[lane] & mask);
  });
}

/// src: the predicate a.
void expectTrue(Warp &warp, const Inst &inst) {
  const uint32_t isFalse = warp.predicateDefined[inst.src[0]] & ~warp.predicates[inst.src[0]];
  forLanes(askedLanes(warp, inst, 0, 1) & isFalse, [&](uint32_t lane) {
    if (!warp.faulted())
      warp.fault(lane, "what the program assumes is false");
  });
}

/// The predicates from operand `first` on, into `src` from `slot` on.
bool takePredicates(Form &form, size_t first, size_t slot) {
  for (size_t i = first; i < form.size(); ++i) {
    bool negated = false;
    if (!form.predicate(i, form.inst.src[slot + i - first], negated))
      return false;
    if (negated)
      return form.wrongOperand(i, "a predicate that is not negated");
  }
  return true;
}

bool takeNumbers(Form &form, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!form.source(i, form.inst.type, form.inst.src[i]))
      return false;
  return true;
}

bool takesType(Form &form, std::initializer_list<Type> types) {
  return form.takeType(form.inst.type) && std::ranges::find(types, form.inst.type) != types.end();
}

bool decodeAssumed(Form &form) {
  Inst &inst = form.inst;
  if (form.take("pred")) {
    inst.run = expectTrue;
    return form.expectOperands(1) && takePredicates(form, 0, 0);
  }
  inst.run = expectAssumed;
  for (const Comparison &one : comparisons)
    if (form.take(one.name)) {
      inst.op = uint8_t(&one - comparisons);
      return takesType(form, {Type::S32, Type::S64, Type::U32, Type::U64})
                 ? form.expectOperands(2) && takeNumbers(form, 2)
                 : form.unsupported();
    }
  return form.unsupported();
}

bool decodeApart(Form &form) {
  Inst &inst = form.inst;
  inst.run = expectApart;
  uint64_t apart = 0;
  if (!takesType(form, {Type::B64}))
    return form.unsupported();
  if (!form.expectOperands(3, 5) || !takeNumbers(form, 2) ||
      !form.immediate(2, apart, "a distance in bytes") || !takePredicates(form, 3, 2))
    return false;
  inst.offset = int64_t(apart);
  return true;
}

} // namespace

bool decodeExpect(Form &form) {
  Inst &inst = form.inst;
  std::ranges::fill(inst.src, noRow);
  if (form.take("assume"))
    return decodeAssumed(form);
  if (form.take("apart"))
    return decodeApart(form);
  if (form.take("same") && form.take("pred")) {
    inst.run = expectSame;
    return form.expectOperands(2, 3) && takePredicates(form, 0, 0);
  }
  if (form.take("box") && takesType(form, {Type::S32})) {
    inst.run = expectInArray;
    return form.expectOperands(1, 2) && takeNumbers(form, 1) && takePredicates(form, 1, 1);
  }
  if (!form.take("div") || !takesType(form, {Type::S32, Type::S64}))
    return form.unsupported();
  inst.run = expectDividend;
  return form.expectOperands(2, 4) && takeNumbers(form, 2) && takePredicates(form, 2, 2);
}

} // namespace tegula::runtime::ptx
