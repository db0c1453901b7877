// The environment with which the process was started.
#pragma once

#include <cstdlib>
#include <string>

namespace tegula::runtime {

/// The environment variable `name`; empty where it is not set.
inline std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

} // namespace tegula::runtime
