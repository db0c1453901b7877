#include "tools/tegula/arguments/RunArguments.h"

#include "compiler/spec/Descriptor.h"
#include "compiler/spec/PassedTuple.h"
#include "runtime/host/Files.h"
#include "tools/tegula/arguments/Generators.h"
#include "tools/tegula/arguments/Npy.h"
#include "tools/tegula/output/Status.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using runtime::Error;
using runtime::Result;

/// The elements of a file; fills in what only the file knows.
static Result<std::vector<std::byte>> readArray(ArrayArgument &argument) {
  std::string file = TRY(runtime::readFile(argument.path, physicalMemory()));
  Result<NpyArray> array = parseNpy(file, argument.type);
  if (!array)
    return Error{array.error().kind, fmt::format("cannot read `{}`: {}", argument.path, array.error().text)};
  argument.type = array->type;
  argument.shape = std::move(array->shape);
  if (Result<void> checked = checkOffset(argument); !checked)
    return usageError(fmt::format("`{}`: {}", argument.path, checked.error().text));
  return std::move(array->data);
}

Result<std::vector<std::byte>> contentsOf(ArrayArgument &array, const std::string &name, uint64_t seed) {
  return array.source == ArrayArgument::File ? readArray(array) : generate(array, philoxFor(seed, name));
}

Result<std::unique_ptr<DeviceArray>> DeviceArray::create(std::shared_ptr<runtime::Device> device,
                                                         const std::string &name, ArrayArgument argument,
                                                         uint64_t seed) {
  std::vector<std::byte> data = TRY(contentsOf(argument, name, seed));
  std::unique_ptr<DeviceArray> array(new DeviceArray(std::move(device)));
  array->type = *argument.type;
  array->shape = argument.shape;
  array->bytes = data.size();
  array->offset = argument.offset * scalarKindBytes(array->type);
  array->address = TRY(array->device->allocate(array->bytes));
  if (argument.source != ArrayArgument::Empty && array->bytes)
    TRY(array->device->copyToDevice(array->address, data.data(), array->bytes));
  return array;
}

DeviceArray::~DeviceArray() {
  for (runtime::DeviceAddress each : {address, remembered})
    if (each)
      (void)bool(device->free(each));
}

Result<void> DeviceArray::remember() {
  if (!remembered)
    remembered = TRY(device->allocate(bytes));
  return bytes ? device->copyOnDevice(remembered, address, bytes) : Result<void>();
}

Result<void> DeviceArray::restore() {
  return bytes ? device->copyOnDevice(address, remembered, bytes) : Result<void>();
}

HostValue DeviceArray::argument() const { return HostValue::pointer(address + offset, type); }

Result<std::vector<std::byte>> DeviceArray::download() const {
  std::vector<std::byte> data(bytes);
  if (bytes)
    TRY(device->copyToHost(data.data(), address, bytes));
  return data;
}

Result<DeviceArray *> DeviceArguments::arrayOf(const ParsedArgument &argument) {
  std::unique_ptr<DeviceArray> &array = made[argument.name];
  if (!array)
    array = TRY(DeviceArray::create(device, argument.name, std::get<ArrayArgument>(argument.value), seed));
  return array.get();
}

/// The argument for the part `name` of a descriptor of an array.
static Result<HostValue> partOf(const std::string &name, const DeviceArray &array) {
  const std::string descriptor(descriptorOf(name));
  const size_t rank = array.shape.size();
  const auto parts = descriptorParameters(descriptor, rank, array.type);
  const auto part =
      std::find_if(parts.begin(), parts.end(), [&](const auto &one) { return one.first == name; });
  if (rank == 0 || part == parts.end())
    return usageError(fmt::format("the array `{}` has {} dimensions, other than its blocks: it has no `{}`",
                                  descriptor, rank, name));
  const size_t index = size_t(part - parts.begin());
  if (index == 0)
    return array.argument();
  if (index <= rank)
    return HostValue::integer(array.shape[index - 1]);
  int64_t stride = 1;
  for (size_t axis = index - rank; axis < rank; ++axis)
    stride *= array.shape[axis];
  return HostValue::integer(stride);
}

Result<std::vector<HostValue>> DeviceArguments::valuesOf(const std::vector<ParameterInfo> &parameters) {
  std::vector<HostValue> values;
  for (const ParameterInfo &parameter : parameters) {
    auto found = arguments.find(parameter.name);
    const bool isPart = found == arguments.end();
    if (isPart)
      found = arguments.find(std::string(descriptorOf(parameter.name)));
    if (found == arguments.end()) {
      values.push_back({HostValue::Default});
      continue;
    }
    if (const HostValue *scalar = std::get_if<HostValue>(&found->second.value)) {
      values.push_back(*scalar);
      continue;
    }
    if (std::holds_alternative<TupleArgument>(found->second.value))
      return usageError(fmt::format("parameter `{}` is no tuple", parameter.name));
    DeviceArray *array = TRY(arrayOf(found->second));
    HostValue value = TRY(isPart ? partOf(parameter.name, *array) : Result<HostValue>(array->argument()));
    values.push_back(value);
  }
  return values;
}

