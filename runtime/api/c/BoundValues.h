// What names of a source mean, between tegula_c.h and the compiler.
#pragma once

#include "compiler/SourceUnit.h"
#include "runtime/api/tegula_c.h"
#include "runtime/device/Result.h"

#include <deque>
#include <string>
#include <vector>

namespace tegula::c {

/// The value with all that it holds, copied; `name` is whose value it is, in messages. Errors:
/// InvalidArgument for what is no value.
runtime::Result<BoundValue> boundValueOf(const tegula_value &value, const std::string &name);

/// Values of the compiler as a host sees them. What they point to lives as long as this, and as the values
/// given.
class HostValues {
public:
  tegula_value convert(const BoundValue &value);

private:
  tegula_value sequence(tegula_value_kind kind, const std::vector<BoundValue> &items);
  tegula_value named(tegula_value_kind kind, const bound::NamedValues &items);

  std::deque<std::string> texts;
  std::deque<std::vector<tegula_value>> elements;
  std::deque<std::vector<const char *>> names;
};

} // namespace tegula::c
