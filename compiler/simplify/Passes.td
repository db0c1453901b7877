//===- Passes.td - the simplify stage, in the order its passes run ----------===//

#ifndef TEGULA_COMPILER_SIMPLIFY_PASSES
#define TEGULA_COMPILER_SIMPLIFY_PASSES

include "mlir/Pass/PassBase.td"

def KeepWaitsPass : Pass<"keep-waits", "::mlir::ModuleOp"> {
  let summary = "make the loads volatile by which a `while` waits for others";
  let description = [{
    `while tl.load(flag) == 0: pass` waits until another program or the host stores something. A load that is not
    volatile has no effect, so the loop would have none and go, and the ops after it would run at once; or the
    load, of one place, would leave the loop and be asked once. So the loads are made volatile of a `while` that
    changes nothing and yields nothing that is used, and of another one those that its condition comes from and that
    read the same place in each iteration.

    Before:
    ```mlir
    scf.while : () -> () {
      %v = tile.load %flag : !tile.ptr<i32>
      %c = arith.cmpi eq, %v, %c0 : i32
      scf.condition(%c)
    } do {
      scf.yield
    }
    ```
    After:
    ```mlir
    scf.while : () -> () {
      %v = tile.load %flag volatile : !tile.ptr<i32>
      ...
    ```

    *Needs*: nothing. *Leaves*: the same form. *Stands here because* all that follows erases loops without effects.
  }];
}

def PropagateHintsPass : Pass<"propagate-hints", "::mlir::ModuleOp"> {
  let summary = "let hints that are statements of their own count for the value that they are about";
  let description = [{
    `tl.max_contiguous(tl.multiple_of(x, 16), 16)` gives a value that is known to be so. If no op uses that value the
    author means `x` itself, as it is used from there on.

    Before:
    ```mlir
    %h = tile.hint %x divisibility = [16] : tensor<64xi32>
    %p = tile.addptr %base, %x : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    ```
    After:
    ```mlir
    %h = tile.hint %x divisibility = [16] : tensor<64xi32>
    %p = tile.addptr %base, %h : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    ```

    *Needs*: nothing. *Leaves*: hints whose value is used as they were. *Stands here because* unused ops are erased
    next.
  }];
}

def EraseUnusedPass : Pass<"erase-unused", "::mlir::ModuleOp"> {
  let summary = "erase unused ops, each once";
  let description = [{
    Unrolled loops and inlined functions compute much of which nothing is used. From the last op of each block to the
    first, those without users and effects go, and with them what they alone used. The ops in the op that goes
    last, a branch around a whole kernel, is looked at once: folding visits such a branch again for each op in it
    that changes, and takes a time that grows with the square of their number.

    Before:
    ```mlir
    %a = arith.addf %x, %y : tensor<64xf32>
    %b = arith.mulf %a, %y : tensor<64xf32>
    tile.store %p, %x : tensor<64x!tile.ptr<f32>>
    ```
    After:
    ```mlir
    tile.store %p, %x : tensor<64x!tile.ptr<f32>>
    ```

    *Needs*: nothing. *Leaves*: ops with regions, for the canonicalizer. *Stands here because* the canonicalizer then
    finds little to erase.
  }];
}

