// Values known when compiling, between tegula_c.h and the compiler.
#pragma once

#include "compiler/spec/SourceUnit.h"
#include "dialect/image/Result.h"
#include "runtime/api/tegula_c.h"

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tegula::c {

/// Contexts of host functions that are the library's to give back. Every function of a builder holds all of
/// its builder's, so that they go when none can be called any more.
class OwnedContexts {
public:
  using Release = void (*)(void *context);

  OwnedContexts() = default;
  OwnedContexts(const OwnedContexts &) = delete;
  ~OwnedContexts();
  void add(void *context, Release release) { contexts.emplace_back(context, release); }

private:
  std::vector<std::pair<void *, Release>> contexts;
};

/// The value with all that it holds, copied; `name` is whose value it is, in messages. Its host functions
/// hold `contexts`. Without these it is what a parameter is given: there may be no host functions, and
/// nothing is marked as `tl.constexpr`, which the parameter itself says. Errors: InvalidArgument for what is
/// no value.
runtime::Result<BoundValue> boundValueOf(const tegula_value &value, const std::string &name,
                                         const std::shared_ptr<const OwnedContexts> &contexts = nullptr);

/// Errors: InvalidArgument where a program of `count` sources has none with the number `source`.
runtime::Result<void> requireSource(size_t source, size_t count);

/// Values of the compiler as a host sees them. What they point to lives as long as this, and as the values
/// given.
class ValueViews {
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
