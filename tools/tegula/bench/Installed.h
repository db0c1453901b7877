// Where this executable lies, and the data that is installed beside it.
#pragma once

#include <string>

namespace tegula::cli {

/// `share/tegula/NAME` of an installed Tegula, else `source`, the same folder of the tree that it was built
/// from.
std::string shareFolder(const std::string &name, const std::string &source);

/// Where the Python package `tegula` lies that belongs to this executable: its wheel, or the build; empty where there is
/// none.
std::string packageFolder();

} // namespace tegula::cli
