// Texts about a launch that is stopped at the thread level, for a terminal.
#pragma once

#include "compiler/debug/Statements.h"
#include "tools/tegula/threads/ThreadSession.h"

#include <string>

namespace tegula::cli {

/// A stopped launch with the source of its kernel, where that can be read.
struct ThreadSubject {
  ThreadSession &session;
  const debug::Statements &statements;
  std::string file, kernel;
};

/// "kernel.py:12 in helper"; of a place without a line what its function says.
std::string placeText(const CodePlace &place);
/// "block (0, 0, 0), warp 2, lane 5": what is in focus; with the program where it is another than the block.
std::string focusText(const ThreadSession &session);
/// "scale.py:12 in soft, PTX line 95"; of none "behind the last instruction". `hasFolders` as a file has
/// them.
std::string instructionText(const ThreadSession &session, const runtime::ptx::Inst *inst,
                            bool hasFolders = true);
/// The focus with its places, the reason of the stop, and both lines.
std::string threadStopText(const ThreadSubject &subject);
/// "PTX line 95, kernel.py:8, lanes ffffffff", or what a warp waits for, or that it has ended.
std::string warpText(const ThreadSession &session, uint32_t warp, bool hasFolders = true);
/// A line for each warp of the block in focus.
std::string warpsText(const ThreadSession &session);
/// Lines of PTX around the one with number `line`, each statement of the source before what belongs to it.
std::string ptxText(const ThreadSubject &subject, uint32_t line, uint32_t around);
/// The calls of the instruction in focus, the innermost first.
std::string threadCallsText(const ThreadSession &session);

/// Says why none of `programs` of the kernel can be chosen; empty where one can.
std::string whyNoProgram(const std::string &kernel, const LaunchedPrograms &programs);

} // namespace tegula::cli
