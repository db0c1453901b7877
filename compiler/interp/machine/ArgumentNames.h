// The argument of the kernel from which an address was computed, and the element of it that this is: for
// messages.
#pragma once

#include "compiler/interp/machine/Machine.h"

namespace tegula::interp {

/// "0x200000000f0, `x_ptr[60]` of 60": the address, and as which element of an argument the op comes to it.
/// Found by going back from the op's pointers to the parameters; only a fault pays for that.
std::string addressName(Machine &machine, const Step &step, uint64_t address);

} // namespace tegula::interp
