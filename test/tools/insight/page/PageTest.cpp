// The file that shows a report: what it carries, and what it lets a browser do.
#include "tools/insight/page/Page.h"
#include "tools/insight/page/Shell.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/SHA256.h"

#include <gmock/gmock.h>

namespace tegula::explain {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Returns the text of the element `id`, unpacked.
std::string unpack(std::string_view page, std::string_view id) {
  const std::string open = "id=\"" + std::string(id) + "\">";
  const size_t begin = page.find(open);
  if (begin == std::string_view::npos)
    return {};
  const std::string_view text = page.substr(begin + open.size(), page.find('<', begin) - begin - open.size());
  std::vector<char> bytes;
  EXPECT_FALSE(llvm::decodeBase64(text, bytes));
  llvm::SmallVector<uint8_t, 0> unpacked(size_t(1) << 22);
  size_t size = unpacked.size();
  EXPECT_FALSE(llvm::compression::zlib::decompress(llvm::arrayRefFromStringRef({bytes.data(), bytes.size()}),
                                                   unpacked.data(), size));
  return {reinterpret_cast<const char *>(unpacked.data()), size};
}

std::string hashOf(std::string_view text) {
  return "'sha256-" + llvm::encodeBase64(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text))) + "'";
}

TEST(Page, CarriesTheDocumentsByteForByte) {
  const std::string json = "{\"schema\":\"tegula-insight/1\"}",
                    before = "{\"schema\":\"tegula-insight/1\",\"x\":1}";
  const std::string page = insightPage(json, before);
  EXPECT_EQ(unpack(page, "insight"), json);
  EXPECT_EQ(unpack(page, "other"), before);
  EXPECT_EQ(unpack(page, "packed-script"), shell::script);
  EXPECT_EQ(unpack(page, "packed-style"), shell::style);
}

TEST(Page, HasOneDocumentWhereNothingIsCompared) {
  EXPECT_THAT(insightPage("{}"), Not(HasSubstr("id=\"other\"")));
}

TEST(Page, AllowsItsOwnScriptAloneAndNoRequest) {
  const std::string page = insightPage("{}");
  EXPECT_THAT(page,
              HasSubstr("content=\"default-src 'none'; base-uri 'none'; form-action 'none'; script-src " +
                        hashOf(shell::boot) + " " + hashOf(shell::script) + "; style-src " +
                        hashOf(shell::style) + "\""));
  EXPECT_THAT(page, HasSubstr("<script>" + std::string(shell::boot) + "</script>"));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  EXPECT_THAT(page, Not(HasSubstr("unsafe")));
}

TEST(Page, NoTextOfAKernelIsMarkup) {
  const std::string hostile = "</script><script>alert(1)</script><!-- @DATA@ @BOOT@ @POLICY@ \xe2\x80\xae";
  const std::string page = insightPage(hostile);
  EXPECT_THAT(page, Not(HasSubstr("alert")));
  EXPECT_EQ(unpack(page, "insight"), hostile);
}

TEST(Page, ShellIsSmall) { EXPECT_LT(insightPage("{}").size(), size_t(60) * 1024); }

TEST(Page, AScriptEndsNoElement) {
  // A closing tag in the script that stands in the page as it is would end it.
  EXPECT_THAT(std::string(shell::boot), Not(HasSubstr("</script")));
}

} // namespace
} // namespace tegula::explain
