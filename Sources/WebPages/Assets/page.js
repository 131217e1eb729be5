// Keeps the page of a session up to date. Without this script, the page works as well, and shows the session as loaded.

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
      else keepTime(JSON.parse(event.data).session);
    });
  }
  events.addEventListener("end", () => {
    disconnect();
    refresh();
  });
  // The browser does not reconnect after a response that is no stream: the service may be busy, or the session over.
  events.addEventListener("error", () => {
    if (events?.readyState !== EventSource.CLOSED) return;
    disconnect();
    setTimeout(() => refresh().then(follow), 3000);
  });
}

// Closes the stream. A browser has few connections to one server, and a hidden page needs none.
function disconnect() {
  events?.close();
  events = undefined;
}

// Loads serially, so that an older page never replaces a newer one.
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
  // The response to the submitted form is about to replace the page, and is as new.
  if (!address || isSubmitting) return;
  // The same page of a list, unless another screen is visible now.
  const place = location.pathname === address ? address + location.search : address;
  const page = await pageAt(place);
  if (!page) return;
  const isOther = place !== address && page.body.dataset.screen !== document.body.dataset.screen;
  const current = isOther ? await pageAt(address) : page;
  if (!current) return;
  const ending = current.getElementById("ending")?.dataset;
  if (current.body.dataset.revision !== document.body.dataset.revision) show(current, isOther ? address : place);
  else if (ending) keepTime({ expiresAt: ending.ends, extend: ending });
}

// Returns a page; nothing if the response is not to be shown.
async function pageAt(place) {
  const response = await fetch(place, { headers: { Accept: "text/html" } });
  // The page of a deleted or expired session says so. Other errors are temporary.
  if (isSubmitting || !(response.ok || response.status === 404 || response.status === 410)) return undefined;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

const fields = "input[id], select[id], textarea[id]";

function show(page, address) {
  const refusal = document.getElementById("refusal");
  const place = isSameScreen(page) ? { focus: nameOf(document.activeElement), left: scrollX, top: scrollY } : undefined;
  const isTranslated = page.documentElement.lang !== document.documentElement.lang;
  const isKept = place && !isTranslated && refusal?.matches(":not([data-stored])");
  const typed = new Map(Array.from(document.querySelectorAll(fields), (field) => [field.id, field]));
  const sections = new Map(Array.from(document.querySelectorAll("details"), (section) => [section.id, section.open]));
  const news = page.getElementById("refusal")?.textContent;
  const isTyping = document.activeElement?.matches(fields);
  const isNews = !isKept && news && news !== refusal?.textContent && !isTyping;
  // The page of a refused form has the address of the form's action.
  history.replaceState(null, "", address);
  if (isKept) keepRefusal(refusal, page);
  else document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.body.replaceWith(document.adoptNode(page.body));
  // Keeps the user's input in fields that the new page has as well.
  for (const field of document.querySelectorAll(fields)) {
    const old = typed.get(field.id);
    if (old?.name === field.name && isChanged(old)) keep(old, field);
  }
  for (const section of document.querySelectorAll("details")) section.open = sections.get(section.id) ?? section.open;
  write();
  const start = document.querySelector("[autofocus]");
  // A new screen or a new error begins at the top.
  if (!place || isNews) {
    scrollTo(0, 0);
    start?.focus();
    return;
  }
  // People who read or type stay where they are.
  scrollTo(place.left, place.top);
  if (place.focus) (find(place.focus) ?? start)?.focus({ preventScroll: true });
}

// Whether a page has the visible screen, with the same prompt if one is open.
function isSameScreen(page) {
  const [question, other] = [document, page].map((place) => place.getElementById("question")?.textContent);
  return page.body.dataset.screen === document.body.dataset.screen && question === other;
}

// Returns the name under which the next page has the focused element again; nothing for the page itself.
function nameOf(element) {
  if (!element || element === document.body) return undefined;
  if (element.id) return element.id;
  const form = element.matches("button") && element.closest("form");
  if (!form) return element.localName + element.textContent;
  // The action without the revision, and the values of a row.
  const values = Array.from(form.querySelectorAll("input[type=hidden]"), (field) => field.value);
  return JSON.stringify([form.getAttribute("action").split("?")[0], ...values]);
}

function find(focus) {
  const places = document.querySelectorAll("[id], [tabindex], a, button");
  return Array.from(places).find((element) => nameOf(element) === focus && !element.closest("[inert]"));
}

// Keeps the errors of the form that led to the page, with what the user typed. The session, and the new page, may have those
// of an earlier form.
function keepRefusal(refusal, page) {
  page.getElementById("refusal")?.remove();
  page.querySelector("h1").after(refusal);
  for (const row of document.querySelectorAll("[data-refused] .field")) {
    const other = page.getElementById(row.querySelector(fields)?.id)?.closest(".field");
    other?.closest("form").setAttribute("data-refused", "");
    other?.replaceWith(row);
  }
}

// Whether the user has changed a field. The new page may have another value for a field that is as it was. A refused form
// begins with what the user typed.
function isChanged(field) {
  if (field.closest("[data-refused]") || field.matches("[data-chosen]")) return true;
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.tagName !== "SELECT") return field.value !== field.defaultValue;
  const first = Math.max(0, Array.from(field.options).findIndex((option) => option.defaultSelected));
  return !field.matches("[data-local]") && field.selectedIndex !== first;
}

