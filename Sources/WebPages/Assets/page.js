// Makes a session's page follow its session. Without it the page does all the same, and is as new as when it was loaded.

let events;
let isSubmitting = false;
let isRefreshing = false;
let isOutdated = false;

function follow() {
  const { events: address } = document.body.dataset;
  if (!address || events || document.hidden) return;
  events = new EventSource(address);
  for (const name of ["view", "resync"]) {
    events.addEventListener(name, (event) => {
      if (event.lastEventId !== document.body.dataset.revision) refresh();
    });
  }
  events.addEventListener("end", () => {
    rest();
    refresh();
  });
  // After anything but a stream the browser gives up: the service may be busy, or the session over.
  events.addEventListener("error", () => {
    if (events?.readyState !== EventSource.CLOSED) return;
    rest();
    setTimeout(() => refresh().then(follow), 3000);
  });
}

// A browser has few connections for one server, and a page that nobody sees needs none.
function rest() {
  events?.close();
  events = undefined;
}

// One at a time, so that an older page never comes after a newer one.
async function refresh() {
  isOutdated = true;
  if (isRefreshing) return;
  isRefreshing = true;
  while (isOutdated) {
    isOutdated = false;
    await load().catch(() => {});
  }
  isRefreshing = false;
}

async function load() {
  const address = document.body.dataset.events?.replace(/\/events$/, "");
  // The page that a form leads to is on its way, and as new.
  if (!address || isSubmitting) return;
  const response = await fetch(address, { headers: { Accept: "text/html" } });
  // Of a session that is gone the page says so; whatever else goes wrong passes.
  if (isSubmitting || !(response.ok || response.status === 404 || response.status === 410)) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (page.body.dataset.revision !== document.body.dataset.revision) show(page, address);
}

function show(page, address) {
  const fields = "input[id], select[id], textarea[id]";
  const typed = new Map(Array.from(document.querySelectorAll(fields), (field) => [field.id, field]));
  const focused = document.activeElement?.id;
  // A refused form was shown at the address of its action.
  history.replaceState(null, "", address);
  document.title = page.title;
  document.body.replaceWith(document.adoptNode(page.body));
  // What somebody was typing stays, as long as there is a place for it.
  for (const field of document.querySelectorAll(fields)) {
    const old = typed.get(field.id);
    if (old?.name !== field.name) continue;
    if (field.type === "checkbox") field.checked = old.checked;
    else field.value = old.value;
  }
  const place = (focused && document.getElementById(focused)) || document.querySelector("[autofocus]");
  place?.focus();
}

addEventListener("submit", () => {
  isSubmitting = true;
  // Unless it leads nowhere.
  setTimeout(() => (isSubmitting = false), 10000);
});
addEventListener("pagehide", rest);
addEventListener("pageshow", () => {
  isSubmitting = false;
  follow();
});
document.addEventListener("visibilitychange", () => (document.hidden ? rest() : follow()));
