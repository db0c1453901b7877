// The grammar of `--arg NAME=VALUE`.
//
//     n=1000   eps=1e-5   n=1000:i64   flag=true   p=none
//     x=randn:fp32[1000]          normal, mean 0 and deviation 1
//     x=rand:bf16[64,32]          uniform in [0, 1)
//     x=randint(0,9):i32[8]       uniform, both ends included
//     x=zeros:T[..]  x=full(1.5):T[..]  x=arange:T[..]  x=empty:T[..]
//     x=@in.npy   x=@in.npy:bf16
//
//     x=randn:fp16[512,256]/[64,64]        a tensor descriptor of the array, in blocks; /[64,64]:nan
//
//     x=(randn:fp32[8], 3)   x=Point(a=randn:fp32[8], n=3)        a tuple of such values, or one with names
//
//     x=symm:randn:fp32[1000]     with --world=N an array of each rank that all may touch: the address of a
//                                 table of their addresses is passed
//     x=pads   x=rank   x=world   likewise a table of pads of signals; numbers
//
// After the array, `+N` passes the address of element N: `x=randn:fp32[1001]+1`, `x=@in.npy+1`,
// `x=@in.npy:bf16+1`.
#pragma once

#include "compiler/spec/BoundValue.h"
#include "dialect/image/Result.h"
#include "runtime/host/ScalarBits.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tegula::cli {

/// An array to be made or read.
struct ArrayArgument {
  enum Source : uint8_t { Rand, Randn, RandInt, Zeros, Full, Arange, Empty, File };
  Source source = Zeros;
  std::optional<ScalarKind> type; ///< absent only for a file that says it itself
  std::vector<int64_t> shape;     ///< of a file, unknown until it is read
  HostValue first, second;        ///< the ends of a RandInt; the value of a Full
  std::string path;               ///< of a File
  uint64_t offset = 0;            ///< elements before the address that is passed
  bool isShared = false;          ///< each of several ranks has one, which all may touch
};

/// An argument that only a kernel of several ranks has: pads of signals, its number, and how many there are.
enum class RankArgument : uint8_t { Pads, Rank, World };

struct ParsedArgument;
struct TupleArgument {
  std::string type;                ///< of a tuple with names; else empty, as `fields`
  std::vector<std::string> fields; ///< one for each item
  std::vector<ParsedArgument> items;
};

struct ParsedArgument {
  std::string name; ///< of an item of a tuple, the parameter that it is passed by
  std::variant<HostValue, ArrayArgument, TupleArgument, RankArgument> value;
  std::optional<bound::Descriptor> blocks = {}; ///< of an array that is passed as a tensor descriptor
};

/// Errors: InvalidArgument.
runtime::Result<ParsedArgument> parseArgument(std::string_view text);

/// Checks that the offset is inside the array or at its end, once the shape is known. Errors:
/// InvalidArgument.
runtime::Result<void> checkOffset(const ArrayArgument &array);

/// Product of the sides; 1 for no sides.
uint64_t elementCount(const std::vector<int64_t> &shape);

/// "[64,32]"
std::string formatShape(const std::vector<int64_t> &shape);

/// An array may have at most this many elements and sides.
inline constexpr uint64_t maxElements = uint64_t(1) << 40;
inline constexpr size_t maxSides = 32;

} // namespace tegula::cli
