"""Runs the benchmarks against release builds, and prints one table. script/bench calls it."""
import statistics
from measure import MANY, Bare, Loaded, body_size, interleaved, pages, print_table, ready_in, row
import backends, stores, timers

for app in ("pages", "shop"):
    load = Loaded(app, 1000)
    bare = Bare(body_size(load))
    ours, theirs = interleaved(load, bare, load)
    ratio = ours[0] / theirs[0]
    row(f"(a) {app}: actions/s to bare", f"{ratio:.2f}  ({ours[0]:.0f} to {theirs[0]:.0f})", ">= 0.75", ratio >= 0.75)
    row(f"(a) {app}: p99 ms, of bare", f"{ours[1]:.2f}, {theirs[1]:.2f}", "-", True)
    row(f"(a) {app}: CPU µs an action, of bare", f"{ours[2]:.1f}, {theirs[2]:.1f}", "-", True)
    bare.stop()
    load.stop()

few, many = Loaded("deep", 1000), Loaded("deep", MANY)
less, more = interleaved(few, many)
row(
    f"(b) {MANY} sessions to 1,000", f"{more[0] / less[0]:.2f}  ({more[0]:.0f} to {less[0]:.0f})", ">= 0.9",
    more[0] / less[0] >= 0.9)
few.stop()
many.stop()

shallow, deep = Loaded("deep", 1000), Loaded("deep", 1000, 100)
flat, tall = interleaved(shallow, deep)
row(
    "(b) depth 100 to depth 1", f"{tall[0] / flat[0]:.2f}  ({tall[0]:.0f} to {flat[0]:.0f})", ">= 0.8",
    tall[0] / flat[0] >= 0.8)
shallow.stop()
deep.stop()

idle = Loaded("shop", MANY)
row(f"(c) MiB with {MANY} idle shop sessions", f"{idle.resident():.0f}", "<= 320", idle.resident() <= 320)
idle.stop()

starts = []
for _ in range(20):
    usher, _, time_taken = ready_in("--store", "memory")
    starts.append(time_taken)
    usher.stop()
row(
    "(d) ms from start to ready, median of 20", f"{statistics.median(starts):.0f}", "<= 20",
    statistics.median(starts) <= 20)

stores.run()
backends.run()
timers.run()

for app in ("shop", "bank", "gallery"):
    load = Loaded(app, 10)
    page, view = pages(load)
    row(
        f"(h) {app}: CPU of a page to that of its JSON",
        f"{page[2] / view[2]:.2f}  ({page[2]:.1f} to {view[2]:.1f} µs)", "<= 3", page[2] <= 3 * view[2])
    row(
        f"(h) {app}: pages/s to JSON views/s", f"{page[0] / view[0]:.2f}  ({page[0]:.0f} to {view[0]:.0f})", ">= 0.33",
        page[0] >= view[0] / 3)
    load.stop()
print_table()
