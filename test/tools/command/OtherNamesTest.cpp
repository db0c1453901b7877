// Options as other tools call them.
#include "tools/tegula/command/OtherNames.h"

#include "tools/tegula/CommandTables.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tegula::cli;

TEST(OtherNames, EachLeadsToItsOptionSomewhere) {
  CommandValues values;
  const std::vector<CommandTable> commands = commandTables(values);
  for (const OtherNames &option : otherNames())
    for (const std::string_view word : option.theirs)
      EXPECT_TRUE(std::any_of(
          commands.begin(), commands.end(),
          [&](const CommandTable &command) { return optionCalled(word, command) == option.ours; }))
          << word << " is nowhere " << option.ours;
}