function keep(old, field) {
  if (field.type === "checkbox" || field.type === "radio") field.checked = old.checked;
  else field.value = old.value;
  if (field.matches("[data-local]") && !old.matches("[data-local]")) choose(field);
}

// Writes what depends on the reader: amounts and dates, the time zone, and its offset. Shows the questions that apply, and
// the buttons that need a script.
function write() {
  localize();
  document.querySelectorAll("[data-until]").forEach(writeEnd);
  // Only a page that was loaded securely may copy.
  for (const button of document.querySelectorAll("[data-copies]")) button.hidden = !navigator.clipboard;
  ask(document);
  document.querySelectorAll("form[action='/v1/sessions'], form[action^='/start/']").forEach(nameTimeZone);
  document.querySelectorAll("select[data-local]").forEach(chooseOffset);
}

// Writes amounts and dates as people with the page's language do, where the service does not. Elsewhere the browser may
// write them in other words than the sentences of the page have.
function localize() {
  if (!document.body.matches("[data-plain-values]")) return;
  const { lang } = document.documentElement;
  for (const element of document.querySelectorAll("data[data-currency], time")) {
    try {
      element.textContent = element.matches("time") ? time(element.dateTime, lang) : amount(element, lang);
    } catch {
      // The currency has no code, or the session has a language that the browser cannot read.
    }
  }
}

function amount({ value, dataset }, lang) {
  const decimals = (value.split(".")[1] ?? "").length;
  const style = { style: "currency", currency: dataset.currency, minimumFractionDigits: decimals };
  return new Intl.NumberFormat(lang, style).format(value);
}

function time(stamp, lang) {
  const day = { dateStyle: "long", timeZone: "UTC" };
  if (!stamp.includes("T")) return new Intl.DateTimeFormat(lang, day).format(new Date(stamp));
  // On the clock of the place, as the app wrote it.
  const local = new Date(`${stamp.slice(0, 19)}Z`);
  const offset = stamp.slice(19).replace("Z", "");
  return `${new Intl.DateTimeFormat(lang, { ...day, timeStyle: "short" }).format(local)} (UTC${offset})`;
}

// Writes the end of an offer, or of the session, on the clock of the browser.
function writeEnd(sentence) {
  const { until, written = `${until.slice(11, 16)} UTC` } = sentence.dataset;
  const clock = new Date(until).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  sentence.textContent = sentence.textContent.replace(written, clock);
  sentence.dataset.written = clock;
}

// Warns of the end of the session, and shows its last page once it has ended. A timer alone would be wrong after the machine
// has slept. The clock of the browser may be wrong: the service decides whether the session has ended.
function watchEnd() {
  const notice = document.getElementById("ending");
  if (!notice) return;
  const { from, ends, seen } = notice.dataset;
  if (notice.hidden && Date.now() >= Date.parse(from)) notice.hidden = false;
  if (seen === ends || Date.now() < Date.parse(ends)) return;
  notice.dataset.seen = ends;
  refresh();
}

// Extends the session, and hides the warning. Without this script, the form leads to the page again.
async function stay(form) {
  try {
    const response = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" } });
    if (response.ok) keepTime((await response.json()).session);
    else refresh();
  } catch {
    // The warning stays, so that people can try again.
  }
}

// Takes over another end of the session.
function keepTime({ expiresAt, extend }) {
  const notice = document.getElementById("ending");
  if (!notice) return;
  if (!extend) return notice.remove();
  Object.assign(notice.dataset, { from: extend.from, ends: expiresAt });
  const sentence = notice.querySelector("[data-until]");
  sentence.dataset.until = expiresAt;
  writeEnd(sentence);
  const isWarning = Date.now() >= Date.parse(extend.from);
  if (!isWarning && notice.contains(document.activeElement)) document.querySelector("[tabindex='-1']:not([inert] *)")?.focus({ preventScroll: true });
  notice.hidden = !isWarning;
}

