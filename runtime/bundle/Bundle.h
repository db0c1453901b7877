// Compiled kernels in one file, which is mapped and needs no compiler: what `tegula bundle` writes.
//
//     tegula bundle 1
//     <checksum of the line and the table that follow>
//     <version of Tegula> <number of entries> <bytes of the table>
//     <key> <offset> <bytes> <form> <target> <types> <name>     for each entry, in the order of the keys
//     <entry><entry>...                           each as runtime/cache/Entry.h has it, with a checksum
//
// Offsets count from the first entry. Opening a bundle reads its table; an entry is read, and checked, when
// it is asked for. The same kernels give the same bytes on every machine.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/bundle/BundledKernel.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::bundle {

/// The form of an entry.
enum class Form : uint8_t {
  Kernel, ///< a `BundledKernel`
  Plain,  ///< one that does without tensor maps and clusters, where a device refuses them
  Shared, ///< one in which the blocks of a cluster share out a loop (`SplitLoop`), for launches of few
          ///< programs
  Note,   ///< a text under a name, such as what tuning chose
};

inline constexpr std::string_view magic = "tegula bundle 1\n";
/// The words for the forms of entries, in their order.
inline constexpr std::array<std::string_view, 4> formWords = {"kernel", "plain", "shared", "note"};
/// Stands in the table for what an entry does not have.
inline constexpr std::string_view nothingWord = "-";
/// The section of a note.
inline constexpr std::string_view noteSection = "note";

/// The version of Tegula, "0.1.0": a bundle is for the version that wrote it.
std::string_view currentVersion();

/// Returns the key of the note `name`.
std::string noteKey(std::string_view name);

/// A bundle in memory. Immutable, so that any thread may use it.
class Bundle {
public:
  /// A line of the table. Views are into the bundle.
  struct Item {
    std::string_view key; ///< 32 hexadecimal digits, of `runtime/cache/Checksum.h`
    Form form = Form::Kernel;
    std::string_view target; ///< "sm_90a"; "-" of a note
    std::string_view types;  ///< of the parameters of launches, "*fp32:16,i32+"; "-" where there are none
    std::string_view name;
    uint64_t offset = 0, bytes = 0;
  };

  /// Maps a file. Errors: Io; InvalidArgument where it is no bundle, is damaged, or of another version of
  /// Tegula.
  static runtime::Result<std::shared_ptr<const Bundle>> open(const std::string &path);
  /// A bundle that is in memory, such as one that is linked into a program: `bytes` outlive it. `what` stands
  /// for the path in messages. Errors: as of `open`, but for Io.
  static runtime::Result<std::shared_ptr<const Bundle>> view(std::string_view bytes, std::string what);
  ~Bundle();
  Bundle(const Bundle &) = delete;

  /// Returns the file, as messages call it.
  const std::string &path() const { return name; }
  std::span<const Item> items() const { return table; }
  /// Null where there is none.
  const Item *find(std::string_view key) const;
  /// Reads an entry that is a kernel. Errors: InvalidArgument where it is damaged.
  runtime::Result<BundledKernel> read(const Item &item) const;
  /// The text of the note `name`; nothing where there is none, or it is damaged.
  std::optional<std::string> note(std::string_view name) const;

private:
  Bundle(std::string name, std::string_view bytes, bool isMapped)
      : name(std::move(name)), all(bytes), isMapped(isMapped) {}
  runtime::Result<void> readTable();
  std::string_view bytesOf(const Item &item) const { return entries.substr(item.offset, item.bytes); }

  std::string name;
  std::string_view all;
  bool isMapped;
  std::string_view entries; ///< the bytes behind the table
  std::vector<Item> table;
};

} // namespace tegula::bundle
