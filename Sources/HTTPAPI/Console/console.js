// Keeps the page of a session as new as the session. Without it the page is as new as when it was loaded.

const pause = 1000;
let tag;

async function look() {
  const headers = { Accept: "text/html" };
  if (tag) headers["If-None-Match"] = tag;
  const response = await fetch(location.href, { headers });
  // Of a session that is gone the page says so; whatever else goes wrong passes.
  if (response.status === 404 || response.status === 410) location.reload();
  if (!response.ok) return;
  const isFirst = !tag;
  tag = response.headers.get("ETag");
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const revision = "#revision";
  const isSame = page.querySelector(revision)?.textContent === document.querySelector(revision)?.textContent;
  if (isFirst && isSame) return;
  show(page);
}

// The frame stays, and with it what somebody types there; in the rest what was opened stays open.
function show(page) {
  const open = Array.from(document.querySelectorAll("details[open]"), (details) => details.id);
  const scrolled = Array.from(document.querySelectorAll(".scroll"), (region) => [region.scrollLeft, region.scrollTop]);
  const focused = document.activeElement?.closest("main") ? document.activeElement.getAttribute("href") : null;
  document.querySelector("main").replaceWith(document.adoptNode(page.querySelector("main")));
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  document.querySelectorAll(".scroll").forEach((region, index) => {
    [region.scrollLeft, region.scrollTop] = scrolled[index] ?? [0, 0];
  });
  if (focused) document.querySelector(`main a[href="${CSS.escape(focused)}"]`)?.focus();
  document.getElementById("news").textContent = document.getElementById("revision").textContent;
  if (!page.querySelector("script")) clearInterval(timer);
}

const timer = setInterval(() => {
  if (!document.hidden) look().catch(() => {});
}, pause);
