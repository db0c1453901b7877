// Tegula: compile kernels written in the Triton language and run them, from C++.
//
//     auto device  = tegula::Device::open();                     // CUDA if present, else the emulator
//     auto program = tegula::Program::load("vector_add.py");
//     auto add     = program.kernel("add_kernel").constexpr_("BLOCK_SIZE", 1024).numWarps(4);
//     tegula::Array<float> x(device, xs), y(device, ys), out(device, n);
//     add.launch(device, tegula::cdiv(n, 1024), x, y, out, n);
//     std::vector<float> sum = out.download();
//
// Every failure is a `tegula::Error`. Handles (Device, Program, Kernel) are cheap to copy and may be
// used from several threads; a Buffer belongs to one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define TEGULA_API __attribute__((visibility("default")))

namespace tegula {
// The version is part of every symbol: a program cannot be linked with a library that it does not fit.
inline namespace v1 {

/// Kinds of errors, by who has to mend the cause.
enum class ErrorKind {
  InvalidArgument, ///< the caller passed something unusable; nothing was done
  Compile, ///< the kernel source is wrong (`what()` holds rendered diagnostics), or PTX that nothing takes
  Unavailable,    ///< a driver, device or symbol is missing
  OutOfResources, ///< memory, shared memory, threads or grid exceed what the device has
  Driver,         ///< a driver call failed; `what()` names call, code and kernel
  Fault,          ///< the kernel itself misbehaved while running
  Io,             ///< a file could not be read or written
  Interrupted,    ///< the program asked to give up, through the C ABI
  Frozen,         ///< a kernel would have to be compiled or loaded, and the process has frozen
};

class TEGULA_API Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string &text);
  ~Error() override;
  ErrorKind kind() const noexcept { return errorKind; }

private:
  ErrorKind errorKind;
};

/// Blocks needed for `n` elements, `perBlock` each: the quotient rounded up.
constexpr int64_t cdiv(int64_t n, int64_t perBlock) { return (n + perBlock - 1) / perBlock; }

//===--- element types ----------------------------------------------------------------------===//

/// A scalar type of the language: `fp32` is f32, `bf16` is bf16.
enum class Dtype : uint8_t {
  i1,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64,
  fp8e4nv,
  fp8e5,
  fp8e4b15,
  fp8e4b8,
  fp8e5b16
};

/// Storage of an IEEE half and of a bfloat16. Conversion rounds to nearest even.
struct TEGULA_API f16 {
  uint16_t bits = 0;
  f16() = default;
  explicit f16(double value);
  explicit operator float() const;
};
struct TEGULA_API bf16 {
  uint16_t bits = 0;
  bf16() = default;
  explicit bf16(double value);
  explicit operator float() const;
};

namespace detail {
template <typename T> constexpr Dtype integerDtype() {
  constexpr bool isSigned = std::is_signed_v<T>;
  switch (sizeof(T)) {
  case 1:
    return isSigned ? Dtype::i8 : Dtype::u8;
  case 2:
    return isSigned ? Dtype::i16 : Dtype::u16;
  case 4:
    return isSigned ? Dtype::i32 : Dtype::u32;
  default:
    return isSigned ? Dtype::i64 : Dtype::u64;
  }
}
template <typename T> constexpr Dtype dtypeOf() {
  if constexpr (std::is_same_v<T, f16>)
    return Dtype::f16;
  else if constexpr (std::is_same_v<T, bf16>)
    return Dtype::bf16;
  else if constexpr (std::is_same_v<T, float>)
    return Dtype::f32;
  else if constexpr (std::is_same_v<T, double>)
    return Dtype::f64;
  else if constexpr (std::is_same_v<T, bool>)
    return Dtype::i1;
  else {
    static_assert(std::is_integral_v<T>, "elements are integers, float, double, tegula::f16 or tegula::bf16");
    return integerDtype<T>();
  }
}
} // namespace detail

/// The Dtype of a C++ type.
template <typename T> inline constexpr Dtype dtypeOf = detail::dtypeOf<std::remove_cv_t<T>>();

//===--- devices and memory -----------------------------------------------------------------===//

/// A machine that runs kernels: a GPU, or the emulator.
class TEGULA_API Device {
public:
  /// Opens the device that `kind` names: "auto" (the first CUDA device, else the emulator), "cuda",
  /// "cuda:1", "emulator", "interpret" (the reference interpreter: slow, and no compiler
  /// between the source and its meaning). Without a kind the environment variable TEGULA_DEVICE decides, then
  /// "auto".
  static Device open(std::string_view kind = {});

  /// The driver's name of the chip, or the emulator's own.
  const std::string &name() const;
  /// The architecture that kernels are compiled for, for example "sm_90a".
  std::string arch() const;

  /// Waits for all launches; throws what went wrong in the first that failed.
  void synchronize() const;

