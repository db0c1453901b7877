// The arrays of a case in a device's memory.
#pragma once

#include "tools/tegula/bench/Case.h"

#include <memory>
#include <vector>

namespace tegula::cli::bench {

/// Freed with the object.
class Arrays {
public:
  explicit Arrays(std::shared_ptr<runtime::Device> device) : device(std::move(device)) {}
  ~Arrays();
  Arrays(const Arrays &) = delete;

  /// Makes the arrays of `subject`. Random numbers repeat after a million elements, as making them takes
  /// longer than to measure. Errors: the device's.
  runtime::Result<void> fill(const Case &subject);
  /// What a launch is given.
  const std::vector<HostValue> &values() const { return launched; }

private:
  runtime::Result<runtime::DeviceAddress> make(const std::string &name, const Tensor &tensor);

  std::shared_ptr<runtime::Device> device;
  std::vector<runtime::DeviceAddress> addresses;
  std::vector<HostValue> launched;
};

} // namespace tegula::cli::bench
