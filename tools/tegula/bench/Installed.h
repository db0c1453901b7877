// Where this executable lies, and the data that is installed beside it.
#pragma once

#include <filesystem>
#include <string>

namespace tegula::cli {

/// Without links: Tegula's own executable, whatever it was called by.
std::filesystem::path executablePath();

/// `share/tegula/NAME` of an installed Tegula, else `source`, the same folder of the tree that it was built
/// from.
std::string shareFolder(const std::string &name, const std::string &source);

} // namespace tegula::cli
