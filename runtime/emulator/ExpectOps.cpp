// What the compiler took on trust: `//tegula: expect.div.s32 a, b, p, q;`
//
// For the assembler the line is a comment, and for the counts of a launch it is none of its instructions.
// It stands before an access that is wider than could be proven, and holds where the remainders of the
// numbers from a on, as many as the access has elements, follow one another: they do for every a that is
// not negative, and break at a negative multiple of b. Only lanes in which p and q are true, where given,
// are asked.

#include "runtime/emulator/ExpectOps.h"

#include "runtime/emulator/Block.h"
#include "runtime/emulator/Lanewise.h"

#include <fmt/format.h>

#include <bit>

namespace tegula::runtime::ptx {

namespace {

/// The lanes in which predicate `number` is true and known to be.
uint32_t lanesWhere(const Warp &warp, Row number) {
  return number == noRow ? ~0u : warp.predicates[number] & warp.predicateDefined[number];
}

/// src: a, b, and p and q or noRow.
void expectDividend(Warp &warp, const Inst &inst) {
  Counters &count = warp.block->counters()[inst.place];
  --count.warpInstructions;
  count.threadInstructions -= uint64_t(std::popcount(warp.mask));
  const uint32_t asked = warp.mask & warp.defined[inst.src[0]] & warp.defined[inst.src[1]] &
                         lanesWhere(warp, inst.src[2]) & lanesWhere(warp, inst.src[3]);
  const unsigned unused = 64 - bitsOf(inst.type);
  forLanes(asked, [&](uint32_t lane) {
    const int64_t dividend = int64_t(warp.row(inst.src[0])[lane] << unused) >> unused;
    const int64_t divisor = int64_t(warp.row(inst.src[1])[lane] << unused) >> unused;
    if (dividend >= 0 || warp.faulted() || divisor == 0 || (divisor != -1 && dividend % divisor != 0))
      return;
    warp.fault(lane, fmt::format("what is divided here was trusted not to be negative, and is {}: an access "
                                 "takes several elements at once and would miss some",
                                 dividend));
  });
}

} // namespace

bool decodeExpect(Form &form) {
  Inst &inst = form.inst;
  if (!form.take("div") || !form.takeType(inst.type) || (inst.type != Type::S32 && inst.type != Type::S64))
    return form.unsupported();
  inst.run = expectDividend;
  inst.src[2] = inst.src[3] = noRow;
  if (!form.expectOperands(2, 4) || !form.source(0, inst.type, inst.src[0]) ||
      !form.source(1, inst.type, inst.src[1]))
    return false;
  for (size_t i = 2; i < form.size(); ++i) {
    bool negated = false;
    if (!form.predicate(i, inst.src[i], negated))
      return false;
    if (negated)
      return form.wrongOperand(i, "a predicate that is not negated");
  }
  return true;
}

} // namespace tegula::runtime::ptx
