// `tegula dap`.
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/DebugCommands.h"
#include "tools/tegula/Documented.h"
#include "tools/tegula/dap/Server.h"
#include "tools/tegula/output/Status.h"

int tegula::cli::dapCommand() {
  serveDap([](std::span<const std::string> words, DebugCommand &command) -> runtime::Result<void> {
    CommandValues values;
    TRY(parseOptions(debugTable(values, command), words));
    return completeLaunch(command);
  });
  return Done;
}
