// JSON texts, made from values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tegula::cli {

/// A value of JSON. Objects keep the order of their members.
class Json {
public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default; ///< null
  Json(bool value) : value(value) {}
  Json(int64_t value) : value(value) {}
  Json(uint64_t value) : value(value) {}
  Json(uint32_t value) : value(uint64_t(value)) {}
  Json(double value) : value(value) {}
  Json(std::string text) : value(std::move(text)) {}
  Json(std::string_view text) : value(std::string(text)) {}
  Json(const char *text) : value(std::string(text)) {}
  Json(Array elements) : value(std::move(elements)) {}
  Json(const std::vector<std::string> &texts) : value(Array(texts.begin(), texts.end())) {}
  Json(Object members) : value(std::move(members)) {}

  /// The text, indented, with an end of line: what has only plain values in it stands on one line. A number
  /// that JSON has no form for (inf, nan) becomes a string, and bytes that are no UTF-8 the replacement
  /// character.
  std::string text() const;

private:
  void append(std::string &out, size_t indent) const;
  bool isPlain() const;

  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, Array, Object> value;
};

/// Returns the elements of `all`, each as `toJson` returns it.
template <typename Range, typename ToJson> Json::Array jsonArray(const Range &all, ToJson toJson) {
  Json::Array made;
  for (const auto &one : all)
    made.push_back(toJson(one));
  return made;
}

} // namespace tegula::cli
