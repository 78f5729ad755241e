import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { holdAnswer, intercept, startBrowser, violationsOn } from "./browser-page.ts";
import { addFeed, type RealHome, startConsoleOnHome } from "./real-home.ts";
import { startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("the form of a scout", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function opened() {
    const setting = await startConsoleOnHome();
    const id = await addFeed(setting, await setting.token(), "News");
    const { page } = await startTab(browser, setting, { path: `/scouts/${id}` });
    const days = page.getByLabel("Rests after so many days");
    await days.waitFor();
    return { setting, id, page, days, save: page.getByRole("button", { name: "Save" }) };
  }

  const kept = async ({ home }: RealHome, id: string) => (await home.ask("GET", `/api/v1/scouts/${id}`)).body;

  it("knows what its kind has as soon as it is there: nothing comes late and moves what is below", async () => {
    const setting = await startConsoleOnHome();
    const id = await addFeed(setting, await setting.token(), "News");
    const { page } = await startTab(browser, setting, { path: "/search" });
    const kinds = page.waitForRequest("**/api/sources");
    const scout = await holdAnswer(page, `/api/scouts/${id}`);
    await page.evaluate(`history.pushState({}, "", "/scouts/${id}"); dispatchEvent(new PopStateEvent("popstate"))`);
    await scout.answered;
    await kinds;
    await scout.letGo();
    await page.getByRole("heading", { name: "News", level: 1 }).waitFor();
  });

  it("says of another purpose what it would change, and nothing of one that is typed since", async () => {
    const { id, page } = await opened();
    const tried = { newlyProposed: 3, newlyDismissed: 0, unchanged: 0, failed: 0, tokensUsed: 0, items: [] };
    await intercept(page, `**/api/scouts/${id}/try`, (route) => route.fulfill({ json: { trial: tried } }));
    const purpose = page.getByLabel("Purpose");
    await purpose.fill("Only what is about the house.");
    await page.getByRole("button", { name: "Try on the last 50" }).click();
    await page.getByText("3 newly proposed.").waitFor();
    await purpose.fill("Only what is about the house. And the garden.");
    await page.getByText("3 newly proposed.").waitFor({ state: "detached" });
    // It cost tokens: who takes back what they typed has it again.
    await purpose.fill("Only what is about the house.");
    await page.getByText("3 newly proposed.").waitFor();
  });

  it("leads to where a feed at another address is added, when there is nothing at its own any more", async () => {
    const { id, page } = await opened();
    await intercept(page, `**/api/scouts/${id}`, async (route) => {
      const response = await route.fetch();
      const why = { code: "source_unavailable", about: "missing", message: "There is nothing at this address (404)." };
      const trouble = { id, isOff: false, since: null, movedSource: "feed", why };
      return route.fulfill({ response, json: { ...(await response.json()), trouble } });
    });
    await page.reload();
    await page.getByText("There is nothing at this address (404).").waitFor();
    await page.getByRole("link", { name: "Add the feed where it is now" }).click();
    await page.getByLabel("Web address").waitFor();
  });

  it("refuses days that are none at their field, and keeps those that were saved", async () => {
    const { setting, id, page, days, save } = await opened();
    await days.fill("30");
    await save.click();
    await page.getByText("Saved.").waitFor();
    for (const typed of ["abc", "-3", "1.5", "0", "9999"]) {
      await days.fill(typed);
      await save.click();
      await page.getByText("Give a whole number of days, from 1 to 365, or nothing for 14.").first().waitFor();
      await expect.poll(() => days.getAttribute("aria-invalid")).toBe("true");
      expect(await days.inputValue()).toBe(typed);
      expect(await page.getByText("changed elsewhere").count()).toBe(0);
      // What is said of the last try is not what is said of the next.
      await page.getByRole("button", { name: "Discard changes" }).click();
      await expect.poll(() => days.getAttribute("aria-invalid")).toBeNull();
    }
    expect(await kept(setting, id)).toMatchObject({ pauseAfterDays: 30 });
    expect(await violationsOn(page)).toEqual([]);
  });

  it("shows the usual days when they were saved as nothing, and calls that nobody else's change", async () => {
    const { setting, id, page, days, save } = await opened();
    await days.fill("30");
    await save.click();
    await page.getByText("Saved.").waitFor();
    await days.fill("");
    await save.click();
    await expect.poll(() => days.inputValue()).toBe("14");
    await page.getByText("Saved.").waitFor();
    expect(await page.getByText("changed elsewhere").count()).toBe(0);
    expect(await kept(setting, id)).toMatchObject({ pauseAfterDays: 14 });
  });

  it("calls nobody else's change what was saved while one went on typing", async () => {
    const { setting, id, page, days, save } = await opened();
    const name = page.getByLabel("Name", { exact: true });
    const isTyped = Promise.withResolvers<void>();
    const isSent = Promise.withResolvers<void>();
    await intercept(page, `**/api/scouts/${id}`, async (route) => {
      isSent.resolve();
      if (route.request().method() === "PATCH") await isTyped.promise;
      return route.continue();
    });
    await days.fill("30");
    await save.click();
    await isSent.promise;
    await name.fill("News of today");
    isTyped.resolve();
    await expect.poll(() => save.isDisabled()).toBe(false);
    expect(await page.getByText("changed elsewhere").count()).toBe(0);
    await save.click();
    await page.getByText("Saved.").waitFor();
    expect(await kept(setting, id)).toMatchObject({ name: "News of today", pauseAfterDays: 30 });
  });

  it("asks for no consent in place of a password while it does not know which of them the source takes", async () => {
    const setting = await startConsoleOnHome();
    const id = await addFeed(setting, await setting.token(), "News");
    const { page } = await startTab(browser, setting);
    await page.route("**/api/sources", (route) =>
      route.fulfill({
        status: 500,
        json: { error: { code: "internal", message: "Something unexpected went wrong." } },
      }),
    );
    await page.goto(`${setting.served.origin}/scouts/${id}`);
    await page.getByRole("button", { name: "Reconnect" }).click();
    const form = page.getByRole("region", { name: "Give it its source again" });
    await form.getByText("Something unexpected went wrong.").waitFor();
    expect(await form.getByRole("button").allTextContents()).toEqual(["Try again"]);
    await page.unroute("**/api/sources");
    await form.getByRole("button", { name: "Try again" }).click();
    await form.getByRole("button", { name: "Reconnect" }).waitFor();
    expect(await page.getByText("Something unexpected went wrong.").count()).toBe(0);
    await expect.poll(() => page.evaluate("document.activeElement !== document.body")).toBe(true);
  });

  it("says at its field how long a name is and how a schedule is written", async () => {
    const { setting, id, page, save } = await opened();
    await page.getByLabel("Name").fill("n".repeat(500));
    await save.click();
    await page.getByText("A name has 1 to 80 characters.").first().waitFor();
    expect(await page.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Name").fill("News");
    await page.getByLabel("Schedule").fill("daily");
    await save.click();
    await page.getByText("A schedule is a cron expression").first().waitFor();
    expect(await page.getByLabel("Schedule").getAttribute("aria-invalid")).toBe("true");
    expect(await kept(setting, id)).toMatchObject({ name: "News", schedule: null });
  });

  it("P2: names whatever is otherwise by now than what is typed", async () => {
    const { setting, id, page } = await opened();
    await page.getByLabel("Purpose").fill("Mine.");
    const change = { schedule: "0 7 * * *", pauseAfterDays: 21 };
    await setting.home.ask("PATCH", `/api/v1/scouts/${id}`, { body: change });
    await page.getByRole("button", { name: "Save" }).click();
    const notice = page.getByRole("alert").filter({ hasText: "changed elsewhere" });
    await notice.waitFor();
    expect(await notice.getByRole("term").allTextContents()).toEqual([
      "Purpose",
      "Schedule",
      "Rests after so many days",
    ]);
    expect(await notice.getByRole("definition").allTextContents()).toEqual(["What is new?", "0 7 * * *", "21"]);
    expect(await violationsOn(page)).toEqual([]);
  });
});
