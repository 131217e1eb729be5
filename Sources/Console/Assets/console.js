// Keeps the page of a session as new as the session. Without it the page is as new as when it was loaded.

const pause = 1000;
const news = document.getElementById("news");

// One look at a time, so that an older page never comes after a newer one.
async function look() {
  try {
    if (!document.hidden) await refresh();
    if (news.dataset.isLost) say("");
  } catch {
    say("The service does not answer. This is how the session was.", true);
  }
  if (document.body.dataset.tag) setTimeout(look, pause);
}

async function refresh() {
  const headers = { Accept: "text/html", "If-None-Match": document.body.dataset.tag };
  const response = await fetch(location.href, { headers, signal: AbortSignal.timeout(10000) });
  if (response.status === 304) return;
  // Of a session that is gone the page says so; anything else passes.
  if (response.status === 404 || response.status === 410) location.reload();
  if (!response.ok) throw new Error(response.statusText);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  show(page);
  // Of what has ended there is no more to come.
  document.body.dataset.tag = page.querySelector("script") ? page.body.dataset.tag : "";
  say(document.getElementById("revision").textContent);
}

function say(text, isLost = false) {
  if (news.textContent !== text) news.textContent = text;
  news.classList.toggle("unseen", !isLost);
  news.dataset.isLost = isLost ? "yes" : "";
}

// The frame stays, and with it what somebody types there. In the rest what was opened, scrolled to and focused stays so.
function show(page) {
  const open = Array.from(document.querySelectorAll("details[open]"), ({ id }) => id);
  const scrolled = Array.from(document.querySelectorAll("main [tabindex]"), (e) => [e.id, e.scrollLeft, e.scrollTop]);
  const focused = document.activeElement?.closest("main") ? document.activeElement.id : "";
  document.querySelector("main").replaceWith(document.adoptNode(page.querySelector("main")));
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const [id, left, top] of scrolled) document.getElementById(id)?.scrollTo(left, top);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

setTimeout(look, pause);
