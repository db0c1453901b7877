#include "tools/tegula/threads/HeldValues.h"

#include "compiler/driver/names/NamesByMaker.h"
#include "runtime/emulator/ptx/Module.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tegula::cli {

using runtime::ptx::Flow;
using runtime::ptx::Function;
using runtime::ptx::Inst;
using runtime::ptx::lanes;
using runtime::ptx::Warp;

/// The holder of what is in no register that one knows of.
static const std::string nowhere;

/// "i32[64, 64]": the type of a name without the sign, which the IR does not have.
static std::string plainType(std::string_view type) {
  for (const std::string_view sign : {"uint", "int"})
    if (type.starts_with(sign) && type.size() > sign.size())
      return "i" + std::string(type.substr(sign.size()));
  return std::string(type);
}

static std::string typeOf(const insight::HeldValue &value) {
  return value.dtype + (value.shape.empty() ? "" : fmt::format("[{}]", fmt::join(value.shape, ", ")));
}

HeldTable::HeldTable(std::shared_ptr<const insight::Insight> told, const std::vector<KernelName> &bound)
    : known(std::move(told)) {
  const NamesByMaker byMaker(bound);
  for (const insight::HeldValue &value : known->held) {
    std::string &name = names.emplace_back();
    for (const KernelName *one : byMaker.at(*known, value.place))
      if (plainType(one->type) == typeOf(value))
        name = one->name;
  }
}

HeldValues::HeldValues(const HeldTable &table, const CodeLines &code,
                       const runtime::ptx::LaunchContext &launch)
    : table(&table), code(&code) {
  if (!table.known)
    return;
  for (size_t value = 0; value < table.names.size(); ++value) {
    const std::string &name = table.names[value];
    nameOf.push_back(
        name.empty() ? -1 : int32_t(numbers.try_emplace(name, uint32_t(numbers.size())).first->second));
    const insight::Index layout = table.known->held[value].layout;
    uint32_t elements = 1;
    if (layout != insight::None)
      for (const insight::LayoutAxis &axis : table.known->layouts[size_t(layout)].ins)
        if (axis.name == "register")
          elements = 1u << axis.bits;
    firstSlot.push_back(uint32_t(valueOfSlot.size()));
    if (!name.empty())
      valueOfSlot.insert(valueOfSlot.end(), elements, uint32_t(value));
  }
  for (const Function &function : launch.program->module.functions)
    if (function.isEntry) {
      readNotes(function);
      follow(function);
    }
}

void HeldValues::readNotes(const Function &function) {
  for (const insight::HeldElement &note : table->known->heldElements) {
    const size_t value = size_t(note.value);
    if (value >= nameOf.size() || nameOf[value] < 0)
      continue;
    const uint32_t slot = firstSlot[value] + note.element;
    const Inst *first = function.code.data(), *end = first + function.code.size();
    const Inst *next = code->atOrAfter(note.textLine);
    if (!next || next < first || next >= end)
      next = end;
    bool endsBlock = next == end;
    for (uint32_t line = note.textLine; !endsBlock && line < next->line; ++line)
      endsBlock = code->text(line).ends_with(':');
    const Note made{slot, uint32_t(value), &note.holder};
    if (!endsBlock)
      before[next].push_back(made);
    else if (next != first)
      behind[next - 1].push_back(made);
    if (note.holder.starts_with('%'))
      slotsOf[note.holder].push_back(slot);
  }
}

void HeldValues::readWrites(const Function &function, const std::set<uint32_t> &leaders) {
  std::map<std::string, uint32_t> blocks; // by register, by its first instruction
  uint32_t block = 0;
  for (uint32_t pc = 0; pc < function.code.size(); ++pc) {
    block = leaders.contains(pc) ? pc : block;
    for (const std::string &name : writtenRegisters(code->text(function.code[pc].line))) {
      const auto [written, isNew] = blocks.try_emplace(name, block);
      if (isNew)
        writtenInOneBlock.insert(name);
      else if (written->second != block)
        writtenInOneBlock.erase(name);
    }
  }
}

void HeldValues::take(State &state, const Notes &notes, const Inst &inst) const {
  const auto found = notes.find(&inst);
  if (found == notes.end())
    return;
  for (const Note &note : found->second) {
    state.holders[note.slot] = note.holder;
    state.current[size_t(nameOf[note.value])] = int32_t(note.value);
  }
}

void HeldValues::pass(State &state, const Inst &inst) const {
  take(state, before, inst);
  write(state, inst);
  take(state, behind, inst);
}

