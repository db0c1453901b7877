// Values as they are written on a command line.
#pragma once

#include "compiler/spec/KernelSpec.h"
#include "dialect/image/Result.h"
#include "runtime/host/ScalarBits.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tegula::cli {

/// Splits "NAME=VALUE". Errors: InvalidArgument, with `option` in the message.
runtime::Result<std::pair<std::string, std::string>> splitAssignment(std::string_view text,
                                                                     const char *option);

/// A number: "12", "-0x1f", "1_000", "1e-5", "inf", "nan". Integers reach from the least int64 to the
/// greatest uint64; nothing else is an integer. Errors: InvalidArgument.
runtime::Result<HostValue> parseNumber(std::string_view text);

/// A scalar argument: a number, "true", "false" or "none" (in any case), with an optional type after a
/// colon: "1000:i64". A number that the type cannot hold is an error.
runtime::Result<HostValue> parseScalar(std::string_view text);

/// "unknown type `f32`: expected one of `i1`, ...; did you mean `fp32`?"
runtime::Error unknownType(std::string_view text);

/// The value of `-D`: a number, true, false, None, the name of a type ("fp32", "tl.float32"), a string
/// in quotes, a tuple in parentheses, a jit function ("@relu", or "@acts.relu" of a module) or a bare word,
/// which is a string: no digit begins it, and no bracket or quote is in it.
runtime::Result<BoundValue> parseConstexpr(std::string_view text);

/// Returns true if the NAME of `-D NAME=VALUE` is one of a module, "pkg.utils.IS_AMD", and no parameter's.
bool isOfModule(std::string_view name);

/// A positive or zero decimal number that fits uint32_t. `what` names it in the error.
runtime::Result<uint32_t> parseCount(std::string_view text, std::string_view what);

/// The value of `--seed`: a positive or zero integer.
runtime::Result<uint64_t> parseSeed(std::string_view text);

/// Without blanks at both ends.
std::string_view trim(std::string_view text);

/// Takes the first `word` of `words` and what stands behind it off their end, and returns the latter; nothing
/// where they do not have it.
std::optional<std::string> takeBehind(std::string &words, std::string_view word);

} // namespace tegula::cli
