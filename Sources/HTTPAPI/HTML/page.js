// Makes a session's page follow its session. Without it the page does all the same, and is as new as when it was loaded.

let events;
let isSubmitting = false;

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
}

// A browser has few connections for one server, and a page that nobody sees needs none.
function rest() {
  events?.close();
  events = undefined;
}

async function refresh() {
  // The page that a form leads to is on its way, and as new.
  if (isSubmitting) return;
  // A refused form is shown at the address of its action.
  const address = document.body.dataset.events.replace(/\/events$/, "");
  const response = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => undefined);
  if (!response || isSubmitting) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (page.body.dataset.revision === document.body.dataset.revision) return;
  const typed = new Map([...document.querySelectorAll("input[id], select[id], textarea[id]")].map((field) => [field.id, field]));
  const focused = document.activeElement?.id;
  history.replaceState(null, "", address);
  document.title = page.title;
  document.body.replaceWith(document.adoptNode(page.body));
  // What somebody was typing stays, as long as there is a place for it.
  for (const field of document.querySelectorAll("input[id], select[id], textarea[id]")) {
    const old = typed.get(field.id);
    if (!old || old.name !== field.name) continue;
    if (field.type === "checkbox") field.checked = old.checked;
    else field.value = old.value;
  }
  const place = (focused && document.getElementById(focused)) || document.querySelector("[autofocus]");
  place?.focus();
}

addEventListener("submit", () => (isSubmitting = true));
addEventListener("pagehide", rest);
addEventListener("pageshow", () => {
  isSubmitting = false;
  follow();
});
document.addEventListener("visibilitychange", () => (document.hidden ? rest() : follow()));
