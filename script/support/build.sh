# Sourced by scripts that build the tests. Sets `build` to the options of `swift build` and `swift test`: with the same
# options, they use the same build.
#
# Package.swift reads this variable. With optimization the random walks take a fifth of the time, and tests find errors
# that only the optimizer causes.
export OPTIMIZED=1
# Without a limit swift-testing starts every test at once. A step of a test then waits up to 13 seconds for the two
# threads of Swift's pool, and timeouts of the service lapse; with 16 tests at a time it waits less than a second.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=16
# Whole-module compilation takes half the time of compiling file by file. Packages that share a scratch path share their
# build plan as well, unless it is made anew.
build=(
  --scratch-path "$PWD/.build-test" --disable-build-manifest-caching
  -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)
