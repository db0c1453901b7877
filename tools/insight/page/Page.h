// Writes a report as one HTML file that shows it: no network, no other file, and no text of a kernel as
// markup.
#pragma once

#include <string>
#include <string_view>

namespace tegula::explain {

/// Returns the page that shows `json`, a document of schema `tegula-insight/1` (insight.schema.json). Where
/// there is `before`, another such document, the page compares the two. The page runs its own script alone:
/// its policy names that by hash and forbids every request.
std::string insightPage(std::string_view json, std::string_view before = {});

} // namespace tegula::explain
