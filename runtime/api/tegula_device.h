// Tegula's C++ API: errors, element types, devices, their streams and memory. <tegula/tegula.h> has this and the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#define TEGULA_API __attribute__((visibility("default")))

struct tegula_device;
struct tegula_kernel;
struct tegula_program;

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

/// A message about a place in a source.
struct Message {
  enum class Severity : uint8_t { Note, Warning, Error };
  Severity severity = Severity::Error;
  std::string message;                         ///< lower case, no full stop
  std::string file;                            ///< empty where it is about no file
  uint32_t line = 0;                           ///< from 1; 0 where it is about no line
  uint32_t column = 0, endColumn = 0;          ///< from 1, in code points; the latter is one past the last
  std::string sourceLine;                      ///< the text of the line
  std::string help;                            ///< how to mend it
  std::vector<Message> notes;
};

/// A resource of which there is too little: its name ("shared memory", "registers"), what was asked for, and what there is.
struct Resource {
  std::string name; ///< empty where an error names none
  uint64_t required = 0, limit = 0;
};

class TEGULA_API Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string &text, std::vector<Message> messages = {}, Resource resource = {});
  ~Error() override;
  ErrorKind kind() const noexcept { return errorKind; }
  /// The diagnostics of Compile, where it is about a source, else none.
  const std::vector<Message> &messages() const noexcept { return *list; }
  /// The resource that OutOfResources is about, and Compile where the kernel needs more than its architecture has.
  const Resource &resource() const noexcept { return *lacking; }

private:
  ErrorKind errorKind;
  /// Copies of an exception must not throw.
  std::shared_ptr<const std::vector<Message>> list;
  std::shared_ptr<const Resource> lacking;
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

/// Limits and names of a device.
struct DeviceProperties {
  std::string name;   ///< the driver's name of the chip, "emulator" or "interpreter"
  std::string kind;   ///< "cuda", "emulator" or "interpret"
  std::string arch;   ///< the architecture that kernels are compiled for: "sm_90a"
  std::string driver; ///< its version, empty where there is none
  int ordinal = -1;   ///< of a CUDA device in the driver's order
  uint32_t computeMajor = 0, computeMinor = 0;
  uint32_t multiprocessors = 0, warpSize = 32, maxThreadsPerBlock = 0;
  uint32_t maxSharedPerBlock = 0; ///< bytes that a kernel may opt in to
  uint32_t registersPerMultiprocessor = 0;
  uint64_t totalMemory = 0, l2Bytes = 0; ///< bytes
};

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

  /// Limits and names, read when it was opened.
  DeviceProperties properties() const;

  /// Waits for all launches; throws what went wrong in the first that failed.
  void synchronize() const;

  /// A handle of the C ABI for the same device, to be closed with `tegula_device_close`; and the device of one, which
  /// stays the caller's.
  tegula_device *toC() const;
  static Device fromC(const tegula_device *handle);

  struct Impl;

private:
  explicit Device(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  friend class Buffer;
  friend class Event;
  friend class Kernel;
  friend class Stream;
  std::shared_ptr<Impl> impl;
};

/// An ordered queue of launches on a device. Launches that name none go to the default stream.
class TEGULA_API Stream {
public:
  /// A new stream, which goes with the last copy of this.
  explicit Stream(const Device &device);
  /// A CUstream of the caller's in the primary context of a CUDA device, null for the default stream.
  static Stream foreign(void *handle);

  /// Waits for all that is queued; throws what went wrong in it. Throws InvalidArgument for a stream of the caller's.
  void synchronize() const;
  /// The CUstream; null on other devices.
  void *handle() const;

  struct Impl;

private:
  explicit Stream(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  friend class Event;
  friend class Kernel;
  friend class Variant;
  std::shared_ptr<Impl> impl;
};

/// A point in the work of a stream.
class TEGULA_API Event {
public:
  explicit Event(const Device &device);
  /// Marks the end of what is queued so far, on the default stream or on `stream`.
  void record();
  void record(const Stream &stream);
  /// Waits for the point.
  void synchronize() const;
  /// Milliseconds from `start` to this event, both recorded and done.
  float millisecondsSince(const Event &start) const;

  struct Impl;

private:
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
  /// One that was moved from has no elements.
  Array(Array &&other) noexcept
      : storage(std::move(other.storage)), count(std::exchange(other.count, 0)) {}
  Array &operator=(Array &&other) noexcept {
    storage = std::move(other.storage);
    std::swap(count, other.count);
    return *this;
  }

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

} // namespace v1
} // namespace tegula
