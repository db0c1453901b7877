#include "runtime/emulator/ptx/Type.h"

#include <array>
#include <utility>

namespace tegula::runtime::ptx {

static constexpr std::array<std::pair<std::string_view, Type>, 24> names{{
    {"pred", Type::Pred},   {"b8", Type::B8},         {"b16", Type::B16},     {"b32", Type::B32},
    {"b64", Type::B64},     {"b128", Type::B128},     {"u8", Type::U8},       {"u16", Type::U16},
    {"u32", Type::U32},     {"u64", Type::U64},       {"s8", Type::S8},       {"s16", Type::S16},
    {"s32", Type::S32},     {"s64", Type::S64},       {"f16", Type::F16},     {"f16x2", Type::F16x2},
    {"bf16", Type::BF16},   {"bf16x2", Type::BF16x2}, {"tf32", Type::TF32},   {"f32", Type::F32},
    {"f32x2", Type::F32x2}, {"f64", Type::F64},       {"u16x2", Type::U16x2}, {"s16x2", Type::S16x2},
}};

std::optional<Type> parseType(std::string_view name) {
  for (const auto &[spelling, type] : names)
    if (spelling == name)
      return type;
  return std::nullopt;
}

std::string_view nameOf(Type type) {
  for (const auto &[spelling, candidate] : names)
    if (candidate == type)
      return spelling;
  return "none";
}

} // namespace tegula::runtime::ptx