  struct Impl;

private:
  explicit Device(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  friend class Buffer;
  friend class Kernel;
  std::shared_ptr<Impl> impl;
};

/// Bytes in a device's memory, freed with the object. They keep the device open.
class TEGULA_API Buffer {
public:
  Buffer(const Device &device, size_t bytes);
  ~Buffer();
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&other) noexcept;

  size_t bytes() const { return size; }
  /// The address in the device's own space, a multiple of 256.
  uint64_t address() const { return start; }

  /// Copies `count` bytes to and from the place `offset` bytes into the buffer, after all launches
  /// so far. Throws InvalidArgument when they do not lie within it.
  void upload(const void *from, size_t count, size_t offset = 0);
  void download(void *to, size_t count, size_t offset = 0) const;

private:
  std::shared_ptr<Device::Impl> device;
  uint64_t start = 0;
  size_t size = 0;
};

/// An address with the type of what lies there: how a part of an array, or memory from elsewhere, is
/// passed to a kernel.
struct Pointer {
  uint64_t address = 0;
  Dtype type = Dtype::i8;
};

/// Elements of type T in a device's memory.
template <typename T> class Array {
  static_assert(!std::is_same_v<T, bool>, "use uint8_t and pass it as tegula::Pointer{address, Dtype::i1}");
  static_assert(std::is_trivially_copyable_v<T>);

public:
  /// `count` elements, not initialised.
  Array(const Device &device, size_t count) : storage(device, bytesFor(count)), count(count) {}
  Array(const Device &device, const std::vector<T> &values) : Array(device, values.size()) { upload(values); }

  size_t size() const { return count; }
  uint64_t address() const { return storage.address(); }
  Buffer &buffer() { return storage; }

  /// Replaces all elements; `values` has as many.
  void upload(const std::vector<T> &values) {
    if (values.size() != count)
      throw Error(ErrorKind::InvalidArgument,
                  "expected " + std::to_string(count) + " elements, found " + std::to_string(values.size()));
    storage.upload(values.data(), count * sizeof(T));
  }
  std::vector<T> download() const {
    std::vector<T> values(count);
    storage.download(values.data(), count * sizeof(T));
    return values;
  }
  /// The elements from `first` on.
  Pointer from(size_t first) const { return {address() + first * sizeof(T), dtypeOf<T>}; }

private:
  static size_t bytesFor(size_t count) {
    if (count > SIZE_MAX / sizeof(T))
      throw Error(ErrorKind::OutOfResources,
                  "an array of " + std::to_string(count) + " elements is too large");
    return count * sizeof(T);
  }
  Buffer storage;
  size_t count;
};

//===--- kernels ----------------------------------------------------------------------------===//

/// The blocks of a launch.
struct Grid {
  int64_t x = 1, y = 1, z = 1;
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>> Grid(T x) : x(int64_t(x)) {}
  Grid(int64_t x, int64_t y, int64_t z = 1) : x(x), y(y), z(z) {}
};

/// One argument of a launch: an array or pointer, a number, a bool, or std::nullopt for None. Integers
/// take the type that their value needs, as in Triton, floats are fp32; `Argument(type, value)` asks
/// for another. A std::tuple of arguments is the kernel's tuple of as many items.
class Argument {
public:
  enum class Kind : uint8_t { None, Bool, Int, UInt, Float, Pointer, Default, Tuple };

  Argument(std::nullopt_t) {}
  Argument(std::nullptr_t) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> Argument(T value) {
    set(value);
  }
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Argument(Dtype type, T value) : Argument(value) {
    this->type = uint8_t(type);
  }
  Argument(Pointer pointer) : kind(Kind::Pointer), type(uint8_t(pointer.type)) {
    value.integer = pointer.address;
  }
  template <typename T> Argument(const Array<T> &array) : Argument(array.from(0)) {}
  /// The items of a tuple are the arguments that follow it.
  static Argument tuple(size_t items) {
    Argument argument(std::nullopt);
    argument.kind = Kind::Tuple;
    argument.value.integer = items;
    return argument;
  }

  Kind kind = Kind::None;
  uint8_t type = 255; ///< a Dtype; 255 for a number whose value says which it needs
  union {
    uint64_t integer; ///< two's complement, or an address
    double floating;
  } value{};

private:
  template <typename T> void set(T number) {
    if constexpr (std::is_same_v<T, bool>) {
      kind = Kind::Bool;
      value.integer = number;
    } else if constexpr (std::is_floating_point_v<T>) {
      kind = Kind::Float;
      value.floating = double(number);
    } else {
      kind = std::is_signed_v<T> || uint64_t(number) <= uint64_t(INT64_MAX) ? Kind::Int : Kind::UInt;
      value.integer = uint64_t(int64_t(number));
    }
  }
};

