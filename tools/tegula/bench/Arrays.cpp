#include "tools/tegula/bench/Arrays.h"

#include "tools/tegula/arguments/Generators.h"

#include <algorithm>

namespace tegula::cli::bench {

using runtime::DeviceAddress;
using runtime::Result;

/// How many random elements are made.
static constexpr uint64_t madeElements = 1 << 20;

Arrays::~Arrays() {
  for (const DeviceAddress address : addresses)
    (void)bool(device->free(address));
}

/// How the first `count` elements of `tensor` are made.
static ArrayArgument generatorOf(const Tensor &tensor, uint64_t count) {
  ArrayArgument made;
  made.type = tensor.type;
  made.shape = {int64_t(count)};
  if (tensor.fill != Tensor::Random) {
    made.source = ArrayArgument::Zeros;
  } else if (isFloatKind(tensor.type)) {
    made.source = ArrayArgument::Randn;
  } else {
    made.source = ArrayArgument::RandInt;
    made.first = HostValue::integer(tensor.below ? 0 : -128);
    made.second = HostValue::integer(tensor.below ? tensor.below - 1 : 127);
  }
  return made;
}

Result<DeviceAddress> Arrays::make(const std::string &name, const Tensor &tensor) {
  const uint64_t each = scalarKindBytes(tensor.type), bytes = elementCount(tensor.shape) * each;
  Result<DeviceAddress> address = device->allocate(bytes);
  if (!address)
    return address;
  addresses.push_back(*address);
  if (tensor.fill == Tensor::Output || bytes == 0)
    return address;
  std::vector<std::byte> first =
      TRY(generate(generatorOf(tensor, std::min(madeElements, bytes / each)), philoxFor(0, name)));
  TRY(device->copyToDevice(*address, first.data(), first.size()));
  for (uint64_t done = first.size(); done < bytes; done *= 2)
    TRY(device->copyOnDevice(*address + done, *address, std::min(done, bytes - done)));
  return address;
}

Result<void> Arrays::fill(const Case &subject) {
  for (const Argument &argument : subject.arguments) {
    if (const auto *value = std::get_if<HostValue>(&argument.value)) {
      launched.push_back(*value);
      continue;
    }
    const Tensor &tensor = std::get<Tensor>(argument.value);
    DeviceAddress address = TRY(make(argument.name, tensor));
    launched.push_back(HostValue::pointer(address, tensor.type));
  }
  return {};
}

} // namespace tegula::cli::bench
