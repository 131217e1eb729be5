"""The JavaScript client, on a page of the service's origin."""
import unittest
from cases import Case
from service import SERVICE

# Definitions for the scripts: the client, a fetch that loses responses, and a wait for a condition.
PRELUDE = """
const done = arguments[arguments.length - 1];
const { Usher, UsherError } = await import("/usher.js");
let lost = 0;
const losing = (count) => async (...request) => {
  const response = await fetch(...request);
  if (lost < count) { lost += 1; throw new TypeError("The response is lost."); }
  return response;
};
const until = async (check) => { while (!check()) await new Promise((resolve) => setTimeout(resolve, 5)); };
"""


@unittest.skipUnless(Case.javascript, "the client requires JavaScript")
class Client(Case):
    def run_script(self, script):
        driver = self.user.driver
        driver.set_script_timeout(15)
        driver.get(SERVICE.address + "/usher.js")
        result = driver.execute_async_script(
            f"(async (...arguments) => {{ {PRELUDE} "
            f"try {{ done(await (async () => {{ {script} }})()); }} "
            "catch (error) { done('failed: ' + error.stack); } })(...arguments)")
        if isinstance(result, str) and result.startswith("failed: "):
            self.fail(result)
        return result

    def test_the_client_starts_sessions_acts_and_goes_back(self):
        self.assertEqual(self.run_script("""
            const usher = new Usher();
            const session = await usher.start("bank", { link: "/accounts/a2" });
            const titles = [session.view.screen.title];
            const note = (view) => titles.push(view.screen.title);
            note(await session.back());
            note(await session.tab("inbox"));
            note(await session.act("read", { messageId: "m1" }));
            note(await session.open("/transfer"));
            note(await session.dismiss());
            const again = await usher.resume(session.address);
            note(again.view);
            await session.end();
            const kind = await session.refresh().catch((error) => error.kind);
            return [titles, kind, (await usher.apps()).map((app) => app.name)];
            """), [
            ["Savings", "Accounts", "Inbox", "Welcome", "Sign in", "Welcome", "Welcome"], "session-expired",
            ["pages", "shop", "tabs", "bank", "checkout", "gallery"]])

    def test_a_lost_response_is_retried_and_no_action_is_repeated(self):
        self.assertEqual(self.run_script("""
            const session = await new Usher(undefined, { fetch: losing(3), pause: 1 }).start("shop");
            const started = lost;
            lost = 0;
            await session.act("buy", { product: 1 });
            lost = 0;
            const view = await session.act("pay");
            const { entries } = await session.usher.send("GET", session.view.links.history);
            return [started, view.screen.data.purchases, entries.map((entry) => entry.action)];
            """), [3, [1], ["create", "buy", "pay"]])

    def test_a_refusal_has_a_reason_and_the_current_view(self):
        self.assertEqual(self.run_script("""
            const usher = new Usher();
            const session = await usher.start("shop");
            const other = await usher.resume(session.address);
            await other.act("create-account");
            const kinds = [];
            const kind = (promise) => promise.then(
              () => kinds.push("none"), (error) => kinds.push(error instanceof UsherError && error.kind));
            await kind(session.act("buy", { product: 1 }));
            kinds.push(session.view.screen.name);
            await kind(session.act("nope"));
            await kind(session.act("next", { name: "" }));
            await kind(session.open("/nope"));
            await kind(usher.start("nope"));
            await kind(new Usher("http://127.0.0.1:1", { retries: 0 }).apps());
            return kinds;
            """), [
            "stale-revision", "account-name", "action-unavailable", "invalid-input", "invalid-link", "unknown-app",
            False])

    def test_the_client_follows_the_actions_of_others(self):
        self.assertEqual(self.run_script("""
            const usher = new Usher();
            const session = await usher.start("pages");
            const other = await usher.resume(session.address);
            const seen = [];
            const stop = session.follow((view) => seen.push(view.session.revision), (reason) => seen.push(reason));
            await other.act("next");
            await until(() => seen.includes(2));
            await session.act("third");
            await other.refresh();
            await other.act("first");
            await until(() => seen.includes(4));
            await other.end();
            await until(() => seen.includes("deleted"));
            stop();
            return [seen, session.view.screen.name];
            """), [[2, 3, 4, "deleted"], "first"])

    def test_the_client_reports_an_earlier_end(self):
        self.assertEqual(self.run_script("""
            const session = await new Usher().start("pages");
            await session.end();
            await session.end();
            return [
              await new Promise((resolve) => session.follow(() => {}, resolve)),
              await session.usher.resume("evil").catch((error) => error.name)];
            """), ["deleted", "UsherError"])