void HeldValues::write(State &state, const Inst &inst) const {
  for (const std::string &name : writtenRegisters(code->text(inst.line)))
    if (const auto found = slotsOf.find(name); found != slotsOf.end())
      for (const uint32_t slot : found->second)
        if (state.holders[slot] && *state.holders[slot] == name)
          state.holders[slot] = &nowhere;
}

const std::string *HeldValues::meet(const std::string *a, const std::string *b) const {
  if (a == b || (a && b && *a == *b))
    return a;
  const std::string *noted = !a ? b : !b ? a : &nowhere;
  return writtenInOneBlock.contains(*noted) ? noted : &nowhere;
}

void HeldValues::meet(State &state, const State &other) const {
  for (size_t i = 0; i < state.holders.size(); ++i)
    state.holders[i] = meet(state.holders[i], other.holders[i]);
  for (size_t i = 0; i < state.current.size(); ++i) {
    const int32_t a = state.current[i], b = other.current[i];
    state.current[i] = a == b || b == unbound ? a : a == unbound ? b : unknown;
  }
}

void HeldValues::follow(const Function &function) {
  if (function.code.empty() || valueOfSlot.empty())
    return;
  const std::set<uint32_t> leaders = leadersOf(function);
  std::vector<uint32_t> work;
  const auto reach = [&](uint32_t target, const State &state) {
    if (target >= function.code.size())
      return;
    auto [entry, isNew] = entries.try_emplace(&function.code[target], state);
    State met = entry->second;
    meet(met, state);
    if (!isNew && met == entry->second)
      return;
    entry->second = std::move(met);
    work.push_back(target);
  };
  readWrites(function, leaders);
  reach(0, State{Holders(valueOfSlot.size()), std::vector<int32_t>(numbers.size(), unbound)});
  while (!work.empty()) {
    uint32_t pc = work.back();
    work.pop_back();
    State state = entries.at(&function.code[pc]);
    bool goesOn = true;
    do {
      const Inst &inst = function.code[pc++];
      pass(state, inst);
      if (inst.flow == Flow::Jump)
        reach(inst.target, state);
      if (inst.flow == Flow::Table)
        for (uint32_t entry = 0; entry < function.pool[inst.pool]; ++entry)
          reach(function.pool[inst.pool + 1 + entry], state);
      goesOn = (inst.flow != Flow::Jump && inst.flow != Flow::Table) || inst.guard != runtime::ptx::noRow;
    } while (goesOn && pc < function.code.size() && !leaders.contains(pc));
    if (goesOn)
      reach(pc, state);
  }
}

std::optional<HeldValues::State> HeldValues::at(const Warp &warp) const {
  const Inst *there = warp.upcoming().inst;
  if (!there || entries.empty() || !warp.function)
    return std::nullopt;
  const std::vector<Inst> &all = warp.function->code;
  if (all.empty() || there < all.data() || there >= all.data() + all.size())
    return std::nullopt;
  const Inst *first = there;
  while (first > all.data() && !entries.contains(first))
    --first;
  const auto entry = entries.find(first);
  if (entry == entries.end())
    return std::nullopt;
  State state = entry->second;
  for (const Inst *inst = first; inst != there; ++inst)
    pass(state, *inst);
  take(state, before, *there);
  return state;
}

std::vector<std::optional<HeldValues::State>> HeldValues::at(const Warps &warps) const {
  std::vector<std::optional<State>> states;
  for (const Warp *warp : warps)
    states.push_back(at(*warp));
  return states;
}

void HeldValues::forSlotsOf(uint32_t value,
                            llvm::function_ref<void(size_t slot, uint32_t element)> take) const {
  const size_t first = firstSlot[value];
  for (size_t slot = first; slot < valueOfSlot.size() && valueOfSlot[slot] == value; ++slot)
    take(slot, uint32_t(slot - first));
}

std::vector<uint64_t> HeldValues::placesOf(const insight::HeldValue &value, uint32_t element, uint32_t warp,
                                           uint32_t lane) const {
  std::vector<uint64_t> coordinates(value.shape.size());
  if (value.layout == insight::None)
    return coordinates;
  const insight::Layout &layout = table->known->layouts[size_t(value.layout)];
  size_t basis = 0;
  for (const insight::LayoutAxis &axis : layout.ins) {
    const uint32_t index = axis.name == "register" ? element
                           : axis.name == "lane"   ? lane
                           : axis.name == "warp"   ? warp
                                                   : 0;
    for (uint32_t bit = 0; bit < axis.bits; ++bit, ++basis)
      for (size_t out = 0; index >> bit & 1 && out < coordinates.size(); ++out)
        coordinates[out] ^= uint64_t(layout.bases[basis][out]);
  }
  return coordinates;
}

