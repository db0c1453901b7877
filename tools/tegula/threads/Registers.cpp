#include "tools/tegula/threads/Registers.h"

#include "runtime/emulator/ptx/Parser.h"
#include "runtime/emulator/warp/BlockState.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using runtime::ptx::bitsOf;
using runtime::ptx::Function;
using runtime::ptx::lanes;
using runtime::ptx::Row;
using runtime::ptx::Type;
using runtime::ptx::Warp;

namespace {

/// The type of a row: as it is declared, or where that is a width alone as the code takes it for.
Type typeOf(const Function &function, Row row, const RegisterTypes &types) {
  const Type declared = function.rowTypes[row] == Type::B128 ? Type::B64 : function.rowTypes[row];
  const auto found = types.find(function.rowNames[row]);
  const bool fits = found != types.end() && bitsOf(found->second) == bitsOf(declared);
  return runtime::ptx::isUntyped(declared) && fits ? found->second : declared;
}

RegisterValue valueOf(const Warp &warp, Row row, const RegisterTypes &types) {
  RegisterValue made;
  made.name = warp.function->rowNames[row];
  made.type = typeOf(*warp.function, row, types);
  std::copy_n(warp.rows + size_t(row) * lanes, lanes, made.bits.begin());
  made.defined = warp.defined[row];
  return made;
}

RegisterValue predicateOf(const Warp &warp, Row row) {
  RegisterValue made;
  made.name = warp.function->predicateNames[row];
  made.type = Type::Pred;
  for (uint32_t lane = 0; lane < lanes; ++lane)
    made.bits[lane] = warp.predicates[row] >> lane & 1;
  made.defined = warp.predicateDefined[row];
  return made;
}

std::optional<RegisterValue> specialNamed(const Warp &warp, const std::string &name) {
  const size_t dot = name.find('.');
  const auto special = runtime::ptx::parseSpecial(
      name.substr(0, dot), dot == name.npos ? std::string_view() : std::string_view(name).substr(dot + 1));
  if (!special)
    return std::nullopt;
  RegisterValue made;
  made.name = name;
  made.type = Type::U32;
  made.defined = ~0u;
  for (uint32_t lane = 0; lane < lanes; ++lane)
    made.bits[lane] = warp.block->specialValue(*special, warp.index, lane);
  return made;
}

} // namespace

std::vector<RegisterValue> registersOf(const Warp &warp, const RegisterTypes &types) {
  std::vector<RegisterValue> made;
  if (warp.state == Warp::State::Done)
    return made;
  const Function &function = *warp.function;
  for (Row row = 0; row < function.predicateNames.size(); ++row)
    if (!function.predicateNames[row].empty() && warp.predicateDefined[row])
      made.push_back(predicateOf(warp, row));
  for (Row row = 0; row < function.rowNames.size(); ++row)
    if (const std::string &name = function.rowNames[row]; !name.empty() && warp.defined[row])
      made.push_back(valueOf(warp, row, types));
  return made;
}

std::optional<RegisterValue> registerNamed(const Warp &warp, std::string_view name,
                                           const RegisterTypes &types) {
  if (warp.state == Warp::State::Done)
    return std::nullopt;
  const std::string full = (name.starts_with('%') ? "" : "%") + std::string(name);
  const Function &function = *warp.function;
  for (Row row = 0; row < function.predicateNames.size(); ++row)
    if (function.predicateNames[row] == full)
      return predicateOf(warp, row);
  for (Row row = 0; row < function.rowNames.size(); ++row)
    if (function.rowNames[row] == full)
      return valueOf(warp, row, types);
  return specialNamed(warp, full);
}

/// The number that `bits` are, as a float where the type is one.
static debug::Number numberOf(Type type, uint64_t bits) {
  const unsigned width = bitsOf(type);
  if (type == Type::F32 || type == Type::F64)
    return debug::numberOf(type == Type::F32 ? ScalarKind::Float32 : ScalarKind::Float64, bits);
  debug::Number number;
  number.whole = runtime::ptx::isUnsigned(type) ? int64_t(bits & runtime::ptx::lowMask(width))
                                                : runtime::ptx::signExtend(bits, width);
  number.real = double(number.whole);
  return number;
}

std::string registerText(const RegisterValue &value, uint32_t lane) {
  if (!(value.defined >> lane & 1))
    return "undefined";
  const uint64_t bits = value.bits[lane];
  if (value.type == Type::Pred)
    return bits ? "True" : "False";
  const unsigned width = bitsOf(value.type);
  const std::string shown = fmt::format("{:#0{}x}", bits & runtime::ptx::lowMask(width), width / 4 + 2);
  // An address says nothing in decimal.
  const bool isAddress = width == 64 && value.type != Type::F64 && bits >> 32 && ~bits >> 32;
  return isAddress ? shown : shown + " " + debug::text(numberOf(value.type, bits));
}

debug::Value lanesOf(const RegisterValue &value) {
  debug::Value made;
  const bool isFloat = value.type == Type::F32 || value.type == Type::F64;
  made.kind = value.type == Type::Pred ? debug::Value::Truth
              : isFloat                ? debug::Value::Real
                                       : debug::Value::Whole;
  made.shape = {int64_t(lanes)};
  made.type = std::string(nameOf(value.type));
  made.isRegister = true;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    if (!(value.defined >> lane & 1)) {
      made.addUndefined();
      continue;
    }
    const debug::Number number = numberOf(value.type, value.bits[lane]);
    isFloat ? made.add(number.real)
            : made.add(value.type == Type::Pred ? int64_t(value.bits[lane]) : number.whole);
  }
  return made;
}

} // namespace tegula::cli