async function copy(button) {
  const field = document.getElementById(button.dataset.copies);
  field.select();
  await navigator.clipboard.writeText(field.value);
  button.textContent = button.dataset.done;
}

// Adds the browser's time zone to a form that starts a session. Without this script, the session has that of its app.
function nameTimeZone(form) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (!timeZone || form.querySelector("input[name=timeZone]")) return;
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "timeZone", value: timeZone });
  form.append(field);
}

// Chooses the offset from UTC that the browser's time zone has at the typed date, unless the page or the user chose one.
function chooseOffset(select) {
  const typed = document.getElementById(select.dataset.local)?.value;
  const minutes = -(typed ? new Date(typed) : new Date()).getTimezoneOffset();
  const clock = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) => String(part).padStart(2, "0"));
  const offset = `${minutes < 0 ? "-" : "+"}${clock.join(":")}`;
  // Time zones of the nineteenth century have other offsets.
  if (Array.from(select.options).some((option) => option.value === offset)) select.value = offset;
}

// Marks an offset that the user has chosen or sent.
function choose(select) {
  select.removeAttribute("data-local");
  select.setAttribute("data-chosen", "");
}

// Unchecks the choices that a chosen one excludes. Without this script, the service refuses them.
function exclude(target) {
  for (const other of target.closest("fieldset")?.querySelectorAll("input[type=checkbox]:checked") ?? []) {
    if (other !== target && (target.matches("[data-exclusive]") || other.matches("[data-exclusive]"))) other.checked = false;
  }
}

// Shows the questions whose condition is true, and hides the others. Without this script, all are shown and marked.
function ask(place) {
  // In their order: a hidden question has no answer.
  for (const row of place.querySelectorAll(".field[data-if]")) {
    // A question with an error was asked by the service.
    const isAsked = row.querySelector(".error") || holds(JSON.parse(row.dataset.if), new FormData(row.closest("form")));
    row.hidden = !isAsked;
    for (const mark of row.querySelectorAll(".applies")) mark.hidden = true;
    for (const control of row.querySelectorAll("input, select, textarea")) control.disabled = !isAsked;
  }
}

// Whether the typed texts fulfill a condition: a JSON Schema with the keywords that conditions have.
function holds({ allOf, anyOf, not, properties }, typed) {
  if (allOf) return allOf.every((part) => holds(part, typed));
  if (anyOf) return anyOf.some((part) => holds(part, typed));
  if (not) return !holds(not, typed);
  return Object.entries(properties).every(([name, rule]) => {
    const texts = typed.getAll(name).map((text) => text.trim()).filter((text) => text);
    return texts.length > 0 && passes(rule, texts);
  });
}

function passes({ not, contains, type, ...rule }, texts) {
  // Any answer passes.
  if (not) return true;
  if (contains) return texts.includes(String(contains.const));
  const text = texts.at(-1);
  const number = Number(text.replace(/\s/g, "").replace(",", "."));
  if (type !== "number") {
    const values = rule.enum ?? [rule.const];
    return values.some((value) => (typeof value === "number" ? value === number : String(value) === text));
  }
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = rule;
  return number >= minimum && number > exclusiveMinimum && number <= maximum && number < exclusiveMaximum;
}

addEventListener("change", ({ target }) => {
  if (target.matches("[type=checkbox]:checked")) return exclude(target);
  if (target.matches("select[data-local]")) return choose(target);
  const select = document.getElementById(`${target.id}-offset`);
  if (select?.matches("[data-local]")) chooseOffset(select);
});
addEventListener("click", ({ target }) => target.matches("[data-copies]") && copy(target));
for (const name of ["input", "change"]) addEventListener(name, ({ target }) => target.form && ask(target.form));
addEventListener("submit", (event) => {
  if (event.target.closest("#ending")) {
    event.preventDefault();
    stay(event.target);
    return;
  }
  isSubmitting = true;
  // The submission may fail without another page.
  setTimeout(() => (isSubmitting = false), 10000);
});
addEventListener("pagehide", disconnect);
addEventListener("pageshow", () => {
  isSubmitting = false;
  follow();
  write();
});
document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : follow()));
setInterval(watchEnd, 1000);
// The questions that do not apply do not flash up while the page loads.
ask(document);
