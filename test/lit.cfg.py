"""How lit runs the tests that are text: IR, kernels and what the tools print about them."""

import lit.formats

config.name = "tegula"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
# Tests of what loads the library into a Python that has no sanitizers.
if not getattr(config, "sanitized", ""):
    config.available_features.add("package")
config.test_source_root = config.tegula_source_dir + "/test"
config.test_exec_root = config.tegula_build_dir + "/test"

# Our tools and LLVM's, found by plain names in RUN lines; a test never depends on the caller's PATH. `--param=bin=FOLDER`
# names a folder with others in the place of ours (tools/check/aarch64.py).
config.environment["PATH"] = ":".join(
    [lit_config.params.get("bin", config.tegula_build_dir + "/bin"), config.llvm_prefix + "/bin", "/usr/bin", "/bin"])
# What one test leaves in the user's cache must not be found by the next.
config.environment["TEGULA_CACHE_DIR"] = ""
# Failures show the input around the mismatch.
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error --color=0"
config.substitutions.append(("%kernels", config.tegula_source_dir + "/kernels"))
# An nvJitLink that makes code of its options (test/runtime/device/FakeJitLink.c).
config.substitutions.append(("%fake_jitlink", config.tegula_build_dir + "/lib/libtegula_fake_jitlink.so"))
# The folder of a CUDA driver that does nothing (tools/bench/programs/null_driver.c), for LD_LIBRARY_PATH.
config.substitutions.append(("%null_driver", config.tegula_build_dir + "/lib/null-driver"))
