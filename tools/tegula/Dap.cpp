// `tegula dap`.
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/DebugCommands.h"
#include "tools/tegula/dap/Server.h"
#include "tools/tegula/output/Status.h"

int tegula::cli::dapCommand() {
  serveDap([](std::span<const std::string> words, DebugCommand &command) -> runtime::Result<void> {
    CommandValues values;
    return parseOptions(debugTable(values, command), words);
  });
  return Done;
}
