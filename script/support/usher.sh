# Sourced by the checks of an executable. Sets `usher` to its path: the first argument unless that is an option, or the
# debug build. The remaining arguments stay.
if [ $# -gt 0 ] && [ "${1#-}" = "$1" ]; then
  usher=$(realpath "$1")
  shift
else
  usher=$(swift build --show-bin-path)/usher
fi
[ -x "$usher" ] || { echo "$usher is not an executable. Run \`swift build\`, or pass the path of one." >&2; exit 66; }
