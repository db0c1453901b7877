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

#include "tegula_device.h"

#include <functional>
#include <map>
#include <optional>
#include <tuple>

namespace tegula {
inline namespace v1 {

//===--- kernels ----------------------------------------------------------------------------===//

/// The blocks of a launch, at least one along each axis: a launch over none throws InvalidArgument.
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

/// An array as a tensor descriptor: `Kernel::constexpr_` with `Constexpr::descriptor` says how large its blocks are.
struct Descriptor {
  Pointer base;
  std::vector<int64_t> shape;   ///< elements along each axis
  std::vector<int64_t> strides; ///< elements from one to the next along each axis; the last is 1
};

namespace detail {
inline void addArguments(std::vector<Argument> &list, const Argument &argument) { list.push_back(argument); }
inline void addArguments(std::vector<Argument> &list, const Descriptor &array) {
  list.push_back(array.base);
  for (int64_t side : array.shape)
    list.push_back(Argument(Dtype::i32, side));
  for (size_t i = 0; i + 1 < array.strides.size(); ++i)
    list.push_back(Argument(Dtype::i64, array.strides[i]));
}
template <typename... Items>
void addArguments(std::vector<Argument> &list, const std::tuple<Items...> &tuple) {
  list.push_back(Argument::tuple(sizeof...(Items)));
  std::apply([&](const auto &...items) { (addArguments(list, items), ...); }, tuple);
}
/// True where an argument of this type is several arguments of a launch.
template <typename T> inline constexpr bool isSeveral = false;
template <typename... Items> inline constexpr bool isSeveral<std::tuple<Items...>> = true;
template <> inline constexpr bool isSeveral<Descriptor> = true;
/// The arguments of a launch.
template <typename... Args> std::vector<Argument> argumentsOf(const Args &...args) {
  std::vector<Argument> list;
  (addArguments(list, args), ...);
  return list;
}
} // namespace detail

class Constexpr;

/// A value of a namespace or a dictionary, or an argument of a host function, which is `""` where it has no
/// name.
struct NamedConstexpr;

/// Computes what a call from a kernel gives, while that is compiled: all arguments are known, those with
/// names come last. What it throws is an error at the call. Called from any thread, and as long as a program,
/// kernel or variant lives that knows it.
using HostFunction = std::function<Constexpr(const std::vector<NamedConstexpr> &arguments)>;

/// A compile-time value: a number, a bool, a string, a Dtype, std::nullopt for None, or what one of its
/// functions makes. It is the value of a parameter (`Kernel::constexpr_`), which is no host function, or of a
/// name in a `Source`, which is no descriptor.
class Constexpr {
public:
  enum class Kind : uint8_t {
    None,
    Bool,
    Int,
    UInt,
    Float,
    String,
    Type,
    Function,
    Descriptor,
    Tuple,
    List,
    Dict,
    Language,
    Namespace,
    Host,
    Unknown
  };

  Constexpr() = default; ///< None
  Constexpr(std::nullopt_t) {}
  Constexpr(std::nullptr_t) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Constexpr(T number) : Constexpr(Argument(number)) {}
  Constexpr(const char *string) : kind(Kind::String), text(string) {}
  Constexpr(std::string string) : kind(Kind::String), text(std::move(string)) {}
  Constexpr(Dtype type) : kind(Kind::Type), dtype(type) {}
  /// The type of pointers to elements of `type`: "*fp32" for f32.
  static Constexpr pointerTo(Dtype type) {
    Constexpr value(type);
    value.integer = 1;
    return value;
  }
  /// A jit function of the program's file, or of a module that it imports: "relu", "acts.relu". Of a program
  /// of several sources one of that with the number `source`.
  static Constexpr function(std::string name, size_t source = 0) {
    Constexpr value(Kind::Function, std::move(name));
    value.integer = source;
    return value;
  }
  /// A parameter that is a tensor descriptor with blocks of these sides; outside of the array a block reads
  /// zeros, or NaN.
  static Constexpr descriptor(std::vector<int64_t> block, bool padsWithNan = false) {
    Constexpr value(Kind::Descriptor, {});
    value.block = std::move(block);
    value.integer = padsWithNan;
    return value;
  }
  static Constexpr tuple(std::vector<Constexpr> items);
  /// A tuple whose items have names, of a type of that name: "Shape" with "m" and "n".
  static Constexpr namedTuple(std::string typeName, std::vector<NamedConstexpr> fields);
  static Constexpr list(std::vector<Constexpr> items);
  static Constexpr dict(std::vector<NamedConstexpr> items);
  /// A part of the language by its dotted name: "triton.language", "triton.language.math.exp".
  static Constexpr language(std::string path) { return {Kind::Language, std::move(path)}; }
  /// A module or an object, of which kernels use these attributes; messages call it `what`: "module
  /// `config`".
  static Constexpr object(std::string what, std::vector<NamedConstexpr> attributes);
  /// A function of the program, called `name`, for kernels to call with what is known when compiling. A
  /// kernel is kept on disk by what its calls gave, so that the function may depend on anything.
  static Constexpr host(std::string name, HostFunction call) {
    Constexpr value(Kind::Host, std::move(name));
    value.call = std::make_shared<const HostFunction>(std::move(call));
    return value;
  }
  /// A value that is an error at its use, which calls it `what`: "a buffer".
  static Constexpr unknown(std::string what) { return {Kind::Unknown, std::move(what)}; }

  Kind kind = Kind::None;
  Dtype dtype = Dtype::i32;
  uint64_t integer = 0; ///< also the source of a function, and 1 of the type of a pointer
  double floating = 0;
  std::string text;
  std::vector<int64_t> block;
  std::vector<Constexpr> items;   ///< of a tuple, list, dictionary or namespace
  std::vector<std::string> names; ///< of the items of the latter two, and of a named tuple
  std::shared_ptr<const HostFunction> call;

private:
  Constexpr(Kind kind, std::string text) : kind(kind), text(std::move(text)) {}
  static Constexpr named(Kind kind, std::string text, std::vector<NamedConstexpr> values);
  explicit Constexpr(const Argument &number)
      : kind(Kind(number.kind)), integer(number.kind == Argument::Kind::Float ? 0 : number.value.integer),
        floating(number.kind == Argument::Kind::Float ? number.value.floating : 0) {}
};

struct NamedConstexpr {
  std::string name;
  Constexpr value;
};

inline Constexpr Constexpr::tuple(std::vector<Constexpr> items) {
  Constexpr value(Kind::Tuple, {});
  value.items = std::move(items);
  return value;
}
inline Constexpr Constexpr::list(std::vector<Constexpr> items) {
  Constexpr value(Kind::List, {});
  value.items = std::move(items);
  return value;
}
inline Constexpr Constexpr::named(Kind kind, std::string text, std::vector<NamedConstexpr> values) {
  Constexpr made(kind, std::move(text));
  for (NamedConstexpr &item : values) {
    made.items.push_back(std::move(item.value));
    made.names.push_back(std::move(item.name));
  }
  return made;
}
inline Constexpr Constexpr::namedTuple(std::string typeName, std::vector<NamedConstexpr> fields) {
  return named(Kind::Tuple, std::move(typeName), std::move(fields));
}
inline Constexpr Constexpr::dict(std::vector<NamedConstexpr> items) {
  return named(Kind::Dict, {}, std::move(items));
}
inline Constexpr Constexpr::object(std::string what, std::vector<NamedConstexpr> attributes) {
  return named(Kind::Namespace, std::move(what), std::move(attributes));
}

/// The outcome of compiling a variant.
struct VariantProperties {
  std::string kernel, entry, arch;              ///< its name in the source and in the PTX; "sm_90a"
  uint32_t numWarps = 0, numStages = 0;         ///< as asked for
  uint32_t threads = 0;                         ///< of a block
  uint32_t sharedBytes = 0;                     ///< of a block
  uint32_t registers = 0, spillBytes = 0;       ///< of a thread; 0 where nothing was assembled
  uint32_t programsPerBlock = 1;                ///< several small programs may share one
  uint32_t blocksPerMultiprocessor = 0;         ///< of a persistent kernel; 0 of any other
  void *function = nullptr;                     ///< the CUfunction; null on other devices
};

/// A kernel compiled for facts about its arguments.
class TEGULA_API Variant {
public:
  VariantProperties properties() const;
  /// The text of a stage ("tile", "distributed", "scheduled", "llvm", "llvmir", "ptx"), or machine code ("cubin").
  std::string stage(std::string_view name) const;
  std::string ptx() const { return stage("ptx"); }
  /// Launches exactly this variant: that its facts hold of the arguments is the caller's to know.
  template <typename... Args> void launch(Grid grid, const Args &...args) const {
    const std::vector<Argument> list = detail::argumentsOf(args...);
    launchWith(grid, list.data(), list.size(), Stream::foreign(nullptr));
  }
  void launchWith(Grid grid, const Argument *args, size_t count, const Stream &stream) const;

  struct Impl;

private:
  explicit Variant(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  friend class Kernel;
  std::shared_ptr<Impl> impl;
};

/// Returns the offers of all ranks under `key`, in their order: the same on every rank, each of which has
/// offered one. What it throws ends the tuning of this rank; a function that waits for the others throws
/// where one does not answer in time, and says which.
using Agree = std::function<std::vector<std::string>(const std::string &key, const std::string &offer)>;

/// Has `Kernel::tune` find one config with the other ranks of a program from now on, `rank` being this
/// process among `world`; an empty function ends that. A kernel that communicates is measured by all ranks at
/// a time, and the slowest counts; the configs of any other are divided over them. All ranks tune the same
/// kernels in the same order. Throws InvalidArgument for a rank that is not below `world`.
TEGULA_API void setAgreement(int rank, int world, Agree agree);

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

  /// The compile-time value of an integer parameter, of a config too; nothing where it has none, or another.
  std::optional<int64_t> constant(std::string_view name) const;
  /// Measures the configs on `device` with these arguments, and returns the number of the fastest, for
  /// `config`. `grid` is asked for the grid of each of them. The kernel is launched many times: what it adds
  /// to its arrays it adds as often. Together with other ranks where `setAgreement` says so. Throws
  /// InvalidArgument where there are no configs, OutOfResources where none of them can be used.
  template <typename... Args>
  int tune(const Device &device, const std::function<Grid(const Kernel &)> &grid, const Args &...args) const {
    const std::vector<Argument> list = detail::argumentsOf(args...);
    return tuneWith(device, grid, list.data(), list.size());
  }
  int tuneWith(const Device &device, const std::function<Grid(const Kernel &)> &grid, const Argument *args,
               size_t count) const;

  const std::string &name() const;

  /// This kernel with so many registers to a thread at most; 0 for what the compiler asks for.
  Kernel maxRegisters(int count) const;
  /// This kernel with its `device_assert`s, and with checks of sums and products of integers where `overflowChecks`.
  Kernel debug(bool on = true, bool overflowChecks = true) const;
  /// This kernel with or without multiply-adds of what the source writes as two operations; with is the default.
  Kernel fpFusion(bool on) const;
  /// This kernel with this precision of `tl.dot` where the source names none: "ieee"; the default is "tf32".
  Kernel dotPrecision(std::string_view name) const;
  /// This kernel with functions of a file of LLVM bitcode, behind those of libraries that it has; messages call the library
  /// `name`. Throws InvalidArgument where either is empty. A kernel that calls a function that none has does not compile.
  Kernel externLib(std::string_view name, std::string_view path) const;
  /// This kernel compiled for an architecture, "sm_80"; the default is the one that the device runs best.
  Kernel arch(std::string_view name) const;
  /// This kernel with launches whose programs all run at once, or that are refused; and with launches that may begin before
  /// the kernel in front of them on the stream has ended.
  Kernel cooperative(bool on = true) const;
  Kernel programmatic(bool on = true) const;
  /// This kernel with clusters of 2, 4 or 8 blocks, which share the loop of each program where it adds up products; 1, the
  /// default, has each launch find out how many are best.
  Kernel ctas(int count) const;

  /// Queues a launch over `grid`. The arguments are the parameters that have no compile-time value,
  /// in order; those at the end that have defaults may be left out. The first launch of a variant
  /// compiles it.
  template <typename... Args> void launch(const Device &device, Grid grid, const Args &...args) const {
    withArguments([&](const Argument *list, size_t count) { launchWith(device, grid, list, count); }, args...);
  }
  /// The same on a stream of the device.
  template <typename... Args>
  void launchOn(const Stream &stream, const Device &device, Grid grid, const Args &...args) const {
    withArguments([&](const Argument *list, size_t count) { launchWith(device, grid, list, count, stream); }, args...);
  }
  void launchWith(const Device &device, Grid grid, const Argument *args, size_t count) const;
  void launchWith(const Device &device, Grid grid, const Argument *args, size_t count, const Stream &stream) const;

  /// The variant that a launch with these arguments uses, compiled and loaded now where it is not yet, and launched
  /// nowhere.
  template <typename... Args> Variant prepare(const Device &device, const Args &...args) const {
    const std::vector<Argument> list = detail::argumentsOf(args...);
    return prepareWith(device, list.data(), list.size());
  }
  Variant prepareWith(const Device &device, const Argument *args, size_t count) const;
  /// The variant for parameters of these types, in the spelling of signatures ("*fp32:16", "i32:16+", "i32=1"), compiled
  /// for `arch()` and loaded on no device.
  Variant compile(const std::vector<std::string> &types) const;

  /// A handle of the C ABI for the same kernel, to be freed with `tegula_kernel_free`; and the kernel of one, which stays
  /// the caller's.
  tegula_kernel *toC() const;
  static Kernel fromC(const tegula_kernel *handle);

  struct Impl;

private:
  template <typename Take, typename... Args> static void withArguments(Take take, const Args &...args) {
    if constexpr ((detail::isSeveral<Args> || ...)) {
      const std::vector<Argument> list = detail::argumentsOf(args...);
      take(list.data(), list.size());
    } else {
      const Argument list[sizeof...(Args) + 1] = {Argument(args)..., Argument(std::nullopt)};
      take(list, sizeof...(Args));
    }
  }
  explicit Kernel(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  friend class Program;
  std::shared_ptr<Impl> impl;
};

/// A source of a program, and what the names in it mean.
struct Source {
  std::string path;       ///< of the file that the text stands in, for messages
  std::string text;       ///< may be indented as a whole
  uint32_t firstLine = 1; ///< of the text within the file; 0 if its first line is put in front of the file's
  /// Values of names that the text itself does not define, all bound as `tl.constexpr`. Where there are any,
  /// and where the text is one function, statements that import or assign at its top are not looked at: "tl"
  /// is one of the names too. A name that is bound to nothing is one of Python's own or an error at its use.
  std::map<std::string, Constexpr> names = {};
};

/// A file of kernels, or several sources of such, parsed once.
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

  /// A program of several sources, that offers the kernels of the one with the number `entry`. Throws
  /// InvalidArgument where there are not so many, and for a value that is none of a name.
  static Program parse(std::vector<Source> sources, size_t entry = 0);

  /// The kernel called `name`; without a name, the only kernel of the file that no other calls.
  Kernel kernel(std::string_view name = {}) const;
  /// The names of all kernels, in the order of the file.
  std::vector<std::string> kernels() const;
  /// The warnings and static prints of compilations since the last call.
  std::vector<Message> takeMessages();

  /// A handle of the C ABI for the same program, to be freed with `tegula_program_free`; and the program of one, which
  /// stays the caller's.
  tegula_program *toC() const;
  static Program fromC(const tegula_program *handle);

  struct Impl;

private:
  explicit Program(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  std::shared_ptr<Impl> impl;
};

/// Takes kernels from a file that `tegula bundle` wrote before they are looked for in the cache or compiled. Throws
/// InvalidArgument for one that is none, or of another version.
TEGULA_API void loadBundle(const std::string &path);
/// Loads all kernels of the bundles that are compiled for `device` there, and returns how many.
TEGULA_API size_t loadKernelsOfBundles(const Device &device);
/// From now on a launch must find its kernel loaded: to compile or to load one throws Frozen. `thaw` ends it.
TEGULA_API void freeze();
TEGULA_API void thaw();

} // namespace v1
} // namespace tegula
