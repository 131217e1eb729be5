// The JavaScript client of Usher: one ES module without dependencies, served at /usher.js.
//
//     import { Usher } from "/usher.js";
//     const session = await new Usher().start("shop", { input: {} });
//     session.view.screen.data;                    // the data of the visible screen
//     await session.act("buy", { product: 1 });    // resolves to the next view
//     session.follow((view) => draw(view));        // every change, also by other clients

/** A refused request: a problem (RFC 9457), in some cases with the current view. */
export class UsherError extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title ?? `The service answered ${problem.status}.`);
    this.name = "UsherError";
    /** The members of the problem: `type`, `status`, and those of its kind, such as `errors`. */
    this.problem = problem;
  }

  /** The last part of the problem's type, such as `stale-revision` or `invalid-input`. */
  get kind() {
    return this.problem.type?.split("/").pop();
  }
}

/** A service. */
export class Usher {
  /**
   * @param base the URL of the service; by default the origin of the page
   * @param options `token`, for a service that requires one (a string, or a function that returns or resolves to the
   *   current token); `fetch`; `retries`, the maximum number of retries of a request (by default 4); `pause`, the
   *   milliseconds before the first retry (by default 200), which double with each further one
   */
  constructor(base = globalThis.location?.origin ?? "", options = {}) {
    this.base = base.replace(/\/$/, "");
    this.options = { fetch: globalThis.fetch.bind(globalThis), retries: 4, pause: 200, ...options };
  }

  /** Creates a session of an app; `options` are `input`, `link`, `locale`, `timeZone` and `ttl`. */
  async start(app, options = {}) {
    return new Session(this, await this.send("POST", "/v1/sessions", { app, ...options }, { "Idempotency-Key": randomKey() }));
  }

  /** Takes over a session from another device, by the link of its offer. The other device can only read it then. */
  async takeOver(link) {
    return new Session(this, await this.send("POST", link, undefined, { "Idempotency-Key": randomKey() }));
  }

  /** Resumes a session by its address (`/v1/sessions/…`). */
  async resume(address) {
    return new Session(this, await this.send("GET", address));
  }

  /** Returns the hosted apps. */
  async apps() {
    return (await this.send("GET", "/v1/apps")).apps;
  }

  /**
   * Sends a request, and retries it if the response is lost or the service is busy. A retry is safe: every request of
   * this client has an idempotency key, names a revision, or is idempotent.
   */
  async send(method, path, body, headers = {}) {
    const { retries, pause } = this.options;
    for (let attempt = 0; ; attempt++) {
      let response, text;
      try {
        response = await this.request(method, path, body, headers);
        // The connection may break within the body.
        text = await response.text();
      } catch (error) {
        if (attempt >= retries || error instanceof UsherError) throw error;
        response = undefined;
      }
      if (response?.ok) return text ? JSON.parse(text) : {};
      // A proxy responds with 502 or 504 while the service is unavailable. Only a temporary limit has Retry-After.
      const isTemporary = [502, 503, 504].includes(response?.status) || (response?.status === 429 && response.headers.has("Retry-After"));
      if (response && (attempt >= retries || !isTemporary)) {
        throw new UsherError({ status: response.status, ...object(text) });
      }
      const delay = Math.min(Number(response?.headers.get("Retry-After")) || 0, 10) * 1000;
      await new Promise((resolve) => setTimeout(resolve, delay || pause * 2 ** attempt));
    }
  }

  /** Sends a request once, and resolves to its response of any status. */
  async request(method, path, body, headers, signal) {
    // Callers pass addresses from other sources. The token must not reach another service.
    if (!/^\/(?!\/)/.test(path)) throw new UsherError({ status: 0, detail: `${path} is not a path of the service.` });
    const { fetch, token } = this.options;
    const current = typeof token === "function" ? await token() : token;
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    const credential = current ? { Authorization: `Bearer ${current}` } : {};
    return fetch(this.base + path, {
      method,
      headers: { Accept: "application/json", ...type, ...credential, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  }
}

/** Returns an idempotency key, by which the service recognizes a retry. */
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Calls `take` with each event of a stream (HTML, section 9.2.6). Parses only the syntax that this service uses. */
async function readEvents(stream, take) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const event = Object.fromEntries(part.split("\n").map((line) => line.split(/: (.*)/s)));
      if (event.event) take(event);
    }
  }
}

