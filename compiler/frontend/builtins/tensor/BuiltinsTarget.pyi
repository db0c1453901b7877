"""Questions about the device and the language, answered at compile time."""

found_in("tl.target_info")

def is_cuda(): ...
def is_hip(): ...

@handler("isHip")
def is_hip_cdna3(): ...

@handler("isHip")
def is_hip_cdna4(): ...

@handler("isHip")
def is_hip_gfx1250(): ...

def cuda_capability_geq(major, minor=0): ...

found_in("tl")

def _language_fact(name): ...

found_in("tl.extra.cuda")

def num_warps() -> int: """The number of warps of a program, known at compile time."""
def num_threads() -> int: """The number of threads of a program, known at compile time."""
