import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkMail } from "../../device/doctor/running-checks.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { intercept, startBrowser, violationsOn } from "./browser-page.ts";
import { dayMs, startDrafted } from "./drafted-home.ts";
import { startTab } from "./setting.ts";

const focused = "document.activeElement.textContent";

const dialog = (page: Page) => page.getByRole("dialog");

describe.skipIf(!hasBrowser)("the brief and the inbox in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("the brief says what waits, the week and what is broken; it is decided by keys, and what arrives moves nothing", async () => {
    const home = await startDrafted([{}, { priority: "now", due: new Date().toISOString().slice(0, 10) }, {}]);
    const { store } = home;
    addEntity(store, "task", { title: "Water the beds", due: "2020-01-01" }, Date.now());
    store.knownScouts.switchedOff(makeProposal(1).scoutId, "reauth", Date.now() - dayMs);
    home.cloud.onRequest = () => "default";
    const { page, complaints, loadedBytes } = await startTab(browser, home, { path: "/" });
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    expect(await loadedBytes()).toBeLessThanOrEqual(250_000);
    await page.getByText("Water the beds").waitFor();
    await page.getByText("The home does not say how its scouts fare.").waitFor();
    const titles = () => page.locator(".brief-card h3").allTextContents();
    // A card stands below the heading of what waits, for who goes from heading to heading.
    const cards = page.getByRole("region", { name: "Waiting for you" }).getByRole("heading", { level: 3 });
    expect(await cards.count()).toBe(3);
    // What is due now comes first; of the same the newest.
    await expect.poll(titles).toEqual(["Subject 2", "Subject 3", "Subject 1"]);
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate(focused)).toBe("Subject 2");
    await page.keyboard.press("a");
    await expect.poll(() => page.evaluate(focused)).toBe("Subject 3");
    await expect.poll(() => store.work.task.list().map(({ title }) => title)).toContain("Draft 2");
    home.deliver(makeProposal(9, { triagedAt: Date.now() }));
    await page
      .getByRole("button", { name: "1 new: show it" })
      .or(page.getByRole("link", { name: "Subject 9" }))
      .waitFor();
    expect((await titles())[0]).toBe("Subject 3");
    await page.keyboard.press("r");
    await expect.poll(() => store.proposals.counts().rejected).toBe(1);
    await page.keyboard.press("u");
    await expect.poll(() => store.proposals.counts().rejected).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
    expect(complaints.filter((line) => !/status of (404|503)/.test(line))).toEqual([]);
  });

  it.each(["fails", "is cut"] as const)(
    "says so when what is broken cannot be found out, since its question %s, and asks again",
    async (how) => {
      const home = await startDrafted([{}]);
      const { page } = await startTab(browser, home);
      const asked = "**/api/brief/broken";
      await intercept(page, asked, (route) =>
        how === "fails"
          ? route.fulfill({
              status: 500,
              json: { error: { code: "internal", message: "Something unexpected went wrong." } },
            })
          : route.fulfill({ status: 200, contentType: "application/json", body: '{"broken":[' }),
      );
      await page.goto(`${home.served.origin}/`);
      const told = page.getByText("Whether something is broken could not be found out.");
      await told.waitFor();
      expect(await told.textContent()).toMatch(
        how === "fails" ? /Something unexpected went wrong/ : /The device does not answer/,
      );
      await page.getByRole("link", { name: "Subject 1" }).waitFor();
      expect(await violationsOn(page)).toEqual([]);
      await page.unroute(asked);
      await page.getByRole("button", { name: "Try again" }).press("Enter");
      await told.waitFor({ state: "detached" });
      // What is gone gives the focus on within two frames.
      await expect.poll(() => page.evaluate("document.activeElement !== document.body")).toBe(true);
    },
  );

  it("says in the person's language that mail on the home's machine cannot be read, and what to do", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home, { locale: "de" });
    const finding = checkMail({ mail: "mailbox", mailAway: "/home/ada/Mail" });
    const about = { id: null, name: "", count: 0, since: null, why: null };
    await intercept(page, "**/api/brief/broken", (route) =>
      route.fulfill({ json: { broken: [{ ...about, what: "mail", finding }] } }),
    );
    await page.goto(`${home.served.origin}/`);
    const told = page.locator(".trouble", { hasText: "das Postfach" });
    await told.waitFor();
    expect(await told.textContent()).toMatch(
      /das Postfach .home.ada.Mail kann nicht gelesen werden.*Legen Sie es dorthin/,
    );
    await told.getByRole("link").click();
    await page.getByRole("heading", { name: "Diagnose" }).waitFor();
  });

  it("says where projects and times are chosen that they could not be asked for", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 1" }).waitFor();
    const failure = { status: 500, json: { error: { code: "internal", message: "Something unexpected went wrong." } } };
    await page.route("**/api/choices", (route) => route.fulfill(failure));
    await page.route("**/api/work/projects", (route) => route.fulfill(failure));
    for (const key of ["s", "e"]) {
      await page.goto(`${home.served.origin}/inbox`);
      await page.getByRole("link", { name: "Subject 1" }).focus();
      await page.keyboard.press(key);
      await dialog(page).getByText("Something unexpected went wrong.").first().waitFor();
    }
    await page.goto(`${home.served.origin}/inbox`);
    await page.getByRole("button", { name: "More: Subject 1" }).press("Enter");
    await page.getByRole("menuitem", { name: "Project", exact: true }).press("Enter");
    await dialog(page).getByText("Something unexpected went wrong.").waitFor();
    await page.goto(`${home.served.origin}/work/tasks`);
    await page.locator("main").getByText("Something unexpected went wrong.").first().waitFor();
    expect(await violationsOn(page)).toEqual([]);
  });

  it("says that nothing waits, and what was decided on another device first", async () => {
    const home = await startDrafted([{}]);
    home.store.proposals.decide(home.idOf(1), "approved");
    home.store.proposals.differs({ id: home.idOf(1), decided: 1, round: 1, outcome: "rejected" });
    const { page } = await startTab(browser, home, { path: "/" });
    await page.getByText("Nothing waits for you.").waitFor();
    await page.getByText("No deadline and no event.").waitFor();
    await page.getByRole("link", { name: /1 decision of yours differs/ }).press("Enter");
    await page.getByText("Another device has rejected this, and first.").waitFor();
    await page.getByRole("link", { name: "Subject 1" }).press("Enter");
    await page.getByRole("button", { name: "Decide anew, on all devices" }).press("Enter");
    await expect.poll(() => home.store.proposals.find(home.idOf(1))?.status).toBe("pending");
  });

  it("a draft is edited by keyboard, refused with its field named, and approved; the focus goes on", async () => {
    const home = await startDrafted([{}, {}]);
    const { page, complaints } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 2" }).focus();
    await page.keyboard.press("e");
    await page.getByLabel("Title").waitFor();
    await page.getByLabel("Title").fill("<b>Ring</b> \u202eAda");
    await page.getByLabel("Due", { exact: true }).fill("2026-02-30");
    await page.getByLabel("Due", { exact: true }).press("Enter");
    await dialog(page).getByText("2026-02-30 is not a day of the calendar").waitFor();
    expect(await page.getByLabel("Due", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await violationsOn(page)).toEqual([]);
    await page.getByLabel("Due", { exact: true }).fill("2027-03-01T17:00");
    await page.getByLabel("Due", { exact: true }).press("Enter");
    await dialog(page).waitFor({ state: "detached" });
    await page.getByText("Approved: Subject 2").waitFor();
    await expect
      .poll(() => home.store.work.task.list())
      .toMatchObject([{ title: "<b>Ring</b> \u202eAda", due: "2027-03-01T16:00:00Z" }]);
    await expect.poll(() => page.evaluate(focused)).toBe("Subject 1");
    await page.keyboard.press("u");
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    await expect.poll(() => home.store.work.task.list()).toEqual([]);
    expect(complaints.filter((line) => !/status of 400/.test(line))).toEqual([]);
  });

  it("P2: of two tabs that edit one draft the later is told what it is now, and overwrites nothing unasked", async () => {
    const home = await startDrafted([{}]);
    const [first, second] = [await startTab(browser, home), await startTab(browser, home)];
    for (const { page } of [first, second]) {
      await page.getByRole("link", { name: "Subject 1" }).focus();
      await page.keyboard.press("e");
      await page.getByLabel("Title").waitFor();
    }
    await second.page.getByLabel("Title").fill("Second");
    await first.page.getByLabel("Title").fill("First");
    await first.page.getByRole("button", { name: "Save the draft" }).press("Enter");
    await second.page.getByText("This was changed elsewhere meanwhile. It is now:").waitFor();
    await second.page.getByText("A task: First").waitFor();
    expect(await second.page.getByLabel("Title").inputValue()).toBe("Second");
    expect(await second.page.getByRole("button", { name: "Save the draft" }).isDisabled()).toBe(true);
    await second.page.getByRole("button", { name: "Go on with mine" }).press("Enter");
    await second.page.getByRole("button", { name: "Save the draft" }).press("Enter");
    await dialog(second.page).waitFor({ state: "detached" });
    expect(home.store.proposals.find(home.idOf(1))?.payload?.title).toBe("Second");
  });

  it("P2: who has a draft open of what another device decides meanwhile is told, and nothing is made", async () => {
    const home = await startDrafted([{}, {}]);
    const { page } = await startTab(browser, home, { path: `/items/${makeProposal(1).id}` });
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    await page.getByLabel("Title").fill("Mine");
    home.cloud.push({
      type: "scout_proposal_closed",
      proposalId: home.idOf(1),
      reason: "resolved_elsewhere",
      round: 1,
      outcome: "rejected",
    });
    await dialog(page)
      .getByText(/decided elsewhere meanwhile: Closed/)
      .waitFor();
    expect(await dialog(page).getByRole("button", { name: "Approve" }).isDisabled()).toBe(true);
    expect(await page.getByLabel("Title").inputValue()).toBe("Mine");
    expect(home.store.work.task.list()).toEqual([]);
  });

  it("several are chosen with x, or all of a sender, and decided, put off and undone together", async () => {
    const home = await startDrafted([{}, {}, {}, {}]);
    const { page, complaints } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 4" }).focus();
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 chosen").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.press("a");
    await page.getByText("Approved: 2 proposals").waitFor();
    await expect.poll(() => home.store.work.task.list()).toHaveLength(2);
    await page.keyboard.press("u");
    await expect.poll(() => home.store.proposals.counts()).toMatchObject({ pending: 4, approved: 0 });
    expect(home.store.work.task.list()).toEqual([]);

    await page.getByRole("button", { name: "More: Subject 1" }).press("Enter");
    await page.getByRole("menuitem", { name: "Choose all from this sender" }).press("Enter");
    await page.getByText("2 chosen").waitFor();
    await page.getByRole("link", { name: "Subject 1" }).focus();
    await page.keyboard.press("s");
    await page.getByRole("button", { name: /^Tomorrow/ }).press("Enter");
    await page.getByText(/^Snoozed until .*: 2 proposals$/).waitFor();
    await page.getByText("2 wait").waitFor();
    await page.keyboard.press("u");
    await page.getByText("4 wait").waitFor();
    expect(complaints).toEqual([]);
  });

  it("what is chosen together says whom it leaves out, and why it could not be chosen", async () => {
    const home = await startDrafted([{}, {}]);
    const { page } = await startTab(browser, home);
    const chooseSender = async () => {
      await page.getByRole("button", { name: "More: Subject 1" }).press("Enter");
      await page.getByRole("menuitem", { name: "Choose all from this sender" }).press("Enter");
    };
    const answers = [
      { status: 200, json: { ids: [home.idOf(1), home.idOf(2)], total: 1_502 } },
      { status: 500, json: { error: { code: "internal", message: "Something unexpected went wrong." } } },
    ];
    await intercept(page, "**/api/proposals/*/alike", (route) => route.fulfill(answers.shift() ?? { status: 404 }));
    await page.getByRole("link", { name: "Subject 1" }).waitFor();
    await chooseSender();
    await page.getByText("2 chosen (1,500 older ones are left out)").waitFor();
    await chooseSender();
    await page.getByText("That did not work: Subject 1", { exact: true }).waitFor();
    await page.getByText("Something unexpected went wrong.", { exact: true }).waitFor();
  });

  it("of several of which some fail, what was done stays done and is taken back alone", async () => {
    const home = await startDrafted(Array.from({ length: 153 }, () => ({})));
    const { page } = await startTab(browser, home);
    const json = { error: { code: "internal", message: "Something unexpected went wrong." } };
    // They are sent in parts of 150.
    await intercept(page, "**/api/decisions", (route) =>
      route.request().postDataJSON().ids.length < 150 ? route.fulfill({ status: 500, json }) : route.continue(),
    );
    await page.getByRole("button", { name: "More: Subject 99" }).press("Enter");
    await page.getByRole("menuitem", { name: "Choose all from this sender" }).press("Enter");
    await page.getByText("151 chosen").waitFor();
    await page.getByRole("link", { name: "Subject 99" }).focus();
    await page.keyboard.press("a");
    await page.getByText("That did not work: 1 proposal", { exact: true }).waitFor();
    expect(home.store.proposals.counts()).toMatchObject({ pending: 3, approved: 150 });
    await page.keyboard.press("u");
    await expect.poll(() => home.store.proposals.counts()).toMatchObject({ pending: 153, approved: 0 });
  });

  it("one is put off until a day, into a project, and merged into a task, from its menu", async () => {
    const home = await startDrafted([{}, {}, {}, {}]);
    const { id } = home.store.projects.add("Garden");
    const task = addEntity(home.store, "task", { title: "Ring Ada" }, Date.now());
    const { page, complaints } = await startTab(browser, home);
    const choose = async (n: number, item: string) => {
      await page.getByRole("button", { name: `More: Subject ${n}` }).press("Enter");
      await page.getByRole("menuitem", { name: item, exact: true }).press("Enter");
    };
    await page.getByRole("link", { name: "Subject 4" }).waitFor();
    await choose(4, "Snooze");
    await page.getByLabel("Until", { exact: true }).fill("2020-01-01");
    await page.getByLabel("Until", { exact: true }).press("Enter");
    await dialog(page).getByText("That time is past. Nothing was changed.").waitFor();
    await page.keyboard.press("Escape");
    await choose(3, "Project");
    await page.getByRole("button", { name: "Garden" }).press("Enter");
    await expect.poll(() => home.store.proposals.find(home.idOf(3))?.projectId).toBe(id);
    await choose(2, "Merge into a task");
    await page.getByLabel("Find a task").fill("ada");
    await page.getByRole("button", { name: "Ring Ada" }).press("Enter");
    await expect.poll(() => home.store.work.task.find(task.id)?.note).toContain("Subject 2");
    await page.getByText("Merged into a task: Subject 2").waitFor();
    expect(complaints).toEqual([]);
  });

  it("says of what waits since before today that it is overdue, of what is due and of what was decided that it is due", async () => {
    const home = await startDrafted([{ due: "2026-01-05" }, { due: "2126-01-05" }, { due: "2026-01-06" }]);
    home.store.proposals.yield(home.idOf(3));
    const { page } = await startTab(browser, home, { path: "/inbox" });
    await page.getByText("overdue since Mon, Jan 5, 2026").waitFor();
    await page.getByText("due Sat, Jan 5, 2126").waitFor();
    await page.goto(new URL("/inbox?status=expired", page.url()).href);
    await page.getByText("due Tue, Jan 6, 2026").waitFor();
  });

  it("is sorted by attention and narrowed by kind, in the address; a row says what it would become and why", async () => {
    const home = await startDrafted([
      { priority: "now", reasons: ["asked"] },
      { category: "event", start: "2027-01-05", end: "2027-01-06", isAllDay: true },
      {},
    ]);
    const { page } = await startTab(browser, home, { path: "/inbox?by=attention" });
    await expect
      .poll(() => page.locator(".card h2").allTextContents())
      .toEqual(["Subject 1", "Subject 2", "Subject 3"]);
    await page.getByText("it asks for something").waitFor();
    await page.getByText("on Tue, Jan 5, 2027").waitFor();
    await page.getByRole("button", { name: "More filters" }).press("Enter");
    await page.getByRole("button", { name: "Kind" }).press("Enter");
    await page.getByRole("option", { name: /^Event/ }).press("Enter");
    await expect.poll(() => page.locator(".card h2").allTextContents()).toEqual(["Subject 2"]);
    expect(page.url()).toContain("category=event");
  });
});
