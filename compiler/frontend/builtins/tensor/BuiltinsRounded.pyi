"""libdevice's arithmetic and conversions that say by a suffix how they round: `add_rd`, `float2int_rz`."""

found_in("tl.extra.libdevice", rounded=["rz", "rd", "ru"])

def div(x: Value, y: Value) -> tensor: """`x / y`"""
def fma(x: Value, y: Value, z: Value) -> tensor: """`x * y + z`"""
def sqrt(x: Value) -> tensor: """The square root"""

found_in("tl.extra.libdevice", rounded=["rn", "rz", "rd", "ru"])

def add(x: Value, y: Value) -> tensor: """`x + y`"""
def sub(x: Value, y: Value) -> tensor: """`x - y`"""
def mul(x: Value, y: Value) -> tensor: """`x * y`"""
def rcp(x: Value) -> tensor: """`1 / x`"""
def float2int(x: Value) -> tensor: """A float32 as an int32"""
def float2uint(x: Value) -> tensor: """A float32 as a uint32"""
def float2ll(x: Value) -> tensor: """A float32 as an int64"""
def float2ull(x: Value) -> tensor: """A float32 as a uint64"""
def double2int(x: Value) -> tensor: """A float64 as an int32"""
def double2uint(x: Value) -> tensor: """A float64 as a uint32"""
def double2ll(x: Value) -> tensor: """A float64 as an int64"""
def double2ull(x: Value) -> tensor: """A float64 as a uint64"""
def int2float(x: Value) -> tensor: """An int32 as a float32"""
def uint2float(x: Value) -> tensor: """A uint32 as a float32"""
def ll2float(x: Value) -> tensor: """An int64 as a float32"""
def ull2float(x: Value) -> tensor: """A uint64 as a float32"""
def ll2double(x: Value) -> tensor: """An int64 as a float64"""
def ull2double(x: Value) -> tensor: """A uint64 as a float64"""
def double2float(x: Value) -> tensor: """A float64 as a float32"""

found_in("tl.extra.libdevice")

def int2double_rn(x: Value) -> tensor: """An int32 as a float64, which is exact."""
def uint2double_rn(x: Value) -> tensor: """A uint32 as a float64, which is exact."""
