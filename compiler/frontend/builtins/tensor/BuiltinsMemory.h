// Helpers of all accesses of memory: the pointer, the mask, and the one shape that they are broadcast to;
// hints for caches.
#pragma once

#include "compiler/frontend/eval/calls/Call.h"

namespace tegula::eval {

/// The pointer operand; a pointer to truths is one to bytes, which is how memory holds them.
struct Access {
  Tensor pointer;
  Dtype element; ///< of memory
  bool isBool;
};

/// The parameters of `tl.load` and `tl.store`, by number.
namespace loads {
enum Parameter : size_t { Pointer, Mask, Other, Check, Padding, Cache, Evict, Volatile };
} // namespace loads
namespace stores {
enum Parameter : size_t { Pointer, Stored, Mask, Check, Cache, Evict };
} // namespace stores

/// `tl.load` and `tl.store` through a block pointer.
Value loadBlock(Call &call);
Value storeBlock(Call &call);

/// Cache hints of an access, in the arguments with these numbers.
struct CacheHints {
  tile::CacheModifier cache;
  tile::EvictionPolicy evict;
};
std::optional<CacheHints> cacheHintsOfLoad(Call &call, size_t cache, size_t evict);
std::optional<CacheHints> cacheHintsOfStore(Call &call, size_t cache, size_t evict);

/// Memory through `pointer`, a pointer or a tensor of them.
Access accessOf(Emitter &emit, const Tensor &pointer);

/// Argument 0 as a pointer.
std::optional<Access> pointerArgument(Call &call);

/// Reports a pointer to constants, through which nothing may be written.
bool checkWritable(Call &call);

/// Argument `index` as a mask; a null value where every element is meant.
std::optional<Tensor> maskArgument(Call &call, size_t index);

/// Gives `pointer` and `operand`, argument `index`, one shape. With a fixed pointer only the operand may
/// grow.
bool fitToPointer(Call &call, Tensor &pointer, Tensor &operand, std::string_view what, size_t index,
                  bool fixedPointer);

} // namespace tegula::eval
