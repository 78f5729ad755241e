import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { servePlainList } from "../bench/console/peer.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { ManualClock } from "../device/manual-clock.ts";
import { drawn, holdAnswer, intercept, startBrowser, violationsOn } from "./browser-page.ts";
import type { ConsoleHome } from "./console-home.ts";
import { startConsole, startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("tabs under hard conditions", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("P2: two tabs that decide the same one make one decision, and the second is told who was first", async () => {
    const home = await startConsole();
    const [first, second] = [await startTab(browser, home), await startTab(browser, home)];
    const approve = { name: "Approve: Subject 2" };
    await second.page.getByRole("button", approve).waitFor();
    // What the first one does reaches the second only after it has pressed as well.
    await intercept(second.page, "**/api/events*", (route) => route.abort());
    const held = Promise.withResolvers<void>();
    await intercept(second.page, "**/decision", async (route) => {
      await held.promise;
      await route.continue();
    });
    await second.page.getByRole("button", { name: "Reject: Subject 2" }).click();
    await first.page.getByRole("button", approve).click();
    await expect.poll(() => home.store.proposals.counts().approved).toBe(1);
    held.resolve();
    await second.page.getByText("That did not work: Subject 2").waitFor();
    await second.page.getByText("The proposal is approved already.").waitFor();
    await second.page.getByRole("link", { name: "Subject 2" }).waitFor({ state: "detached" });
    expect(home.store.proposals.counts()).toMatchObject({ approved: 1, rejected: 0, pending: 1 });
    expect(home.store.outbox.counts().waiting).toBe(1);
  });

  it("P2: an answer that was asked for before a decision does not take it back on the item's page", async () => {
    const home = await startConsole();
    const [first, second] = [await startTab(browser, home), await startTab(browser, home)];
    const older = await holdAnswer(second.page, `/api/proposals/${makeProposal(2).id}`);
    await second.page.getByRole("link", { name: "Subject 2" }).click();
    await older.answered;
    await first.page.getByRole("button", { name: "Approve: Subject 2" }).click();
    await second.page.getByText("You have approved this.").waitFor();
    await older.letGo();
    await drawn(second.page);
    await second.page.getByText("You have approved this.").waitFor();
    expect(await second.page.getByRole("button", { name: "Reject" }).count()).toBe(0);
  });

  it("P2: a stream that is cut goes on where it was: what arrived meanwhile is there once", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.getByText("2 wait").waitFor();
    await page.context().setOffline(true);
    home.deliver(makeProposal(3), makeProposal(4));
    await expect.poll(() => home.store.proposals.counts().pending).toBe(4);
    await page.context().setOffline(false);
    home.deliver(makeProposal(5));
    await page.getByText("5 wait").waitFor();
    for (const n of [1, 2, 3, 4, 5]) expect(await page.getByRole("link", { name: `Subject ${n}` }).count()).toBe(1);
  });

  it("asks once for what several events of one moment say is another", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home, { path: "/scouts" });
    const isShown = Promise.withResolvers<void>();
    const events = (["scouts", "changed", "scouts", "changed"] as const).map((type) => ({
      at: "none",
      event: { type },
    }));
    const lines = events.map((each) => `${JSON.stringify(each)}\n`).join("");
    let streams = 0;
    await intercept(page, "**/api/events?*", async (route) => {
      streams += 1;
      await isShown.promise;
      // The next one is never answered: what a tab is told first is to ask for everything.
      if (streams === 1) await route.fulfill({ contentType: "text/plain", body: lines });
    });
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/api/scouts")) asked += 1;
    });
    await page.reload();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    const before = asked;
    const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/scouts"));
    isShown.resolve();
    await answered;
    await drawn(page);
    expect(asked - before).toBe(1);
  });

  it("on a slow line a decision is shown at once, and its undoing does not overtake it", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 2" }).focus();
    const held = Promise.withResolvers<void>();
    const sent: string[] = [];
    await intercept(page, "**/decision", async (route) => {
      sent.push(route.request().method());
      if (route.request().method() === "PUT") await held.promise;
      await route.continue();
    });
    await page.keyboard.press("a");
    await page.getByRole("link", { name: "Subject 2" }).waitFor({ state: "detached" });
    await page.keyboard.press("u");
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    expect(sent).toEqual(["PUT"]);
    held.resolve();
    await expect.poll(() => sent).toEqual(["PUT", "DELETE"]);
    await expect.poll(() => home.store.outbox.counts().waiting).toBe(0);
    expect(home.store.proposals.counts()).toMatchObject({ approved: 0, pending: 2 });
  });

  it("says in its language that its token has ended and what to do, with the first request that shows it", async () => {
    const clock = new ManualClock();
    const home = await startConsole({ clock });
    const { page } = await startTab(browser, home, { locale: "it" });
    const approve = page.getByRole("button", { name: "Approva: Subject 2" });
    await approve.waitFor();
    clock.sleep(13 * 3_600_000);
    // Whichever request comes first, this one or the page's own.
    const ended = page.getByRole("heading", { name: "Questa scheda non è collegata" });
    await Promise.any([approve.click(), ended.waitFor()]);
    await ended.waitFor();
    await page.getByText("non ha chiesto nulla per dodici ore").waitFor();
    await page.getByText("scouts console", { exact: true }).waitFor();
    expect(await page.locator("article").count()).toBe(0);
    expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).toBe("{}");
    expect(home.store.proposals.counts()).toMatchObject({ approved: 0, pending: 2 });
    expect(await violationsOn(page)).toEqual([]);
  });

  it("P1: with the token of a server that was started again it shows nothing and says how to open the page", async () => {
    const [before, after] = [await startConsole(), await startConsole()];
    const token = await before.token();
    const { page } = await startTab(browser, after);
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    const answers: number[] = [];
    page.on("response", (answer) => {
      const isWithIt = answer.request().headers()["authorization"] === `Bearer ${token}`;
      if (isWithIt && answer.url().includes("/api/")) answers.push(answer.status());
    });
    await page.evaluate(`sessionStorage.setItem("scouts.token", ${JSON.stringify(token)})`);
    await page.reload();
    await page.getByRole("heading", { name: "This tab is not signed in" }).waitFor();
    await page.getByText("the device was started again").waitFor();
    await page.getByText("scouts console", { exact: true }).waitFor();
    expect(await page.content()).not.toContain("Subject");
    expect(new Set(answers)).toEqual(new Set([401]));
  });

  const chooseLanguage = async (home: ConsoleHome, language: string) => {
    const headers = { authorization: `Bearer ${await home.token()}`, "content-type": "application/json" };
    await fetch(`${home.served.origin}/api/preferences`, {
      method: "PATCH",
      headers,
      body: JSON.stringify({ language }),
    });
  };

  it("speaks the language that was chosen while the device was not heard", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    let isHeard = false;
    await page.route("**/api/events*", (route) => (isHeard ? route.continue() : route.abort()));
    await page.reload();
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    await chooseLanguage(home, "it");
    isHeard = true;
    await page.getByRole("button", { name: "Approva: Subject 2" }).waitFor();
  });

  it("speaks what was chosen last, though the answer with the choice before comes later", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    let count = 0;
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await intercept(page, "**/api/preferences", async (route) => {
      count += 1;
      // The page asks once as it is loaded, and once more when it hears the device.
      if (count !== 2) return route.continue();
      const response = await route.fetch();
      asked.resolve();
      await answer.promise;
      await route.fulfill({ response });
    });
    await page.reload();
    await asked.promise;
    await chooseLanguage(home, "it");
    const approve = page.getByRole("button", { name: "Approva: Subject 2" });
    await approve.waitFor();
    const late = page.waitForResponse("**/api/preferences");
    answer.resolve();
    await (await late).finished();
    await drawn(page);
    expect(await approve.isVisible()).toBe(true);
  });

  it("says where one chooses that what was chosen is not known, and shows its pages all the same", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    const json = { error: { code: "internal", message: "Something unexpected went wrong." } };
    await page.route("**/api/preferences", (route) => route.fulfill({ status: 500, json }));
    await page.goto(`${home.served.origin}/settings`);
    const told = page.getByRole("region", { name: "Appearance" }).getByRole("alert");
    await told.getByText("Something unexpected went wrong.").waitFor();
    await page.getByRole("banner").getByRole("button", { name: "Language" }).click();
    await page.getByRole("option", { name: "Italiano" }).click();
    await page.getByRole("banner").getByText("È successo qualcosa ").waitFor();
    // The device takes the request and says nothing.
    await page.unroute("**/api/preferences");
    await page.route("**/api/preferences", () => undefined);
    await page.goto(`${home.served.origin}/inbox`);
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
  });

  it("says that it is not known whether something can be taken back, until it is", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    const json = { error: { code: "internal", message: "Something unexpected went wrong." } };
    await page.route("**/api/undoable", (route) => route.fulfill({ status: 500, json }));
    await page.reload();
    const told = page.getByText("Whether your last decisions can still be taken back could not be asked.");
    await told.waitFor();
    await page.unroute("**/api/undoable");
    await page.getByRole("button", { name: "Try again" }).click();
    await told.waitFor({ state: "detached" });
  });

  it("says of what is missing, late or given by another program that it is so, until it is there", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    const foreign = { contentType: "text/html", body: "<html>\n<p>Sign in to the network</p>\n</html>\n" };
    await page.route("**/conversation", (route) => route.fulfill(foreign));
    await page.route("**/api/events*", (route) => route.fulfill(foreign));
    await page.goto(`${home.served.origin}/items/${makeProposal(2).id}`);
    const told = page.getByRole("alert").filter({ hasText: "A part of this page is missing" });
    await told.getByText("another program answers in its place").waitFor();
    await page.getByText("The device does not answer. It is tried again.").waitFor();
    await page.unroute("**/conversation");
    await told.getByRole("button", { name: "Try again" }).click();
    await told.waitFor({ state: "detached" });
    // A device that is heard again is asked anew by itself.
    await page.unroute("**/api/events*");
    await page.getByText("The device does not answer.").waitFor({ state: "detached" });
    await page.clock.install();
    await intercept(page, "**/api/proposals/page", () => undefined);
    await page.getByRole("link", { name: "Back to the inbox" }).click();
    await page.getByText("Loading…").waitFor();
    await page.clock.fastForward(10_000);
    await page.getByText("This takes long: it is still waited for.").waitFor();
  });

  it.each(["breaks off", "never answers"])("is drawn though the question that signs it in %s", async (how) => {
    const home = await startConsole();
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.route("**/api/session", (route) => (how === "breaks off" ? route.abort() : undefined));
    await page.goto(`${home.served.origin}/inbox#code=${home.code()}`);
    await page.getByText("This tab is not signed in").waitFor();
  });

  it("works in a browser that stores nothing, until the tab is loaded again", async () => {
    const home = await startConsole();
    const context = await browser.newContext();
    const page = await context.newPage();
    const thrown: string[] = [];
    page.on("pageerror", (error) => thrown.push(String(error)));
    await page.addInitScript(`for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
    }`);
    await page.goto(`${home.served.origin}/inbox#code=${home.code()}`);
    await page.getByRole("link", { name: "Subject 2" }).focus();
    await page.keyboard.press("a");
    await expect.poll(() => home.store.proposals.counts().approved).toBe(1);
    await page.reload();
    await page.getByText("This tab is not signed in").waitFor();
    expect(thrown).toEqual([]);
    await context.close();
  });

  it("P1: a page of another port reads nothing, with a good token too", async () => {
    const home = await startConsole();
    const other = await servePlainList([]);
    const page = await browser.newPage();
    await page.goto(other.url);
    const token = await home.token();
    const outcomes = await page.evaluate(
      ([origin, path, given]) =>
        Promise.all(
          [undefined, { authorization: `Bearer ${given}` }].map((headers) =>
            fetch(`${origin}${path}`, headers === undefined ? {} : { headers }).then(
              () => "answered",
              () => "refused",
            ),
          ),
        ),
      [home.served.origin, `/api/proposals/${makeProposal(1).id}`, token] as const,
    );
    expect(outcomes).toEqual(["refused", "refused"]);
    await page.close();
    await other.close();
  });

  it("P1: what is shown and searched for is in no address the browser has asked, and in nothing it keeps", async () => {
    const canary = "canary-of-this-test";
    const home = await startConsole({
      proposals: [makeProposal(1, { rawSubject: canary })],
      text: () => `${canary} text`,
    });
    const { page } = await startTab(browser, home);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.getByRole("searchbox").fill(canary);
    await page.getByText("1 found").waitFor();
    await page.getByRole("link", { name: canary }).click();
    await page.getByText(`${canary} text`).waitFor();
    await page.goBack();
    await page.getByText("1 found").waitFor();
    const kept =
      await page.evaluate(`Promise.all([caches.keys(), indexedDB.databases()]).then((stores) => JSON.stringify([
      stores, { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state,
      performance.getEntriesByType("resource").map(({ name }) => name),
    ]))`);
    expect(asked.length).toBeGreaterThan(3);
    expect(`${asked.join("\n")}\n${kept}`).not.toContain("canary");
    expect(home.problems).toEqual([]);
  });
});