def RollRepeatsPass : Pass<"roll-repeats", "::mlir::ModuleOp"> {
  let summary = "make a loop of long code that repeats";
  let description = [{
    `for i in tl.static_range(126)` is unrolled by the front end, since `i` may be asked for as a constant. Where the body
    then does the same each time, with numbers that grow by the same step, a loop of the device computes the same to the
    bit. It is made where that saves a kernel thousands of values a thread: code that takes seconds to compile does not
    fit the instruction cache either. Loops are nested where the author's were. Code that touches memory or
    multiplies matrices stays: when it does so was the author's choice. The last iteration stays after the loop,
    and what follows uses its values.

    Before, and so on:
    ```mlir
    %a1 = arith.muli %a0, %a0 : tensor<1024xi32>
    %one = arith.constant dense<1> : tensor<1024xi32>
    %b1 = arith.addi %a1, %one : tensor<1024xi32>
    %a2 = arith.muli %b1, %b1 : tensor<1024xi32>
    %two = arith.constant dense<2> : tensor<1024xi32>
    %b2 = arith.addi %a2, %two : tensor<1024xi32>
    ```
    After:
    ```mlir
    %r = scf.for %i = %c0 to %c99 step %c1 iter_args(%a = %a0) -> (tensor<1024xi32>) : i32 {
      %b = arith.muli %a, %a : tensor<1024xi32>
      %n = arith.addi %i, %c1 : i32
      %t = tile.splat %n : i32 -> tensor<1024xi32>
      %s = arith.addi %b, %t : tensor<1024xi32>
      scf.yield %s : tensor<1024xi32>
    }
    ```

    *Needs*: the `tile` form. *Leaves*: the same form. *Stands here because* folding looks at the first iteration
    with what is known before it, after which it is not like the others; and all that follows has less to do.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tegula::tile::TileDialect"];
}

def MergeBranchesPass : Pass<"merge-branches", "::mlir::ModuleOp"> {
  let summary = "do once what several branches do with other values";
  let description = [{
    A kernel that updates a list of arrays asks `if`, `elif`, .. to which of them a block belongs, and does the same with
    other pointers in each branch. Where three branches or more load, compute and store alike, the choice
    yields the number of the code to run and the values that differ, and that code is there once: parameters of
    the same divisibility, constants that are compared or added, and scalars computed of these. So it is compiled
    and assembled once, and takes its place in the instruction cache once. Where each condition asks whether one number
    is below a larger bound than the one before, the choice halves what is left instead of asking one after the other.

    Before, and so on for other arrays:
    ```mlir
    scf.if %first {
      %p = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      %v = tile.load %p : tensor<64x!tile.ptr<f32>>
      ...
    } else {
      scf.if %second {
        %p = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
        ...
    ```
    After:
    ```mlir
    %which:2 = scf.if %first -> (i32, !tile.ptr<f32>) {
      scf.yield %c0, %x : i32, !tile.ptr<f32>
    } else {
      %more:2 = scf.if %second -> (i32, !tile.ptr<f32>) {
        scf.yield %c0, %y : i32, !tile.ptr<f32>
      ...
    %is_first = arith.cmpi eq, %which#0, %c0 : i32
    scf.if %is_first {
      %p = tile.splat %which#1 : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      ...
    ```

    *Needs*: the `tile` form. *Leaves*: the same form; branches with loops, atomics, prints or assertions as they are: a
    message tells of one place in the source. *Stands here because* equal values have one name by now, and all that
    follows has fewer branches to look at.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tegula::tile::TileDialect"];
}

def ExpandViewsPass : Pass<"expand-views", "::mlir::ModuleOp"> {
  let summary = "reach blocks of arrays through pointers";
  let description = [{
    A view is taken apart into its base, sizes and strides, also where a loop or branch hands it on, and what is
    read or written through it becomes an access through a tensor of pointers: the start of the block moves a
    scalar, and along each checked axis one unsigned comparison masks what lies outside. So accesses by blocks
    coalesce and pipeline as those by pointers do.

    Before:
    ```mlir
    %v = tile.view %p, sizes [%n], strides [%one] : !tile.ptr<f32> -> !tile.view<1 x f32>
    %x = tile.view_load %v[%i] checked [0] padding = zero : !tile.view<1 x f32> -> tensor<64xf32>
    ```
    After:
    ```mlir
    %q = tile.addptr %p, %wide : !tile.ptr<f32>, i64
    %base = tile.splat %q : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %ps = tile.addptr %base, %range : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %place = arith.addi %start, %range : tensor<64xi32>
    %m = arith.cmpi ult, %place, %count : tensor<64xi32>
    %x = tile.load %ps, %m, %zero : tensor<64x!tile.ptr<f32>>
    ```

    *Needs*: the `tile` form. *Leaves*: no views. *Stands here because* what is the same in every round of a loop
    has been taken out of it, and `combine` finds what is uniform in the new arithmetic.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tegula::tile::TileDialect"];
}

def CombinePass : Pass<"combine", "::mlir::ModuleOp"> {
  let summary = "compute on the smallest shape, and let loads select";
  let description = [{
    The algebra of tiles that folds of single ops cannot see:

    - an elementwise op whose operands are all splats works on the scalars, one whose operands are all
      broadcasts of one shape (or splats) works on that shape;
    - constant steps of one pointer add up, and steps that are the same for all elements move the pointer that they
      start from;
    - a load whose masked elements are then replaced by a constant gets that constant itself;
    - numbers in a row compare with a constant beyond them as all of them do;
    - an assumed conjunction is two assumptions, which analyses can read;
    - a matrix added to a product of matrices is where the product's sum begins;
    - what a loop hands on and adds its own step to is the loop's counter and a distance.

    Before:
    ```mlir
    %a = tile.splat %x : f32 -> tensor<1024xf32>
    %b = arith.mulf %a, %cst : tensor<1024xf32>
    %v = tile.load %p, %m : tensor<1024x!tile.ptr<f32>>
    %w = arith.select %m, %v, %zero : tensor<1024xi1>, tensor<1024xf32>
    ```
    After:
    ```mlir
    %s = arith.mulf %x, %c : f32
    %b = tile.splat %s : f32 -> tensor<1024xf32>
    %w = tile.load %p, %m, %zero : tensor<1024x!tile.ptr<f32>>
    ```

    *Needs*: the `tile` form; tensors with layouts are left alone. *Leaves*: the same form. *Stands here
    because* layouts are chosen for the ops that remain, and what is uniform needs none.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tegula::tile::TileDialect"];
}

def UnsignedDivisionsPass : Pass<"unsigned-divisions", "::mlir::ModuleOp"> {
  let summary = "divide without signs what is not negative";
  let description = [{
    A signed quotient or remainder of numbers that are proven not to be negative is the unsigned one, which takes
    fewer instructions: by a power of two a shift or a mask.

    Before:
    ```mlir
    %pid = tile.program_id x
    %c8 = arith.constant 8 : i32
    %group = arith.divsi %pid, %c8 : i32
    %place = arith.remsi %pid, %n : i32
    ```
    After, where `n` is `nonneg`:
    ```mlir
    %pid = tile.program_id x
    %c3 = arith.constant 3 : i32
    %group = arith.shrui %pid, %c3 : i32
    %place = arith.remui %pid, %n : i32
    ```

    *Needs*: the `tile` form. *Leaves*: the same form. *Stands here because* assumptions are split by now, and
    everything later reads the shorter form as well.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // TEGULA_COMPILER_SIMPLIFY_PASSES
