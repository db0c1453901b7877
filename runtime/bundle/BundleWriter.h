// Writes bundles.
#pragma once

#include "runtime/bundle/Bundle.h"

#include <map>
#include <string>

namespace tegula::bundle {

/// Collects entries; in which order does not matter.
class BundleWriter {
public:
  /// Adds what `Bundle::find` will give for `key`, 32 hexadecimal digits. Of two entries with one key the
  /// first stays.
  void add(const std::string &key, const BundledKernel &kernel);
  /// Adds a text; of two with one name the last stays.
  void addNote(const std::string &name, const std::string &text);
  /// Returns the number of entries.
  size_t size() const { return entries.size(); }
  /// Returns the whole file.
  std::string bytes() const;

private:
  struct Pending {
    Form form;
    std::string target, types, name, bytes;
  };
  std::map<std::string, Pending> entries; ///< by key
};

} // namespace tegula::bundle
