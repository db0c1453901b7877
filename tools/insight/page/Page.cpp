#include "tools/insight/page/Page.h"

#include "tools/insight/page/Shell.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/SHA256.h"

#include <cstdint>
#include <utility>

namespace tegula::explain {

/// Returns an element with `text` as a zlib stream in base64, which no text can break out of.
static std::string packed(std::string_view id, std::string_view text) {
  llvm::SmallVector<uint8_t, 0> bytes;
  llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(text), bytes,
                                    llvm::compression::zlib::BestSizeCompression);
  return "<script type=\"text/plain\" id=\"" + std::string(id) + "\">" + llvm::encodeBase64(bytes) +
         "</script>\n";
}

/// Returns the source expression by which a policy allows `text` alone.
static std::string hashSource(std::string_view text) {
  return "'sha256-" + llvm::encodeBase64(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text))) + "'";
}

std::string insightPage(std::string_view json, std::string_view before) {
  const std::string policy = "default-src 'none'; base-uri 'none'; form-action 'none'; script-src " +
                             hashSource(shell::boot) + " " + hashSource(shell::script) + "; style-src " +
                             hashSource(shell::style);
  std::string data =
      packed("packed-style", shell::style) + packed("packed-script", shell::script) + packed("insight", json);
  if (!before.empty())
    data += packed("other", before);
  std::string page;
  std::string_view rest = shell::html;
  for (const auto &[mark, text] : {std::pair<std::string_view, std::string_view>{"@POLICY@", policy},
                                   {"@DATA@", data},
                                   {"@BOOT@", shell::boot}}) {
    const size_t at = rest.find(mark);
    page.append(rest.substr(0, at)).append(text);
    rest.remove_prefix(at + mark.size());
  }
  return page.append(rest);
}

} // namespace tegula::explain
