// Machine code that is none.
#include "tools/insight/CubinFacts.h"

#include <gtest/gtest.h>

#include <string>

using namespace tegula::explain;

TEST(CubinFacts, BytesThatAreNoElfHaveNone) {
  EXPECT_FALSE(readCubin(""));
  EXPECT_FALSE(readCubin("no ELF"));
  EXPECT_FALSE(readCubin("\x7f"
                         "ELF"));
}
