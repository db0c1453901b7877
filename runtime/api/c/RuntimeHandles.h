// The objects behind the handles of tegula_runtime.h.
#pragma once

#include "runtime/api/tegula_c.h"
#include "runtime/bundle/BundleKernel.h"
#include "runtime/device/Device.h"

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tegula {
struct Diagnostic;
} // namespace tegula

namespace tegula::c {

/// Diagnostics of the compiler as the structs of tegula_c.h, with all that the structs point to. Moving
/// leaves the structs where they are.
class DiagnosticList {
public:
  DiagnosticList() = default;
  explicit DiagnosticList(std::shared_ptr<const std::vector<Diagnostic>> source);

  const std::vector<tegula_diagnostic> &all() const { return list; }

private:
  std::vector<tegula_diagnostic> convert(const std::vector<Diagnostic> &source);

  std::shared_ptr<const std::vector<Diagnostic>> source; ///< owns the texts
  std::list<std::vector<tegula_diagnostic>> notes;       ///< of every level
  std::vector<tegula_diagnostic> list;
};

} // namespace tegula::c

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

namespace tegula::c {

/// Opens a device, with the interpreter in libtegula, without it in libtegula-runtime, as
/// `tegula_device_open` says. Errors: InvalidArgument, and the device's.
runtime::Result<tegula_device> openDevice(const std::string &kind);

} // namespace tegula::c
