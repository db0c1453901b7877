// Members of JSON that several writers make.
#pragma once

#include "compiler/insight/Insight.h"

#include "llvm/Support/JSON.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::explain {

/// Base of what writes parts of a document.
class JsonParts {
protected:
  explicit JsonParts(llvm::json::OStream &json) : json(json) {}

  void text(llvm::StringRef key, std::string_view value) { json.attribute(key, utf8(value)); }
  template <typename T> void number(llvm::StringRef key, T value) { json.attribute(key, int64_t(value)); }
  template <typename Values> void row(const Values &values) {
    json.array([&] {
      for (const auto &value : values)
        json.value(int64_t(value));
    });
  }
  template <typename Values> void row(llvm::StringRef key, const Values &values) {
    json.attributeArray(key, [&] {
      for (const auto &value : values)
        json.value(int64_t(value));
    });
  }
  void tuple(std::initializer_list<int64_t> values) { row(values); }
  void spans(const std::vector<insight::Span> &rows) {
    json.attributeArray("spans", [&] {
      for (const insight::Span &span : rows)
        tuple({span.line, span.place});
    });
  }
  /// Writes the members of `all` as objects.
  template <typename T, typename Body>
  void objects(llvm::StringRef key, const std::vector<T> &all, Body body) {
    json.attributeArray(key, [&] {
      for (const T &one : all)
        json.object([&] { body(one); });
    });
  }

  llvm::json::OStream &json;

private:
  /// Text that JSON can hold.
  static std::string utf8(std::string_view text) {
    const llvm::StringRef given(text.data(), text.size());
    return llvm::json::isUTF8(given) ? given.str() : llvm::json::fixUTF8(given);
  }
};

} // namespace tegula::explain
