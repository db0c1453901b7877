// ld and st in every space, with vectors and cache modifiers; prefetches.

#include "runtime/emulator/ops/DefinedBytes.h"
#include "runtime/emulator/ops/Opcodes.h"
#include "runtime/emulator/warp/DeviceAccess.h"
#include "runtime/emulator/warp/Traffic.h"
#include "runtime/emulator/warp/Write.h"

#include <algorithm>
#include <cstring>

namespace tegula::runtime::ptx {

namespace {

SharedMemory &sharedOf(const Warp &warp, const Target &target) {
  return (target.owner ? target.owner : warp.block)->shared;
}

/// Returns true if bytes of the target carry a defined value; global memory always does.
bool holdsValue(const Warp &warp, const Target &target, uint32_t start, uint32_t count) {
  if (target.space == Space::Shared)
    return sharedOf(warp, target).isDefined(target.offset + start, count);
  for (uint32_t byte = 0; target.shadow && byte < count; ++byte)
    if (!target.shadow[start + byte])
      return false;
  return true;
}

/// The bytes that a load finds without a defined value, in its registers.
class UndefinedBytes {
public:
  /// Looks at the `width` bytes of register number `part`; with `extends` their sign fills the rest of it.
  void look(const Warp &warp, const Target &target, uint32_t lane, unsigned part, uint32_t width,
            bool extends) {
    for (uint32_t i = 0; i < width; ++i)
      if (!holdsValue(warp, target, part * width + i, 1))
        bytes[part][i] |= uint32_t(1) << lane;
    for (uint32_t i = width; extends && i < bytes[part].size(); ++i)
      bytes[part][i] |= bytes[part][width - 1] & uint32_t(1) << lane;
    found |= 1u << part;
  }
  void mark(Warp &warp, const Row *rows) {
    for (unsigned part = 0; found >> part; ++part) {
      if (!(found >> part & 1))
        continue;
      for (uint32_t &lanes : bytes[part])
        lanes = ~lanes;
      warp.setDefinedBytes(rows[part], bytes[part], bytes[part].size());
    }
  }

private:
  std::array<ByteLanes, 8> bytes{}; ///< of each register, undefined
  unsigned found = 0;
};

/// Returns true if other threads can see the bytes.
bool mayBeShared(const Target &target) {
  return target.space == Space::Shared || target.space == Space::Global;
}

void setHoldsValue(Warp &warp, const Target &target, uint32_t start, uint32_t count, bool isDefined) {
  if (target.space == Space::Shared && !isDefined)
    sharedOf(warp, target).setDefined(target.offset + start, count, false);
  if (target.shadow)
    std::memset(target.shadow + start, isDefined, count);
}

/// Notes which bytes of `row` a lane has stored are defined.
void setHoldsValues(Warp &warp, const Target &target, uint32_t start, uint32_t count, Row row,
                    uint32_t lane) {
  if (warp.isDefined(row, lane))
    return setHoldsValue(warp, target, start, count, true);
  const ByteLanes bytes = warp.definedBytes(row);
  for (uint32_t i = 0; i < count; ++i)
    setHoldsValue(warp, target, start + i, 1, bytes[i] >> lane & 1);
}

/// A launch's parameters are the same for all lanes, and every block begins by loading them: one read for
/// all. False where the load is not of this kind, or not in order.
bool loadParameter(Warp &warp, const Inst &inst) {
  if (inst.space != Space::Param || inst.count != 1 || isSigned(inst.type))
    return false;
  const uint64_t *addresses = warp.row(inst.src[0]);
  const uint64_t address = addresses[0] + uint64_t(inst.offset), end = warp.function->uniformParamBytes;
  if (inst.bytes > end || address > end - inst.bytes || address % inst.bytes != 0 ||
      !std::all_of(addresses, addresses + lanes, [&](uint64_t other) { return other == addresses[0]; }))
    return false;
  uint64_t value = 0;
  std::memcpy(&value, warp.block->launch.params.data() + address, inst.bytes);
  if (warp.mask == ~0u)
    std::fill_n(warp.row(inst.dst), lanes, value);
  else
    forLanes(warp.mask, [&](uint32_t lane) { warp.row(inst.dst)[lane] = value; });
  warp.setDefined(inst.dst, ~0u);
  return true;
}

void load(Warp &warp, const Inst &inst) {
  if (!warp.requireDefined(inst.src[0], "an address") || loadParameter(warp, inst))
    return;
  const Row *parts = inst.count == 1 ? &inst.dst : &warp.function->pool[inst.pool];
  const uint32_t total = uint32_t(inst.bytes) * inst.count;
  const uint64_t keep = lowMask(inst.op); // width of the destination registers
  const bool extend = isSigned(inst.type);
  UndefinedBytes undefined;
  Traffic traffic;
  forTargets(warp, inst, inst.space, total, AccessKind::Load, [&](uint32_t lane, const Target &target) {
    if (!beforeRead(warp, lane, target, total, inst.has(FlagStrong)))
      return;
    if (inst.has(FlagStrong) && mayBeShared(target)) {
      waitOnFabric(warp, lane, inst, target);
      synchronizeAt(warp, inst, target, true, false);
    }
    traffic.add(lane, target);
    for (unsigned i = 0; i < inst.count; ++i) {
      uint64_t value = 0;
      std::memcpy(&value, target.bytes + i * inst.bytes, inst.bytes);
      if (extend)
        value = uint64_t(signExtend(value, inst.bytes * 8u)) & keep;
      const bool isDefined = holdsValue(warp, target, i * inst.bytes, inst.bytes);
      warp.set(parts[i], lane, value, isDefined);
      if (!isDefined)
        undefined.look(warp, target, lane, i, inst.bytes, extend);
    }
  });
  undefined.mark(warp, parts);
  if (!warp.faulted())
    traffic.count(warp, total, false);
}

void store(Warp &warp, const Inst &inst) {
  if (!warp.requireDefined(inst.src[0], "an address"))
    return;
  const Row *parts = inst.count == 1 ? &inst.src[1] : &warp.function->pool[inst.pool];
  const uint32_t total = uint32_t(inst.bytes) * inst.count;
  const bool mustBeDefined = inst.space == Space::Global;
  Observer *const observer = warp.block->launch.observer; // asked for once, not for each lane
  for (unsigned i = 0; mustBeDefined && i < inst.count; ++i)
    if (!warp.requireDefined(parts[i], "a stored value"))
      return;
  Traffic traffic;
  forTargets(warp, inst, inst.space, total, AccessKind::Store, [&](uint32_t lane, const Target &target) {
    std::array<uint8_t, maxAccessBytes> values;
    for (unsigned i = 0; i < inst.count; ++i)
      std::memcpy(&values[i * inst.bytes], &warp.row(parts[i])[lane], inst.bytes);
    // A generic store may turn out to go to global memory.
    if (!mustBeDefined && target.space == Space::Global)
      for (unsigned i = 0; i < inst.count; ++i)
        if (!warp.requireDefined(parts[i], "a stored value"))
          return;
    if (inst.has(FlagStrong) && mayBeShared(target) && !target.owner) {
      signalOnFabric(warp, lane, inst, target, true);
      synchronizeAt(warp, inst, target, false, true);
    }
    if (observer)
      observer->writes({warp, lane, inst, target, total, values.data()});
    if (!beforeWrite(warp, lane, target, total, inst.has(FlagStrong), values.data()))
      return;
    traffic.add(lane, target);
    std::memcpy(target.bytes, values.data(), total);
    for (unsigned i = 0; i < inst.count; ++i)
      setHoldsValues(warp, target, i * inst.bytes, inst.bytes, parts[i], lane);
  });
  if (warp.faulted())
    return;
  traffic.count(warp, total, true);
  if (inst.has(FlagStrong) && warp.block->clocks.handsOn(warp.index, inst.has(FlagRelease)))
    warp.block->tick(warp.index);
}

/// Takes modifiers of order and caching: ordering makes the access strong, caching changes nothing here.
void takeHints(Form &form, bool isLoad) {
  for (const std::string_view strong : {"volatile", "relaxed", "mmio"})
    if (form.take(strong))
      form.inst.flags |= FlagStrong | (strong == "relaxed" ? 0 : FlagSystem);
  if (form.take(isLoad ? "acquire" : "release"))
    form.inst.flags |= FlagStrong | (isLoad ? FlagAcquire : FlagRelease);
  form.takeFlag("sys", FlagSystem);
  for (const std::string_view ignored :
       {"weak", "cta", "cluster", "gpu", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "unified"})
    form.take(ignored);
  form.takeHints("L1::");
  form.takeHints("L2::");
}

/// The value operand: registers of at least the element's width, in a vector where there are several.
bool valueOperands(Form &form, const Operand &value, Type element, unsigned count, bool isLoad) {
  Inst &inst = form.inst;
  const bool wide = element == Type::B128;
  std::vector<Row> rows;
  const auto add = [&](const Operand &operand) {
    Row row = noRow;
    if (!(isLoad ? form.destination(operand, element, row, true) : form.source(operand, element, row, true)))
      return false;
    rows.push_back(row);
    if (wide)
      rows.push_back(row + 1);
    // Vectors of registers of different widths extend to the narrowest: they are all alike in practice.
    const unsigned bits = operand.kind == Operand::Register ? bitsOf(operand.type) : 64;
    inst.op = uint8_t(std::min<unsigned>(inst.op, bits));
    return true;
  };
  inst.op = 64;
  if (wide && value.kind != Operand::Register)
    return false;
  if (value.kind == Operand::Vector ? value.parts.size() != count : count != 1)
    return form.fail("expected as many registers as the access has elements");
  if (value.kind == Operand::Vector) {
    for (const Operand &part : value.parts)
      if (!add(part))
        return false;
  } else if (!add(value)) {
    return false;
  }
  inst.count = uint8_t(rows.size());
  inst.bytes = uint8_t(wide ? 8 : bitsOf(element) / 8);
  if (inst.count == 1) {
    (isLoad ? inst.dst : inst.src[1]) = rows[0];
    return true;
  }
  inst.pool = form.poolSize();
  for (const Row row : rows)
    form.pool(row);
  return true;
}

} // namespace

bool decodeMemory(Form &form) {
  Inst &inst = form.inst;
  const std::string_view name = form.opcode();
  if (name != "ld" && name != "st" && name != "ldu") {
    form.takeHints();
    inst.run = nothing;
    return true;
  }
  const bool isLoad = name != "st";
  if (name != "ldu" && form.take("shared::cluster"))
    inst.space = Space::Cluster;
  else if (!form.takeSpace() && form.take("param::func"))
    inst.space = Space::Param;
  takeHints(form, isLoad);
  const unsigned vector = form.take("v2") ? 2 : form.take("v4") ? 4 : form.take("v8") ? 8 : 1;
  if (!form.takeType(inst.type) || inst.type == Type::Pred || bitsOf(inst.type) * vector > maxAccessBytes * 8)
    return false;
  if (!isFloat(inst.type) && !isInteger(inst.type) && !isUntyped(inst.type) && bitsOf(inst.type) != 32)
    return false;
  inst.run = isLoad ? load : store;
  // A third operand is a cache policy.
  return form.expectOperands(2, 3) && form.address(isLoad ? 1 : 0, 0) &&
         valueOperands(form, form.operand(isLoad ? 0 : 1), inst.type, vector, isLoad);
}

} // namespace tegula::runtime::ptx