/// The bits that `holder` has in each lane; those of a constant in all.
static RegisterValue read(const Warp &warp, const std::string &holder, const RegisterTypes &types) {
  RegisterValue value;
  if (holder.starts_with('%'))
    return registerNamed(warp, holder, types).value_or(value);
  uint64_t bits = 0;
  std::from_chars(holder.data() + 2, holder.data() + holder.size(), bits, 16);
  value.bits.fill(bits);
  value.defined = ~0u;
  return value;
}

static debug::Value emptyValue(const insight::HeldValue &held, ScalarKind type) {
  debug::Value made;
  const bool isFloat = debug::numberOf(type, 0).isFloat;
  made.kind = held.dtype == "i1" ? debug::Value::Truth : isFloat ? debug::Value::Real : debug::Value::Whole;
  made.shape = held.shape;
  made.type = held.dtype;
  size_t size = 1;
  for (const int64_t side : held.shape)
    size *= size_t(side);
  isFloat ? made.reals.resize(size) : made.wholes.resize(size);
  made.undefined.assign(size, 1);
  return made;
}

std::optional<debug::Value> HeldValues::valueOf(uint32_t number, const Warps &warps,
                                                const std::vector<std::optional<State>> &states,
                                                const RegisterTypes &types) const {
  const auto currentOf = [&](const std::optional<State> &state) {
    return state ? state->current[number] : unknown;
  };
  const auto first = std::ranges::find_if(states, [&](const auto &state) { return currentOf(state) >= 0; });
  if (first == states.end())
    return std::nullopt;
  const int32_t value = currentOf(*first);
  const insight::HeldValue &held = table->known->held[size_t(value)];
  const std::optional<ScalarKind> type = parseScalarKind(held.dtype);
  if (!type)
    return std::nullopt;
  debug::Value made = emptyValue(held, *type);
  const auto set = [&](uint32_t element, uint32_t warp, uint32_t lane, uint64_t bits) {
    size_t index = 0;
    const std::vector<uint64_t> place = placesOf(held, element, warp, lane);
    for (size_t axis = 0; axis < place.size(); ++axis)
      index = index * size_t(held.shape[axis]) + place[axis];
    const debug::Number one = debug::numberOf(*type, bits);
    one.isFloat ? void(made.reals[index] = one.real) : void(made.wholes[index] = one.whole);
    made.undefined[index] = 0;
  };
  for (uint32_t warp = 0; warp < warps.size(); ++warp) {
    // Warps may stand where the name means another value.
    if (currentOf(states[warp]) != value)
      continue;
    forSlotsOf(uint32_t(value), [&](size_t slot, uint32_t element) {
      const std::string *holder = states[warp]->holders[slot];
      const RegisterValue found =
          holder && !holder->empty() ? read(*warps[warp], *holder, types) : RegisterValue();
      for (uint32_t lane = 0; lane < lanes; ++lane)
        if (found.defined >> lane & 1)
          set(element, warp, lane, found.bits[lane]);
    });
  }
  const auto undefined = std::ranges::count(made.undefined, 1);
  if (size_t(undefined) == made.undefined.size())
    return std::nullopt;
  if (!undefined)
    made.undefined.clear();
  return made;
}

std::optional<debug::Value> HeldValues::valueOf(const std::string &name, const Warps &warps,
                                                const RegisterTypes &types) const {
  const auto number = numbers.find(name);
  return number == numbers.end() ? std::nullopt : valueOf(number->second, warps, at(warps), types);
}

std::map<std::string, debug::Value> HeldValues::valuesOf(const Warps &warps,
                                                         const RegisterTypes &types) const {
  std::map<std::string, debug::Value> found;
  const std::vector<std::optional<State>> states = at(warps);
  for (const auto &[name, number] : numbers)
    if (std::optional<debug::Value> value = valueOf(number, warps, states, types))
      found.emplace(name, std::move(*value));
  return found;
}

std::map<std::string, std::string> HeldValues::elementsIn(const Warp &warp, uint32_t number,
                                                          uint32_t lane) const {
  std::map<std::string, std::string> found;
  const std::optional<State> state = at(warp);
  for (const int32_t value : state ? state->current : std::vector<int32_t>())
    if (value >= 0)
      forSlotsOf(uint32_t(value), [&](size_t slot, uint32_t element) {
        const std::string *holder = state->holders[slot];
        if (!holder || !holder->starts_with('%'))
          return;
        const std::vector<uint64_t> place =
            placesOf(table->known->held[size_t(value)], element, number, lane);
        found.try_emplace(*holder, table->names[size_t(value)] +
                                       (place.empty() ? "" : fmt::format("[{}]", fmt::join(place, ", "))));
      });
  return found;
}

} // namespace tegula::cli
