// Keeps the page of a session up to date by polling. Without this script, the page shows the session as it was loaded.

const pause = 1000;
const news = document.getElementById("news");

// Polls serially, so that an older page never replaces a newer one.
async function poll() {
  try {
    if (!document.hidden) await refresh();
    if (news.dataset.isLost) say("");
  } catch {
    say("The service does not respond. The page shows the last known state.", true);
  }
  if (document.body.dataset.tag) setTimeout(poll, pause);
}

async function refresh() {
  const headers = { Accept: "text/html", "If-None-Match": document.body.dataset.tag };
  const response = await fetch(location.href, { headers, signal: AbortSignal.timeout(10000) });
  if (response.status === 304) return;
  // The page of a deleted or expired session says so. Other errors are temporary.
  if (response.status === 404 || response.status === 410) location.reload();
  if (!response.ok) throw new Error(response.statusText);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  show(page);
  // The page of a session that is no longer active has no script, and needs no more polls.
  document.body.dataset.tag = page.querySelector("script") ? page.body.dataset.tag : "";
  say(document.getElementById("revision").textContent);
}

function say(text, isLost = false) {
  if (news.textContent !== text) news.textContent = text;
  news.classList.toggle("unseen", !isLost);
  news.dataset.isLost = isLost ? "yes" : "";
}

// Replaces the main part only, so that input in the frame survives. Keeps open details, scroll offsets and the focus.
function show(page) {
  const open = Array.from(document.querySelectorAll("details[open]"), ({ id }) => id);
  const scrolled = Array.from(document.querySelectorAll("main [tabindex]"), (e) => [e.id, e.scrollLeft, e.scrollTop]);
  const focused = document.activeElement?.closest("main") ? document.activeElement.id : "";
  document.querySelector("main").replaceWith(document.adoptNode(page.querySelector("main")));
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const [id, left, top] of scrolled) document.getElementById(id)?.scrollTo(left, top);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

setTimeout(poll, pause);
