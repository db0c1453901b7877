// Reports of a document, whose text may have changed since.
#pragma once

#include "tools/tegula/lsp/Analysis.h"
#include "tools/tegula/lsp/LineMap.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// Reads the reports of a document, those of an older version too, with lines from one to the other.
class KnownReports {
public:
  explicit KnownReports(const Analysis &analysis)
      : reports(analysis.reports()), path(analysis.file().path()) {
    if (reports && *reports->text != *analysis.document.text) {
      toNow.emplace(*reports->text, *analysis.document.text);
      toThen.emplace(*analysis.document.text, *reports->text);
    }
  }

  explicit operator bool() const { return bool(reports); }
  const std::vector<KernelReport> &kernels() const {
    static const std::vector<KernelReport> none;
    return reports ? reports->kernels : none;
  }
  /// Returns the line of the document that line `then` of the reports is, and the other way round; nothing
  /// where it was changed.
  std::optional<uint32_t> now(uint32_t then) const { return mapped(toNow, then); }
  std::optional<uint32_t> then(uint32_t now) const { return mapped(toThen, now); }

  /// Returns the place with a number, if it is in the document's own file.
  const insight::Place *placeIn(const explain::Document &document, insight::Index number) const {
    if (number == insight::None)
      return nullptr;
    const insight::Place &place = document.insight.places[size_t(number)];
    return document.insight.files[size_t(place.file)] == path ? &place : nullptr;
  }

private:
  static std::optional<uint32_t> mapped(const std::optional<LineMap> &lines, uint32_t line) {
    if (!lines || line == 0)
      return line ? std::optional(line) : std::nullopt;
    const std::optional<uint32_t> found = lines->find(line - 1);
    return found ? std::optional(*found + 1) : std::nullopt;
  }

  std::shared_ptr<const Reports> reports;
  const std::string &path;
  std::optional<LineMap> toNow, toThen;
};

} // namespace tegula::cli