BoundValue knownOf(const ParsedArgument &argument) {
  if (argument.blocks)
    return {*argument.blocks};
  const auto *tuple = std::get_if<TupleArgument>(&argument.value);
  if (!tuple)
    return {bound::Passed()};
  bound::Tuple made{.items = {}, .fields = tuple->fields, .typeName = tuple->type};
  for (const ParsedArgument &item : tuple->items)
    made.items.push_back(knownOf(item));
  return {std::move(made)};
}

void bindPassed(const std::map<std::string, ParsedArgument> &arguments, jit::JitKernel::Options &options) {
  for (const auto &[name, argument] : arguments)
    if (parameterOf(name).empty() &&
        (argument.blocks || std::holds_alternative<TupleArgument>(argument.value)))
      options.constexprs.insert_or_assign(name, knownOf(argument));
}

Result<void> bindHeuristics(const std::map<std::string, ParsedArgument> &arguments, KernelChoice &choice) {
  for (const std::string &name : choice.kernel->tuning.heuristics) {
    const auto found = arguments.find(name);
    const auto *given = found == arguments.end() ? nullptr : std::get_if<HostValue>(&found->second.value);
    if (!given)
      continue;
    BoundValue value = TRY(jit::constexprOf(*findParameter(*choice.kernel, name), *given));
    choice.options.constexprs.insert_or_assign(name, std::move(value));
  }
  return {};
}

/// Returns true if `name` is a descriptor or a tuple whose parts a compiled kernel takes.
static bool hasParts(const KernelInfo &kernel, const std::string &name) {
  return llvm::any_of(kernel.parameters, [&](const ParameterInfo &parameter) {
    return !name.empty() && parameterOf(parameter.name) == name;
  });
}

/// The first item of `argument`, or itself, that compiled code has no parameter for; null where there is
/// none.
static const std::string *findExtra(const KernelInfo &kernel, const ParsedArgument &argument) {
  if (const auto *tuple = std::get_if<TupleArgument>(&argument.value)) {
    for (const ParsedArgument &item : tuple->items)
      if (const std::string *extra = findExtra(kernel, item))
        return extra;
    return nullptr;
  }
  const bool isTaken = llvm::any_of(kernel.parameters, [&](const ParameterInfo &parameter) {
    return parameter.name == argument.name || descriptorOf(parameter.name) == argument.name;
  });
  return isTaken ? nullptr : &argument.name;
}

/// `argument` and, of a tuple, its items. A tuple without any says all by itself.
static void addWithItems(ParsedArgument argument, std::map<std::string, ParsedArgument> &arguments) {
  if (const auto *tuple = std::get_if<TupleArgument>(&argument.value))
    for (const ParsedArgument &item : tuple->items)
      addWithItems(item, arguments);
  const std::string name = argument.name;
  arguments.emplace(name, std::move(argument));
}

Result<std::map<std::string, ParsedArgument>> readArguments(const std::vector<std::string> &texts,
                                                            const KernelChoice &choice) {
  std::map<std::string, ParsedArgument> arguments;
  for (const std::string &text : texts) {
    ParsedArgument argument = TRY(parseArgument(text));
    const std::string name = argument.name;
    const ParameterInfo *parameter = findParameter(*choice.kernel, name);
    if (!parameter && !hasParts(*choice.kernel, name))
      return unknownParameter(*choice.kernel, name);
    if (choice.options.constexprs.contains(name) || arguments.contains(name))
      return usageError(fmt::format("`{}` is given twice", name));
    if (parameter && parameter->isConstexpr && !std::holds_alternative<HostValue>(argument.value))
      return usageError(
          std::holds_alternative<ArrayArgument>(argument.value)
              ? fmt::format("parameter `{}` is a `tl.constexpr`: it cannot be an array", name)
              : fmt::format("parameter `{}` is a `tl.constexpr`: give its value with `-D {}=VALUE`", name,
                            name));
    if (!parameter) // of compiled code: its parameters are what there is
      if (const std::string *extra = findExtra(*choice.kernel, argument))
        return unknownParameter(*choice.kernel, *extra);
    addWithItems(std::move(argument), arguments);
  }
  std::vector<std::string> values, missing;
  for (const ParameterInfo &parameter : choice.kernel->parameters)
    if (!parameter.hasDefault && !arguments.contains(parameter.name) &&
        !arguments.contains(std::string(parameterOf(parameter.name))) &&
        !llvm::is_contained(choice.kernel->tuning.heuristics, parameter.name) &&
        !choice.options.constexprs.contains(parameter.name))
      (parameter.isConstexpr ? values : missing).push_back(parameter.name);
  if (!missing.empty())
    return missingParameters(*choice.kernel, missing, "--arg NAME=VALUE");
  if (!values.empty())
    return missingValues(choice, values);
  return arguments;
}

} // namespace tegula::cli
