#include "runtime/emulator/warp/ArgumentNames.h"

#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace tegula::runtime::ptx {

namespace {

/// The operands through which an address goes into the result of an instruction: bit i for operand i.
uint32_t operandsOfAddress(std::string_view opcode) {
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  if (name == "mov" || name == "cvta" || name == "sub")
    return 1;
  if (name == "add" || name == "or" || name == "and" || name == "selp" || name == "min" || name == "max")
    return 3;
  return name == "mad" ? 4 : 0; // the product is an offset
}

/// Walks back from the address of an instruction.
class Origins {
public:
  Origins(const Warp &warp, uint32_t lane) : warp(warp), lane(lane), seen(warp.function->rows) {
    for (const Row row : warp.current->src)
      add(row);
    for (size_t i = 0; i < pending.size(); ++i)
      for (const Inst &inst : warp.function->code)
        visit(inst, pending[i]);
  }

  /// Offsets in the launch's parameters.
  const std::vector<uint64_t> &found() const { return offsets; }

private:
  void add(Row row) {
    if (row < seen.size() && !seen[row]) {
      seen[row] = true;
      pending.push_back(row);
    }
  }

  void visit(const Inst &inst, Row wanted) {
    const std::string_view name = warp.block->launch.program->module.opcodes[inst.name];
    if (name.starts_with("ld.param"))
      return visitParameters(inst, wanted);
    if (inst.dst != wanted)
      return;
    const uint32_t operands = operandsOfAddress(name);
    for (size_t i = 0; i < inst.src.size(); ++i)
      if (operands >> i & 1)
        add(inst.src[i]);
  }

  void visitParameters(const Inst &inst, Row wanted) {
    const Row *parts = inst.count == 1 ? &inst.dst : &warp.function->pool[inst.pool];
    const Row *const part = std::find(parts, parts + inst.count, wanted);
    if (part != parts + inst.count)
      offsets.push_back(warp.rows[size_t(inst.src[0]) * lanes + lane] + uint64_t(inst.offset) +
                        uint64_t(part - parts) * inst.bytes);
  }

  const Warp &warp;
  uint32_t lane;
  std::vector<bool> seen;
  std::vector<Row> pending;
  std::vector<uint64_t> offsets;
};

/// An element of an argument.
struct ArgumentElement {
  const KernelParam *parameter;
  int64_t index;
  uint64_t distance;              ///< bytes from the memory that the argument points to
  std::optional<uint64_t> length; ///< elements from the pointer to the end of that
};

ArgumentElement elementOf(LaunchContext &launch, const KernelParam &parameter, uint64_t address) {
  uint64_t pointer = 0;
  std::memcpy(&pointer, launch.params.data() + parameter.offset, sizeof pointer);
  const auto bytes =
      int64_t(parameter.type.starts_with("**") ? 8 : scalarBytes(parameter.type.substr(1)).value_or(1));
  const auto offset = int64_t(address - pointer);
  ArgumentElement element{&parameter, (offset - (offset < 0 ? bytes - 1 : 0)) / bytes, 0, std::nullopt};
  const Allocation *const memory = launch.memory->find(pointer);
  element.distance = uint64_t(std::abs(offset));
  if (!memory || memory->freed)
    return element;
  const uint64_t end = memory->base + memory->size;
  element.length = (end - pointer) / uint64_t(bytes);
  element.distance = address < memory->base ? memory->base - address : address < end ? 0 : address - end;
  return element;
}

/// The nearest of the arguments that the address may come from.
std::optional<ArgumentElement> elementAt(const Warp &warp, uint32_t lane, uint64_t address) {
  LaunchContext &launch = warp.block->launch;
  std::optional<ArgumentElement> nearest;
  const Origins origins(warp, lane);
  for (const uint64_t offset : origins.found())
    for (const KernelParam &parameter : launch.parameters) {
      if (parameter.offset != offset || parameter.kind != ParamKind::Pointer)
        continue;
      const ArgumentElement element = elementOf(launch, parameter, address);
      if (!nearest || element.distance < nearest->distance)
        nearest = element;
    }
  return nearest;
}

} // namespace

std::string addressName(const Warp &warp, uint32_t lane, uint64_t address, uint64_t culprit) {
  std::string name = fmt::format("{:#x}", address);
  if (!warp.current || lane >= lanes || !warp.function)
    return name;
  if (const std::optional<ArgumentElement> element = elementAt(warp, lane, culprit)) {
    name += fmt::format(", `{}[{}]`", element->parameter->name, element->index);
    if (element->length)
      name += fmt::format(" of {}", *element->length);
  }
  return name;
}

} // namespace tegula::runtime::ptx
