// Compares two documents, as text.
#pragma once

#include "dialect/image/Result.h"

#include <string>
#include <string_view>

namespace tegula::explain {

/// Compares two documents as JSON: specification, resources, counts by line of source, findings. Lines are
/// the same where their texts are, wherever they stand. Empty where nothing differs. `name` is what messages
/// call the earlier one. Errors: InvalidArgument where a text is no such document.
runtime::Result<std::string> diffText(std::string_view earlier, const std::string &name,
                                      std::string_view later);

} // namespace tegula::explain
