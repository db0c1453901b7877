// Effects and verifiers of PTX by hand and of what the multiprocessor is asked for.
#include "dialect/tile/Tile.h"
#include "dialect/tile/ops/InlineAsm.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Those of what keeps its place among all accesses.
static void addEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SideEffects::DefaultResource::get());
}

//===----------------------------------------------------------------------===//
// inline_asm
//===----------------------------------------------------------------------===//

unsigned tile::bitsOfRegister(char letter) {
  switch (letter) {
  case 'b':
    return 1;
  case 'h':
    return 16;
  case 'r':
  case 'f':
    return 32;
  case 'l':
  case 'd':
    return 64;
  default:
    return 0;
  }
}

AsmPacking tile::packingOf(Type type, unsigned pack) {
  Type element = elementTypeOf(type);
  const unsigned bits = isa<PtrType>(element) ? 64 : element.getIntOrFloatBitWidth();
  const unsigned perRegister = std::min(bits < 32 ? 32 / bits : 1, pack);
  return {perRegister, (pack + perRegister - 1) / perRegister, perRegister * bits};
}

std::optional<SmallVector<AsmRegister>> tile::parseConstraints(StringRef constraints) {
  SmallVector<AsmRegister> registers;
  bool sawClobber = false, sawOperand = false;
  for (StringRef entry : llvm::split(constraints, ',')) {
    entry = entry.trim();
    if (entry.empty() && constraints.trim().empty())
      continue;
    if (entry.starts_with("~{") && entry.ends_with("}")) {
      sawClobber = true;
      continue;
    }
    AsmRegister one;
    one.isResult = entry.consume_front("=");
    if (one.isResult)
      (void)entry.consume_front("&");
    unsigned number = 0;
    if (!one.isResult && !entry.getAsInteger(10, number)) {
      if (number >= registers.size() || !registers[number].isResult)
        return std::nullopt;
      one.tied = number;
      one.letter = registers[number].letter;
    } else if (entry.size() == 1 && bitsOfRegister(entry.front())) {
      one.letter = entry.front();
    } else {
      return std::nullopt;
    }
    if (sawClobber || (one.isResult && sawOperand))
      return std::nullopt;
    sawOperand = sawOperand || !one.isResult;
    registers.push_back(one);
  }
  return registers;
}

bool tile::namesItsRegisters(StringRef text, unsigned registers) {
  for (size_t at = text.find('$'); at != StringRef::npos; at = text.find('$', at)) {
    StringRef rest = text.drop_front(at + 1);
    if (rest.starts_with("$")) {
      at += 2;
      continue;
    }
    const bool braced = rest.consume_front("{");
    unsigned number = 0;
    if (rest.consumeInteger(10, number) || number >= registers || (braced && !rest.consume_front("}")))
      return false;
    at = text.size() - rest.size();
  }
  return true;
}

/// Returns whether every opened scope is closed: else the text would end the function that it is in.
static bool hasPairedBraces(StringRef text) {
  int depth = 0;
  for (char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth < 0)
      return false;
  }
  return depth == 0;
}

/// "3 registers of results (`=r`) and 1 of operands".
static std::string countText(size_t results, size_t operands) {
  return std::to_string(results) + " registers of results (`=r`) and " + std::to_string(operands) +
         " of operands";
}

std::string tile::inlineAsmProblem(StringRef text, StringRef constraints, TypeRange operands,
                                   TypeRange results, unsigned pack) {
  std::optional<SmallVector<AsmRegister>> registers = parseConstraints(constraints);
  if (!registers)
    return "expected constraints such as `=r,r`, results first, of the letters b, h, r, l, f and d, found `" +
           constraints.str() + "`";
  SmallVector<AsmPacking> wanted;
  size_t outputs = 0;
  SmallVector<Type> types = llvm::to_vector(results);
  llvm::append_range(types, operands);
  for (Type type : types) {
    const AsmPacking packing = packingOf(type, pack);
    if (pack % packing.perRegister)
      return "expected packs that fill registers, found " + std::to_string(pack) + " elements a pack and " +
             std::to_string(packing.perRegister) + " a register";
    wanted.append(packing.registers, packing);
  }
  for (Type type : results)
    outputs += packingOf(type, pack).registers;
  const size_t found =
      size_t(llvm::count_if(*registers, [](const AsmRegister &one) { return one.isResult; }));
  if (found != outputs || registers->size() != wanted.size())
    return "expected " + countText(outputs, wanted.size() - outputs) + ", found constraints for " +
           countText(found, registers->size() - found);
  for (auto [one, held] : llvm::zip_equal(*registers, wanted)) {
    const unsigned bits = bitsOfRegister(one.letter);
    if (one.isResult && one.letter == 'r' && held.bits == 64)
      continue;
    const bool isExact = one.letter == 'f' || one.letter == 'd' || one.letter == 'b';
    if (isExact ? bits != held.bits : bits < held.bits)
      return "expected a register of " + std::to_string(held.bits) + " bits, found the constraint `" +
             std::string(1, one.letter) + "` of " + std::to_string(bits);
  }
  if (!namesItsRegisters(text, unsigned(registers->size())))
    return "expected each `$` of the text to be `$$`, or `$N` with a number below " +
           std::to_string(registers->size()) + ", of which there are constraints";
  if (!hasPairedBraces(text))
    return "expected as many `}` as `{` in the text";
  return text.contains('\0') ? "expected a text without zero bytes" : "";
}

LogicalResult InlineAsmOp::verify() {
  // (inline_asm_c1)
  if (getPack() == 0)
    return emitOpError("expected at least one element a pack");
  if (std::string problem =
          inlineAsmProblem(getText(), getConstraints(), getOperandTypes(), getResultTypes(), getPack());
      !problem.empty())
    return emitOpError() << problem;
  return success();
}

void InlineAsmOp::getEffects(Effects &effects) {
  if (!getIsPure())
    addEffects(effects);
}

Interaction InlineAsmOp::getInteractions() {
  return getIsPure() ? Interaction::AsksDevice : Interaction::AsksDevice | Interaction::TouchesMemory;
}

//===----------------------------------------------------------------------===//
// read_special, grid_dependency
//===----------------------------------------------------------------------===//

LogicalResult ReadSpecialOp::verify() {
  // (read_special_c1)
  const unsigned bits = getWhich() == SpecialRegister::GlobalTimer ? 64 : 32;
  if (!getType().isInteger(bits))
    return emitOpError() << "expected an i" << bits << " of `" << stringifySpecialRegister(getWhich())
                         << "`, found " << getType();
  return success();
}

void ReadSpecialOp::getEffects(Effects &effects) {
  if (getWhich() == SpecialRegister::GlobalTimer)
    addEffects(effects);
}

void GridDependencyOp::getEffects(Effects &effects) { addEffects(effects); }

Interaction ReadSpecialOp::getInteractions() { return Interaction::AsksDevice; }
Interaction GridDependencyOp::getInteractions() {
  return Interaction::AsksDevice | Interaction::AwaitsLaunches;
}
