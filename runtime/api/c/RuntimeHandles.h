// The objects behind the handles of tegula_runtime.h.
#pragma once

#include "runtime/api/c/Diagnostics.h"
#include "runtime/api/tegula_runtime.h"
#include "runtime/bundle/BundleKernel.h"
#include "runtime/device/Device.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct tegula_error {
  tegula::runtime::Error error;
  tegula::c::DiagnosticList diagnostics;
};

struct tegula_device {
  std::shared_ptr<tegula::runtime::Device> device;
  std::string arch; ///< what kernels are compiled for on it
};

struct tegula_bundle {
  std::shared_ptr<const tegula::bundle::Bundle> bundle;
  std::vector<std::string> names; ///< of kernels, sorted
  std::mutex mutex;               ///< guards `kernels`
  std::map<std::string, std::shared_ptr<tegula::bundle::BundleKernel>, std::less<>>
      kernels; ///< those asked for
};
