// Numbers of bytes.
#include "tools/tegula/output/Sizes.h"

#include <gtest/gtest.h>

using namespace tegula::cli;

namespace {

TEST(Sizes, AreReadWithUnits) {
  for (const auto &[text, bytes] : {std::pair<const char *, uint64_t>{"0", 0},
                                    {"12", 12},
                                    {"3K", 3 << 10},
                                    {"512M", 512 << 20},
                                    {"2G", uint64_t(2) << 30},
                                    {"1T", uint64_t(1) << 40},
                                    {"18446744073709551615", UINT64_MAX},
                                    {"18014398509481983K", UINT64_MAX - 1023}})
    EXPECT_EQ(*parseSize(text, "--limit"), bytes) << text;
  for (const char *text :
       {"", "M", "-1", "1.5G", "5X", "5MB", "5m", " 5", "18446744073709551616", "18014398509481984K"}) {
    auto size = parseSize(text, "--limit");
    ASSERT_FALSE(size) << text;
    EXPECT_EQ(size.error().text,
              std::string("expected a size such as 512M or 2G after `--limit`, found `") + text + "`");
  }
}

TEST(Sizes, AreWrittenWithUnits) {
  EXPECT_EQ(formatSize(0), "0 bytes");
  EXPECT_EQ(formatSize(1), "1 byte");
  EXPECT_EQ(formatSize(1023), "1023 bytes");
  EXPECT_EQ(formatSize(1024), "1 KiB");
  EXPECT_EQ(formatSize(1536), "1.5 KiB");
  EXPECT_EQ(formatSize(uint64_t(1) << 30), "1 GiB");
  EXPECT_EQ(formatSize(uint64_t(5) << 50), "5120 TiB");
}

} // namespace
