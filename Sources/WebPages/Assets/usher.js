// The JavaScript client of Usher: one ES module without dependencies, served at /usher.js.
//
//     import { Usher } from "/usher.js";
//     const session = await new Usher().start("shop", { input: {} });
//     session.view.screen.data;                    // what to draw
//     await session.act("buy", { product: 1 });    // resolves to the next view
//     session.follow((view) => draw(view));        // also what others do

/** What the service refuses: a problem (RFC 9457), with the view that it may carry. */
export class UsherError extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title ?? `The service answered ${problem.status}.`);
    this.name = "UsherError";
    /** The members of the problem: `type`, `status`, and what its kind adds, such as `errors`. */
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
   * @param base where the service is; the origin of the page if not given
   * @param options `token` (says who makes the requests where the service asks for that; a text, or a function that resolves to the one
   *   that is good now), `fetch`, `retries` (how often a request is sent again, 4) and `pause` (milliseconds before the first time, 200)
   */
  constructor(base = globalThis.location?.origin ?? "", options = {}) {
    this.base = base.replace(/\/$/, "");
    this.options = { fetch: globalThis.fetch.bind(globalThis), retries: 4, pause: 200, ...options };
  }

  /** Begins a session of an app; `options` are `input`, `link`, `locale` and `ttl`. */
  async start(app, options = {}) {
    return new Session(this, await this.send("POST", "/v1/sessions", { app, ...options }, { "Idempotency-Key": randomKey() }));
  }

  /** A session that was begun on another device, which can only look on from then on, by the link that it was handed over with. */
  async takeOver(link) {
    return new Session(this, await this.send("POST", link, undefined, { "Idempotency-Key": randomKey() }));
  }

  /** A session that has begun before, by its address (`/v1/sessions/…`). */
  async resume(address) {
    return new Session(this, await this.send("GET", address));
  }

  /** The apps that are hosted. */
  async apps() {
    return (await this.send("GET", "/v1/apps")).apps;
  }

  /**
   * Sends a request, and sends it again where the answer is lost or the service is busy: everything that this client sends may
   * arrive twice without happening twice.
   */
  async send(method, path, body, headers = {}) {
    const { retries, pause } = this.options;
    for (let attempt = 0; ; attempt++) {
      let response, text;
      try {
        response = await this.request(method, path, body, headers);
        // The answer may be lost halfway, too.
        text = await response.text();
      } catch (error) {
        if (attempt >= retries || error instanceof UsherError) throw error;
        response = undefined;
      }
      if (response?.ok) return text ? JSON.parse(text) : {};
      // A proxy says 502 and 504 where the service is away for a moment. Of what is over a limit only some can be had later.
      const passes = [502, 503, 504].includes(response?.status) || (response?.status === 429 && response.headers.has("Retry-After"));
      if (response && (attempt >= retries || !passes)) {
        throw new UsherError({ status: response.status, ...object(text) });
      }
      const told = Math.min(Number(response?.headers.get("Retry-After")) || 0, 10) * 1000;
      await new Promise((resolve) => setTimeout(resolve, told || pause * 2 ** attempt));
    }
  }

  /** Sends a request once, and resolves to its response, whatever that is. */
  async request(method, path, body, headers, signal) {
    // An address comes from elsewhere, and names a place on this service: nobody else gets the token.
    if (!/^\/(?!\/)/.test(path)) throw new UsherError({ status: 0, detail: `${path} is no path of the service.` });
    const { fetch, token } = this.options;
    const now = typeof token === "function" ? await token() : token;
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    const credential = now ? { Authorization: `Bearer ${now}` } : {};
    return fetch(this.base + path, {
      method,
      headers: { Accept: "application/json", ...type, ...credential, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  }
}

/** What makes a request that is sent again after a lost answer the same one. */
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Calls `take` with each event of a stream (HTML, section 9.2.6), as far as this service sends them. */
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

/** What a proxy answers in the service's place may be anything. */
function object(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** A session, with the view that was last seen of it. */
export class Session {
  constructor(usher, view) {
    this.usher = usher;
    this.view = view;
  }

  /** Where the session is; who knows it can use the session. */
  get address() {
    return this.view.links.self;
  }

  /** An action of the visible screen or of the open prompt. */
  action(name) {
    return (this.view.prompt ?? this.view).actions.find((action) => action.name === name);
  }

  /** Does an action that the view offers. */
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
    const tab = this.view.navigation.tabs?.items.find((item) => item.name === name);
    return this.go(tab?.href ? tab : undefined, undefined, `There is no tab ${name} here.`);
  }

  /** Opens a deep link, such as `/accounts/a1`. */
  open(link) {
    return this.go({ href: `${this.address}/open?revision=${this.view.session.revision}` }, { link });
  }

  async refresh() {
    return this.take(await this.usher.send("GET", this.address));
  }

  /** Offers the session to another device: resolves to the path of a link that is good once, for ten minutes. */
  async handOver() {
    const path = this.view.links.handOver;
    if (!path) throw new UsherError({ type: "/problems/action-unavailable", status: 409, detail: "The session cannot be handed over." });
    return (await this.usher.send("POST", path)).href;
  }

  /** Ends the session; one that has ended is as good. */
  async end() {
    try {
      await this.usher.send("DELETE", this.address);
    } catch (error) {
      if (error.problem?.status !== 410) throw error;
    }
  }

  /**
   * Calls `onView` with every view from here on, whoever brings it about, and in the end `onEnd` with `finished`, `deleted` or
   * `expired`, or `refused` where the token is not taken any more. Returns what stops it.
   */
  follow(onView, onEnd = () => {}) {
    // Not an EventSource, which sends no token.
    const stopping = new AbortController();
    let known, told = this.view.session.revision;
    const tell = (view, isCertain) => {
      if (stopping.signal.aborted) return;
      this.take(view, isCertain);
      if (view.session.revision <= told && !isCertain) return;
      told = view.session.revision;
      // What goes wrong in there is not what goes wrong here.
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
      else tell(JSON.parse(data), event === "resync");
    };
    const listen = async () => {
      const headers = { Accept: "text/event-stream", ...(known ? { "Last-Event-ID": known } : {}) };
      const response = await this.usher.request("GET", this.view.links.events, undefined, headers, stopping.signal);
      if (response.status === 200) return readEvents(response.body, take);
      // The service may be busy, or the session over.
      tell(await this.usher.send("GET", this.address), false);
      if (this.view.session.status === "finished") end("finished");
    };
    const goOn = async () => {
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
    goOn();
    return () => stopping.abort();
  }

  /** Follows what a view offers. A view that has become stale is replaced, and the error says so: decide again from there. */
  async go(offered, body, otherwise) {
    if (!offered) throw new UsherError({ type: "/problems/action-unavailable", status: 409, detail: otherwise, view: this.view });
    try {
      return this.take(await this.usher.send("POST", offered.href, body));
    } catch (error) {
      if (error.problem?.view) this.take(error.problem.view, true);
      throw error;
    }
  }

  /** An older view, which a slower answer brings, does not take the place of a newer one; unless it `isCertain` that it is current. */
  take(view, isCertain = false) {
    if (isCertain || view.session.revision >= this.view.session.revision) this.view = view;
    return this.view;
  }
}