namespace detail {
inline void addArguments(std::vector<Argument> &list, const Argument &argument) { list.push_back(argument); }
template <typename... Items>
void addArguments(std::vector<Argument> &list, const std::tuple<Items...> &tuple) {
  list.push_back(Argument::tuple(sizeof...(Items)));
  std::apply([&](const auto &...items) { (addArguments(list, items), ...); }, tuple);
}
template <typename T> inline constexpr bool isTuple = false;
template <typename... Items> inline constexpr bool isTuple<std::tuple<Items...>> = true;
} // namespace detail

/// A compile-time value: a number, a bool, a string, a Dtype, or std::nullopt for None.
class Constexpr {
public:
  enum class Kind : uint8_t { None, Bool, Int, UInt, Float, String, Type };

  Constexpr(std::nullopt_t) {}
  Constexpr(std::nullptr_t) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Constexpr(T number) : Constexpr(Argument(number)) {}
  Constexpr(const char *string) : kind(Kind::String), text(string) {}
  Constexpr(std::string string) : kind(Kind::String), text(std::move(string)) {}
  Constexpr(Dtype type) : kind(Kind::Type), dtype(type) {}

  Kind kind = Kind::None;
  Dtype dtype = Dtype::i32;
  uint64_t integer = 0;
  double floating = 0;
  std::string text;

private:
  explicit Constexpr(const Argument &number)
      : kind(Kind(number.kind)), integer(number.kind == Argument::Kind::Float ? 0 : number.value.integer),
        floating(number.kind == Argument::Kind::Float ? number.value.floating : 0) {}
};

/// A kernel with its compile-time values and options. A value: the functions that change one return a
/// new kernel and leave this one as it is. What was loaded is shared by all kernels of a Program.
class TEGULA_API Kernel {
public:
  /// This kernel with the compile-time value of a parameter.
  Kernel constexpr_(std::string_view name, Constexpr value) const;
  /// This kernel with 32 * `count` threads to a block: 1, 2, 4, 8, 16 or 32; 0 for the default,
  /// 4, or what a config or a heuristic says.
  Kernel numWarps(int count) const;
  /// This kernel with loops pipelined in up to `count` stages, 1 to pipeline none; 0 for the default, 3, or
  /// what a config or a heuristic says.
  Kernel numStages(int count) const;
  /// This kernel compiled without these features: names as in `tegula compile --without`, with commas
  /// between; none for an empty text. The default is what TEGULA_WITHOUT says. Throws InvalidArgument for a
  /// name that is no feature's.
  Kernel without(std::string_view features) const;
  /// This kernel with the meaning that its source has in this version of Triton, "3.8", where versions
  /// differ. The default is what TEGULA_TRITON_VERSION says, else "3.6". Throws InvalidArgument for a version
  /// that is not known.
  Kernel tritonVersion(std::string_view version) const;
  /// The number of `triton.Config`s that `triton.autotune` gives the kernel; 0 without one.
  int configCount() const;
  /// This kernel with the compile-time values, warps and stages of its `index`-th config, from 0;
  /// compile-time values that were set before stay. Throws InvalidArgument when there are not so many.
  Kernel config(int index) const;

  const std::string &name() const;

  /// Queues a launch over `grid`. The arguments are the parameters that have no compile-time value,
  /// in order; those at the end that have defaults may be left out. The first launch of a variant
  /// compiles it.
  template <typename... Args> void launch(const Device &device, Grid grid, const Args &...args) const {
    if constexpr ((detail::isTuple<Args> || ...)) {
      std::vector<Argument> list;
      (detail::addArguments(list, args), ...);
      launchWith(device, grid, list.data(), list.size());
    } else {
      const Argument list[sizeof...(Args) + 1] = {Argument(args)..., Argument(std::nullopt)};
      launchWith(device, grid, list, sizeof...(Args));
    }
  }
  void launchWith(const Device &device, Grid grid, const Argument *args, size_t count) const;

  struct Impl;

private:
  explicit Kernel(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  friend class Program;
  std::shared_ptr<Impl> impl;
};

/// A file of kernels, parsed once.
class TEGULA_API Program {
public:
  /// Reads `path`. Mistakes in it are thrown when a kernel is asked for or launched. The modules that it
  /// imports are read, never run, when a kernel needs them: from the folder of the file and the packages that
  /// it is in.
  static Program load(const std::string &path);
  /// The same from text; `name` stands for the path in messages. Nothing that it imports is known.
  static Program parse(const std::string &name, const std::string &text);
  /// The same with folders in which imported modules are looked for, in this order; of a file after its own
  /// places.
  static Program load(const std::string &path, const std::vector<std::string> &importFolders);
  static Program parse(const std::string &name, const std::string &text,
                       const std::vector<std::string> &importFolders);

  /// The kernel called `name`; without a name, the only kernel of the file that no other calls.
  Kernel kernel(std::string_view name = {}) const;
  /// The names of all kernels, in the order of the file.
  std::vector<std::string> kernels() const;

  struct Impl;

private:
  explicit Program(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  std::shared_ptr<Impl> impl;
};

} // namespace v1
} // namespace tegula
