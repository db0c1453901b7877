// Memory that threads see, as numbers: global, shared by a block, a lane's own.
#pragma once

#include "tools/tegula/threads/ThreadSession.h"

#include <optional>
#include <string>

namespace tegula::cli {

/// The spaces by the names that PTX gives them.
std::optional<ThreadSpace> spaceNamed(std::string_view name);

/// The command `shared ADDRESS [COUNT [TYPE]]`, or the same of another space. An address may be the name of a
/// register: what the lane in focus holds in it. Errors: InvalidArgument.
runtime::Result<std::string> memoryText(const ThreadSession &session, ThreadSpace space,
                                        const std::string &words);

/// The element that the words of `watch` mean: of an array, `out[3, 17]`, or `shared ADDRESS [TYPE]`, or of
/// global memory likewise. Errors: InvalidArgument.
runtime::Result<ThreadWatch> watchNamed(const ThreadSession &session, const std::string &words);

} // namespace tegula::cli