/** Parses the body of an error; an empty object if it is not JSON, as from a proxy. */
function object(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** A session, with its latest known view. */
export class Session {
  constructor(usher, view) {
    this.usher = usher;
    this.view = view;
  }

  /** The path of the session. Without tokens, knowing it is enough to use the session. */
  get address() {
    return this.view.links.self;
  }

  /** Returns an action of the open prompt or, without a prompt, of the visible screen. */
  action(name) {
    return (this.view.prompt ?? this.view).actions.find((action) => action.name === name);
  }

  /** Performs an action that the view offers. */
  act(name, input = {}) {
    const action = this.action(name);
    return this.go(action?.enabled ? action : undefined, input, action?.reason ?? `There is no action ${name} here.`);
  }

  back() {
    return this.go(this.view.navigation.back, undefined, "There is nothing to go back to.");
  }

  dismiss() {
    return this.go(this.view.navigation.dismiss, undefined, "There is nothing to dismiss.");
  }

  tab(name) {
    let bar = this.view.navigation.tabs;
    let tab;
    while (bar && !tab) {
      tab = bar.items.find((item) => item.name === name);
      bar = bar.outer;
    }
    return this.go(tab?.href ? tab : undefined, undefined, `There is no tab ${name} here.`);
  }

  /** Loads a member of the screen's data again that could not be loaded. */
  reload(field) {
    const problem = this.view.screen.problems.find((problem) => problem.field === field);
    return this.go(problem?.retry ?? undefined, undefined, `There is no ${field} here that could not be loaded.`);
  }

  /** Tries an event again that the app could not handle, by its id in the problems of the session. */
  retry(id) {
    const problem = this.view.session.problems?.find((problem) => problem.id === id);
    return this.go(problem?.retry ?? undefined, undefined, `There is no event ${id} here that could not be handled.`);
  }

  /** Performs the action of an item of a list. */
  perform(item) {
    return this.go(item.action ?? undefined, item.action?.input, "There is no action of this item now.");
  }

  /** Gets the current view with another page of a list, by the path in its links. */
  async page(path) {
    return this.take(await this.usher.send("GET", path));
  }

  /** Changes the language of the session to a language tag (BCP 47), such as "de". */
  changeLocale(locale) {
    return this.go({ href: `${this.address}/locale?revision=${this.view.session.revision}` }, { locale });
  }

  /** Opens a deep link, such as `/accounts/a1`. */
  open(link) {
    return this.go({ href: `${this.address}/open?revision=${this.view.session.revision}` }, { link });
  }

  async refresh() {
    return this.take(await this.usher.send("GET", this.address));
  }

  /**
   * Extends a session with an idle limit, as an action would. `view.session.extend` is null if the session cannot be
   * extended; otherwise its `from` is the time from which to warn of the end, `view.session.expiresAt`.
   */
  extend() {
    return this.go(this.view.session.extend ?? undefined, undefined, "The session cannot be extended.");
  }

  /** Offers the session to another device. Resolves to the path of a link that works once, for ten minutes. */
  async handOver() {
    const path = this.view.links.handOver;
    if (!path) throw new UsherError({ type: "/problems/action-unavailable", status: 409, detail: "The session cannot be handed over." });
    return (await this.usher.send("POST", path)).href;
  }

  /** Ends the session. A session that has ended already is no error. */
  async end() {
    try {
      await this.usher.send("DELETE", this.address);
    } catch (error) {
      if (error.problem?.status !== 410) throw error;
    }
  }

  /**
   * Calls `onView` with every later view, also of changes by other clients. At the end calls `onEnd` with `finished`,
   * `deleted` or `expired`, or with `refused` if the service no longer accepts the token. Returns a function that stops
   * the subscription.
   */
  follow(onView, onEnd = () => {}) {
    // An EventSource cannot send a token.
    const stopping = new AbortController();
    let known, reported = this.view.session.revision, ends = this.view.session.expiresAt;
    const report = (view, isCertain) => {
      if (stopping.signal.aborted) return;
      this.take(view, isCertain);
      // An extension has no revision.
      const isExtended = view.session.revision === reported && view.session.expiresAt > ends;
      if (view.session.revision <= reported && !isExtended && !isCertain) return;
      reported = view.session.revision;
      ends = view.session.expiresAt;
      // An error of the callback must not end the subscription.
      queueMicrotask(() => onView(view));
    };
    const end = (reason) => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      queueMicrotask(() => onEnd(reason));
    };
    const take = ({ event, id, data }) => {
      known = id ?? known;
      if (event === "end") end(JSON.parse(data).reason);
      else report(JSON.parse(data), event === "resync");
    };
    const listen = async () => {
      const headers = { Accept: "text/event-stream", ...(known ? { "Last-Event-ID": known } : {}) };
      const response = await this.usher.request("GET", this.view.links.events, undefined, headers, stopping.signal);
      if (response.status === 200) return readEvents(response.body, take);
      // The service may be busy, or the session over.
      report(await this.usher.send("GET", this.address), false);
      if (this.view.session.status === "finished") end("finished");
    };
    const run = async () => {
      while (!stopping.signal.aborted) {
        try {
          await listen();
        } catch (error) {
          const reason = { 401: "refused", 403: "refused", 404: "deleted", 410: "deleted" }[error.problem?.status];
          if (reason) end(reason);
        }
        if (!stopping.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 3000));
      }
    };
    run();
    return () => stopping.abort();
  }

  /** Performs an offered intent. On an error with a view, such as a stale revision, adopts that view and rethrows. */
  async go(offered, body, reason) {
    if (!offered) throw new UsherError({ type: "/problems/action-unavailable", status: 409, detail: reason, view: this.view });
    try {
      return this.take(await this.usher.send("POST", offered.href, body));
    } catch (error) {
      if (error.problem?.view) this.take(error.problem.view, true);
      throw error;
    }
  }

  /** Adopts a view, unless it is older, as in a delayed response. A view that `isCertain` is adopted in any case. */
  take(view, isCertain = false) {
    if (isCertain || view.session.revision >= this.view.session.revision) this.view = view;
    return this.view;
  }
}
