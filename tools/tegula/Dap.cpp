// `tegula dap`.
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Documented.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/dap/Server.h"
#include "tools/tegula/output/Status.h"

int tegula::cli::dapCommand() {
  serveDap([](std::span<const std::string> words) -> runtime::Result<DebugCommand> {
    CommandValues values;
    TRY(parseOptions(debugTable(values), words));
    TRY(completeLaunch(values.debug));
    return std::move(values.debug);
  });
  return Done;
}
