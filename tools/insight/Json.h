// Writes the parts of a document as JSON.
#pragma once

#include "tools/insight/Document.h"

#include "llvm/Support/JSON.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::explain {

/// A stream of JSON with the members that documents have.
class Json : public llvm::json::OStream {
public:
  using OStream::OStream;

  void text(llvm::StringRef key, std::string_view value) { attribute(key, utf8(value)); }
  template <typename T> void number(llvm::StringRef key, T value) { attribute(key, int64_t(value)); }
  template <typename Values> void row(const Values &values) {
    array([&] {
      for (const auto &one : values)
        value(int64_t(one));
    });
  }
  template <typename Values> void row(llvm::StringRef key, const Values &values) {
    attributeBegin(key);
    row(values);
    attributeEnd();
  }
  void tuple(std::initializer_list<int64_t> values) { row(values); }
  void texts(llvm::StringRef key, const std::vector<std::string> &values) {
    attributeArray(key, [&] {
      for (const std::string &one : values)
        value(one);
    });
  }
  void spans(const std::vector<insight::Span> &rows) {
    attributeArray("spans", [&] {
      for (const insight::Span &span : rows)
        tuple({span.line, span.place});
    });
  }
  /// Writes the members of `all` as objects.
  template <typename T, typename Body>
  void objects(llvm::StringRef key, const std::vector<T> &all, Body body) {
    attributeArray(key, [&] {
      for (const T &one : all)
        object([&] { body(one); });
    });
  }
  /// Writes an object of what is known by name.
  template <typename T> void numbers(llvm::StringRef key, const std::map<std::string, T> &all) {
    attributeObject(key, [&] {
      for (const auto &[name, value] : all)
        number(name, value);
    });
  }

private:
  /// Text that JSON can hold.
  static std::string utf8(std::string_view text) {
    const llvm::StringRef given(text.data(), text.size());
    return llvm::json::isUTF8(given) ? given.str() : llvm::json::fixUTF8(given);
  }
};

/// Writes stages, layouts, values, conversions and pressure as members of the object that is open.
void writeInsight(Json &json, const insight::Insight &insight);

/// Writes accesses, counters, events and the roofline of a run as members of the object that is open; of a
/// document without a run, no accesses.
void writeRun(Json &json, const Document &document);

} // namespace tegula::explain
