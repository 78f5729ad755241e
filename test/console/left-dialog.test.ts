import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { drawn, holdAnswer, intercept, loaded, startBrowser } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { startTab } from "./setting.ts";

/** As the device answers what it cannot keep. */
const failure = { status: 503, json: { error: { code: "store_busy", message: "The database is in use: try again." } } };

describe.skipIf(!hasBrowser)("a dialog that is left before a slow device has answered", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it.for([
    ["approved", "e", "Approve", "approve"],
    ["put off", "s", "Snooze until then", "snoozes"],
  ] as const)("says that something could not be %s", async ([, key, button, path]) => {
    const home = await startDrafted([{}, {}]);
    const { page } = await startTab(browser, home);
    const [asked, isLetGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await intercept(page, `**/${path}`, async (route) => {
      asked.resolve();
      await isLetGo.promise;
      await route.fulfill(failure);
    });
    await page.getByRole("link", { name: "Subject 2" }).focus();
    await page.keyboard.press(key);
    if (key === "s") await page.getByLabel("Until", { exact: true }).fill("tomorrow");
    await page.getByRole("dialog").getByRole("button", { name: button }).press("Enter");
    await asked.promise;
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    isLetGo.resolve();
    await page.getByText("That did not work: Subject 2").waitFor();
    await page.getByText("The database is in use: try again.", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
  });

  it("leaves the one open that is opened after it: its keys would go to the list", async () => {
    const home = await startDrafted([{}, {}, {}]);
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 3" }).focus();
    await page.keyboard.press("e");
    const answer = await holdAnswer(page, `/api/proposals/${home.idOf(3)}/approve`);
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).press("Enter");
    await answer.answered;
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Subject 2" }).focus();
    await page.keyboard.press("e");
    await page.getByLabel("Title").fill("Ask Ada");
    await answer.letGo();
    await page.getByText("Approved: Subject 3").waitFor();
    for (let times = 0; times < 10; times += 1) await drawn(page);
    expect(await page.getByLabel("Title").inputValue()).toBe("Ask Ada");
    await page.keyboard.type(" a r x");
    expect(await page.getByLabel("Title").inputValue()).toBe("Ask Ada a r x");
    expect(home.store.proposals.counts()).toMatchObject({ pending: 2, approved: 1 });
  });

  it("leads nobody away from the page they are on by now", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home, { path: `/items/${home.idOf(1)}` });
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    const answer = await holdAnswer(page, `/api/proposals/${home.idOf(1)}/approve`);
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).press("Enter");
    await answer.answered;
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Dismissed" }).click();
    await page.waitForURL("**/dismissed");
    await loaded(page);
    await answer.letGo();
    await page.getByText("Approved: Subject 1").waitFor();
    for (let times = 0; times < 10; times += 1) await drawn(page);
    expect(new URL(page.url()).pathname).toBe("/dismissed");
  });
});
