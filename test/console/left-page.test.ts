import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { intercept, loaded, startBrowser } from "./browser-page.ts";
import { scoutId } from "./console-home.ts";
import { startDrafted } from "./drafted-home.ts";
import { stopNow } from "./focus.ts";
import { addFeed, type RealHome, startConsoleOnHome } from "./real-home.ts";
import { startConsole, startTab } from "./setting.ts";

/** As the device answers what it cannot keep. */
const failure = { status: 500, json: { error: { code: "store_busy", message: "The database is in use: try again." } } };

interface Asked {
  readonly path: string;
  readonly address: string;
  ask(page: Page): Promise<void>;
  /** What is said of it afterwards. */
  readonly said: string;
}

/** What is asked for on a page that is left before the device has answered. */
const asked: Readonly<Record<string, (home: RealHome) => Asked | Promise<Asked>>> = {
  "a scout is paused": async (home) => {
    const id = await addFeed(home, await home.token(), "News");
    return {
      path: `/scouts/${id}`,
      address: `**/api/scouts/${id}/paused`,
      ask: (page) => page.getByRole("button", { name: "Pause" }).click(),
      said: "Pause · News",
    };
  },
  "a scout is removed": async (home) => {
    const id = await addFeed(home, await home.token(), "News");
    return {
      path: `/scouts/${id}`,
      address: `**/api/scouts/${id}`,
      async ask(page) {
        await page.getByRole("button", { name: "Remove", exact: true }).click();
        await page.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
      },
      said: "Remove · News",
    };
  },
  "a project gets another name": ({ store }) => {
    const { id } = store.projects.add("Garden");
    return {
      path: `/projects/${id}`,
      address: `**/api/projects/${id}`,
      async ask(page) {
        await page.getByLabel("Name", { exact: true }).fill("Orchard");
        await page.getByRole("button", { name: "Rename" }).click();
      },
      said: "Rename · Garden",
    };
  },
  "a note is deleted": ({ store }) => {
    const { id } = addEntity(store, "note", { title: "Beds" }, 1);
    return {
      path: `/work/notes/${id}`,
      address: `**/api/work/notes/${id}`,
      ask: (page) => page.getByRole("button", { name: "Delete" }).click(),
      said: "Delete · Beds",
    };
  },
};

describe.skipIf(!hasBrowser)("what fails after its page was left is said where its person is", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** Asks, goes to the settings, and has the device fail. */
  async function leftThenFailed(page: Page, address: string, ask: (page: Page) => Promise<void>): Promise<void> {
    const [isAsked, isLetGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await intercept(page, address, async (route) => {
      if (route.request().method() === "GET") return route.fallback();
      isAsked.resolve();
      await isLetGo.promise;
      return route.fulfill(failure);
    });
    await ask(page);
    await isAsked.promise;
    await page.getByRole("link", { name: "Settings" }).click();
    await page.waitForURL("**/settings");
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    isLetGo.resolve();
  }

  it.for(Object.entries(asked))("%s", async ([, begin]) => {
    const home = await startConsoleOnHome();
    const { path, address, ask, said } = await begin(home);
    const { page } = await startTab(browser, home, { path });
    await loaded(page);
    await leftThenFailed(page, address, ask);
    const told = page.locator(".undo-box").filter({ hasText: "That did not work:" });
    await told.getByText(said, { exact: true }).waitFor();
    await told.getByText(failure.json.error.message).waitFor();
    await told.getByRole("button", { name: "Close" }).click();
    await told.waitFor({ state: "detached" });
  });

  it("a decision that nothing has answered is not said to be tried again by itself", async () => {
    const home = await startDrafted([{}, {}]);
    const { page } = await startTab(browser, home);
    await intercept(page, "**/decision", (route) => route.abort());
    await page.getByRole("button", { name: "Reject: Subject 2" }).click();
    const told = page.locator(".undo-box").filter({ hasText: "That did not work: Subject 2" });
    await told.getByText("The device does not answer").waitFor();
    expect(await told.textContent()).not.toContain("It is tried again");
    // Whoever came by F6 is led back, also from what they close.
    const row = page.getByRole("link", { name: "Subject 2" });
    await row.focus();
    await page.keyboard.press("F6");
    await page.keyboard.press("Enter");
    await told.waitFor({ state: "detached" });
    await expect.poll(() => stopNow(page)).toBe("link Subject 2");
  });

  it("what failed is said still when a decision fails after it, and neither is closed with the other", async () => {
    const home = await startDrafted([{}, {}]);
    const { id } = home.store.projects.add("Garden");
    const { page } = await startTab(browser, home, { path: `/projects/${id}` });
    await loaded(page);
    await page.getByLabel("Name", { exact: true }).fill("Orchard");
    await leftThenFailed(page, `**/api/projects/${id}`, (here) => here.getByRole("button", { name: "Rename" }).click());
    const ofDeed = page.locator(".undo-box").filter({ hasText: "Rename · Garden" });
    await ofDeed.waitFor();
    await page.getByRole("link", { name: "Inbox" }).click();
    await intercept(page, "**/decision", (route) => route.abort());
    await page.getByRole("button", { name: "Reject: Subject 2" }).click();
    const ofDecision = page.locator(".undo-box").filter({ hasText: "That did not work: Subject 2" });
    await ofDecision.waitFor();
    expect(await ofDeed.count()).toBe(1);
    await ofDecision.getByRole("button", { name: "Close" }).click();
    await ofDecision.waitFor({ state: "detached" });
    expect(await ofDeed.count()).toBe(1);
  });

  it("spam is taken back", async () => {
    const home = await startConsole({ dismissed: [{ ref: "one", subject: "Offer one" }] });
    const { page } = await startTab(browser, home, { path: "/dismissed" });
    await leftThenFailed(page, `**/api/dismissed/${scoutId}.one/restore`, (here) =>
      here.getByRole("button", { name: "Take back: Offer one" }).click(),
    );
    await page.locator(".undo-box").getByText("Take back · Offer one", { exact: true }).waitFor();
  });
});
