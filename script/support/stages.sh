# Sourced by scripts that run stages. `stage NAME COMMAND…` runs a command, and adds a row to `$logs/stages`: the time, the
# processor time and the name.
logs=$(mktemp --directory)
stage() {
  local name=$1 status=0 spent TIMEFORMAT='%0R s %0U s'
  shift
  { spent=$({ time "$@" >&4 2>&3; } 2>&1); } 3>&2 4>&1 || status=$?
  printf '%6s %s %6s %s  %s%s\n' $spent "$name" "$([ $status = 0 ] || echo ' (failed)')" >> "$logs/stages"
  return $status
}
