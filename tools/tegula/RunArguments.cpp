#include "tools/tegula/RunArguments.h"

#include "runtime/jit/Files.h"
#include "tools/tegula/Generators.h"
#include "tools/tegula/Npy.h"
#include "tools/tegula/Status.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using jit::HostValue;
using runtime::Error;
using runtime::Result;

/// The elements of a file; fills in what only the file knows.
static Result<std::vector<std::byte>> readArray(ArrayArgument &argument) {
  Result<std::string> file = jit::readFile(argument.path, physicalMemory());
  if (!file)
    return file.error();
  Result<NpyArray> array = parseNpy(*file, argument.type);
  if (!array)
    return Error{array.error().kind, fmt::format("cannot read `{}`: {}", argument.path, array.error().text)};
  argument.type = array->type;
  argument.shape = std::move(array->shape);
  if (Result<void> checked = checkOffset(argument); !checked)
    return usageError(fmt::format("`{}`: {}", argument.path, checked.error().text));
  return std::move(array->data);
}

Result<std::unique_ptr<DeviceArray>> DeviceArray::create(std::shared_ptr<runtime::Device> device,
                                                         const std::string &name, ArrayArgument argument,
                                                         uint64_t seed) {
  Result<std::vector<std::byte>> data = argument.source == ArrayArgument::File
                                            ? readArray(argument)
                                            : generate(argument, philoxFor(seed, name));
  if (!data)
    return data.error();
  std::unique_ptr<DeviceArray> array(new DeviceArray(std::move(device)));
  array->type = *argument.type;
  array->shape = argument.shape;
  array->bytes = data->size();
  array->offset = argument.offset * scalarKindBytes(array->type);
  Result<runtime::DeviceAddress> address = array->device->allocate(array->bytes);
  if (!address)
    return address.error();
  array->address = *address;
  if (argument.source != ArrayArgument::Empty && array->bytes)
    if (Result<void> copied = array->device->copyToDevice(array->address, data->data(), array->bytes);
        !copied)
      return copied.error();
  return array;
}

DeviceArray::~DeviceArray() {
  for (runtime::DeviceAddress each : {address, remembered})
    if (each)
      (void)bool(device->free(each));
}

Result<void> DeviceArray::remember() {
  if (!remembered) {
    Result<runtime::DeviceAddress> made = device->allocate(bytes);
    if (!made)
      return made.error();
    remembered = *made;
  }
  return bytes ? device->copyOnDevice(remembered, address, bytes) : Result<void>();
}

Result<void> DeviceArray::restore() {
  return bytes ? device->copyOnDevice(address, remembered, bytes) : Result<void>();
}

HostValue DeviceArray::argument() const { return HostValue::pointer(address + offset, type); }

Result<std::vector<std::byte>> DeviceArray::download() const {
  std::vector<std::byte> data(bytes);
  if (bytes)
    if (Result<void> copied = device->copyToHost(data.data(), address, bytes); !copied)
      return copied.error();
  return data;
}

Result<std::vector<HostValue>> DeviceArguments::valuesOf(const std::vector<ParameterInfo> &parameters) {
  std::vector<HostValue> values;
  for (const ParameterInfo &parameter : parameters) {
    auto found = arguments.find(parameter.name);
    if (found == arguments.end()) {
      values.push_back({HostValue::Default});
      continue;
    }
    if (const HostValue *scalar = std::get_if<HostValue>(&found->second.value)) {
      values.push_back(*scalar);
      continue;
    }
    std::unique_ptr<DeviceArray> &array = made[parameter.name];
    if (!array) {
      Result<std::unique_ptr<DeviceArray>> created =
          DeviceArray::create(device, parameter.name, std::get<ArrayArgument>(found->second.value), seed);
      if (!created)
        return created.error();
      array = std::move(*created);
    }
    values.push_back(array->argument());
  }
  return values;
}

Result<std::map<std::string, ParsedArgument>> readArguments(const std::vector<std::string> &texts,
                                                            const KernelChoice &choice) {
  std::map<std::string, ParsedArgument> arguments;
  for (const std::string &text : texts) {
    Result<ParsedArgument> argument = parseArgument(text);
    if (!argument)
      return argument.error();
    const std::string name = argument->name;
    const ParameterInfo *parameter = findParameter(*choice.kernel, name);
    if (!parameter)
      return unknownParameter(*choice.kernel, name);
    if (choice.options.constexprs.contains(name) || arguments.contains(name))
      return usageError(fmt::format("`{}` is given twice", name));
    if (parameter->isConstexpr && std::holds_alternative<ArrayArgument>(argument->value))
      return usageError(fmt::format("parameter `{}` is a `tl.constexpr`: it cannot be an array", name));
    arguments.emplace(name, std::move(*argument));
  }
  const std::vector<std::string> &computed = choice.kernel->tuning.heuristics;
  auto isComputed = [&](const std::string &name) {
    return std::find(computed.begin(), computed.end(), name) != computed.end();
  };
  std::vector<std::string> values, missing;
  for (const ParameterInfo &parameter : choice.kernel->parameters)
    if (!parameter.hasDefault && !arguments.contains(parameter.name) && !isComputed(parameter.name) &&
        !choice.options.constexprs.contains(parameter.name))
      (parameter.isConstexpr ? values : missing).push_back(parameter.name);
  if (!missing.empty())
    return missingParameters(*choice.kernel, missing, "--arg NAME=VALUE");
  if (!values.empty())
    return missingValues(choice, values);
  return arguments;
}

} // namespace tegula::cli
