// Functions by which the host side of a kernel file describes its kernels: `triton.Config`, and those that
// make lists of them. They run as Python only, never in a kernel.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "compiler/frontend/eval/names/ModuleNames.h"
#include "compiler/target/Target.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

using Items = llvm::SmallVector<Value, 8>;
using Fields = llvm::SmallVector<std::pair<Value, Value>, 8>;

/// The parameter of `triton.Config` behind those that a launch consists of.
constexpr size_t PreHook = 5;

/// `triton.Config`: an object with the fields that the tuner reads.
Value config(Call &call) {
  if (call.evaluator.frame->mode == Mode::Kernel)
    return call.error("a config cannot be made in a kernel");
  // Hooks before a launch may come from elsewhere; the parts of the launch may not.
  for (size_t i = 0; i < PreHook; ++i)
    if (!call.evaluator.isKnownThroughout(call.value(i), call.rangeOf(i)))
      return Poison();
  const Dict *values = call.value(0).as<Dict>();
  if (!values || values->isRecord)
    return call.errorAt(0, "expected a dict of values by parameter, found " + describe(call.value(0)));
  for (const auto &[key, value] : values->items)
    if (!key.is<std::string_view>())
      return call.errorAt(0, "expected names of parameters as keys, found " + describe(key));
  Fields fields = {{Value(std::string_view("kwargs")), call.value(0)}};
  constexpr std::pair<std::string_view, int> counts[] = {
      {"num_warps", 4}, {"num_stages", 3}, {"num_ctas", 1}};
  for (size_t i = 0; i < std::size(counts); ++i) {
    std::optional<Int> count = call.given(i + 1) ? call.integer(i + 1) : Int(counts[i].second);
    if (!count)
      return Poison();
    if (*count < 0 || *count > 1024)
      return call.errorAt(i + 1, "expected a small count as " + asCode(counts[i].first) + ", found " +
                                     toString(*count));
    fields.emplace_back(counts[i].first, *count);
  }
  std::optional<Int> registers = call.given(4) ? call.integer(4) : Int(0);
  if (!registers)
    return Poison();
  if (call.given(4) && (*registers < 1 || *registers > 255))
    return call.errorAt(4, "expected from 1 to 255 registers as `maxnreg`, found " + toString(*registers));
  fields.emplace_back(std::string_view("maxnreg"), call.given(4) ? Value(*registers) : Value(None()));
  fields.emplace_back(std::string_view("pre_hook"),
                      call.given(PreHook) ? call.value(PreHook) : Value(None()));
  return call.evaluator.memory.record(fields, call.range);
}

/// Returns `triton.runtime.driver.active.get_current_target()`: the target of the compilation.
Value getCurrentTarget(Call &call) {
  llvm::StringRef digits(call.evaluator.spec.target);
  unsigned capability = 0;
  digits.consume_front("sm_");
  digits.consumeInteger(10, capability);
  const std::pair<Value, Value> fields[] = {
      {Value(std::string_view("backend")), Value(std::string_view("cuda"))},
      {Value(std::string_view("arch")), Value(Int(capability))},
      {Value(std::string_view("warp_size")), Value(Int(1) << LaneBits)}};
  return call.evaluator.memory.record(fields, call.range);
}

/// Returns `triton.runtime.driver.active.utils.get_device_properties(0)`, as far as the target decides it.
Value getDeviceProperties(Call &call) {
  const Target *target = lookupTarget(call.evaluator.spec.target);
  if (!target)
    return call.error("the target is not known");
  const std::pair<Value, Value> items[] = {
      {Value(std::string_view("max_shared_mem")), Value(Int(target->maxSharedPerBlock))},
      {Value(std::string_view("max_num_regs")), Value(Int(target->registersPerMultiprocessor))},
      {Value(std::string_view("warpSize")), Value(Int(target->warpSize))}};
  return call.evaluator.memory.dict(items, call.range);
}

/// The only device is the target.
Value getCurrentDevice(Call &call) { return Int(0); }

Value filter(Call &call, const Value &function, llvm::ArrayRef<Value> items) {
  Items kept;
  for (const Value &item : items) {
    Value wanted = function.isNone() ? item : call.evaluator.call(function, item, call.range);
    if (wanted.isPoison() || !call.evaluator.hasValue(wanted, call.range) || !call.evaluator.step(call.range))
      return Poison();
    std::optional<bool> known = truth(wanted);
    if (!known)
      return call.error("expected truths known at compile time, found " + describe(wanted));
    if (*known)
      kept.push_back(item);
  }
  return call.evaluator.memory.tuple(kept, true, call.range);
}

/// `map(function, *sequences)`, as long as the shortest.
Value map(Call &call) {
  if (call.rest.empty())
    return call.error("expected one or more sequences");
  auto rows = call.rowsFromRest();
  if (!rows)
    return Poison();
  Items results;
  for (llvm::ArrayRef<Value> row : *rows) {
    Value result = call.evaluator.call(call.value(0), row, call.range);
    if (result.isPoison() || !call.evaluator.step(call.range))
      return Poison();
    results.push_back(result);
  }
  return call.evaluator.memory.tuple(results, true, call.range);
}

/// `itertools.product`: the last sequence runs fastest.
Value product(Call &call) {
  std::vector<Items> rows(1);
  for (const Argument &argument : call.rest) {
    std::optional<llvm::ArrayRef<Value>> items = call.evaluator.iterate(argument.value, argument.range);
    // Each row is copied once for each item.
    if (!items || !call.evaluator.memory.charge(call.range, rows.size() * items->size() * rows[0].size() + 1))
      return Poison();
    std::vector<Items> longer;
    for (const Items &row : rows)
      for (const Value &item : *items) {
        longer.push_back(row);
        longer.back().push_back(item);
      }
    rows = std::move(longer);
    if (rows.empty())
      break;
  }
  Items tuples;
  for (const Items &row : rows)
    tuples.push_back(call.evaluator.memory.tuple(row, false, call.range));
  return call.evaluator.memory.tuple(tuples, true, call.range);
}

/// `f = triton.constexpr_function(f)`; a function of the language is one already.
Value constexprFunction(Call &call) {
  if (call.value(0).is<BuiltinRef>())
    return call.value(0);
  const Function *function = call.value(0).as<Function>();
  if (!function)
    return call.errorAt(0, "expected a function, found " + describe(call.value(0)));
  Function made = *function;
  made.isHosts = true;
  return made;
}

/// `setattr(module, name, value)`: what a file adds to a module for those that read it afterwards.
Value setattr(Call &call, const Value &object, llvm::StringRef name, const Value &value) {
  if (call.evaluator.frame->mode == Mode::Kernel ||
      !call.evaluator.modules().setAttribute(object, name, value))
    return call.errorAt(0, "expected a module that a file changes before its kernels run, found " +
                               describe(object));
  return None();
}

Value nothing(Call &) { return None(); }

} // namespace

#include "compiler/frontend/builtins/python/BuiltinsHost.inc"
