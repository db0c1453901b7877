"""Functions of linked libraries."""

found_in("tl", section="PTX and scalar code")

@differs("not on the interpreter")
def extern_elementwise(lib_name: str, lib_path: str, args: Sequence[Value], arg_type_symbol_dict: Any, is_pure: bool) -> tensor:
    """Calls a function of a library for each element of `args`, which are broadcast to a common shape, and once in each thread
    where all are scalars.

    `arg_type_symbol_dict` has tuples of types as keys, and tuples of the function's name and the type of its result as values.
    The launch gives the libraries, files of LLVM bitcode, as `extern_libs={name: path}`; `lib_name` and `lib_path` are not
    looked at. `is_pure` says that nothing but the result depends on the call. To be called in functions that are decorated with
    `@core.extern`.
    """

found_in("tl", handler="notMadeByCalling")

def extern(): ...
