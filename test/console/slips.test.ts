import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { drawn, startBrowser } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { startTab } from "./setting.ts";

const focused = "document.activeElement.textContent";
/** Twenty that are urgent: the brief has some of them too. */
const startHome = () => startDrafted(Array.from({ length: 20 }, () => ({ priority: "now" })));

/** Where each has some, and how many are left when one is decided in each, in turn. */
const lists = [
  ["/inbox", 19],
  ["/", 18],
] as const;

describe.skipIf(!hasBrowser)("a slip of the hand", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("P2: a key that is held down decides one proposal, wherever it is held, and goes through the list all the same", async () => {
    const home = await startHome();
    for (const [path, left] of lists) {
      const { page } = await startTab(browser, home, { path });
      await page.getByRole("article").getByRole("link").first().focus();
      const before = await page.evaluate(focused);
      // Each further `down` of a key that is down is one of its repeats.
      for (let n = 0; n < 5; n++) await page.keyboard.down("a");
      await page.keyboard.up("a");
      await expect.poll(() => page.evaluate(focused)).not.toBe(before);
      await page.keyboard.press("u");
      await page.getByText(/^Taken back: /).waitFor();
      await expect.poll(() => home.store.proposals.counts().pending).toBe(left + 1);
      await page.keyboard.press("a");
      await expect.poll(() => home.store.proposals.counts().pending).toBe(left);
    }
    const { page } = await startTab(browser, home);
    await page.getByRole("article").getByRole("link").first().focus();
    for (let n = 0; n < 3; n++) await page.keyboard.down("j");
    await page.keyboard.up("j");
    const titles = await page.getByRole("article").getByRole("link").allTextContents();
    await expect.poll(() => page.evaluate(focused)).toBe(titles[3]);
  });

  it("P2: a double click takes one decision back, and not the one before it too", async () => {
    const home = await startHome();
    const { page } = await startTab(browser, home);
    for (const rejected of [1, 2]) {
      await page
        .getByRole("button", { name: /^Reject: / })
        .first()
        .click();
      await expect.poll(() => home.store.proposals.counts().rejected).toBe(rejected);
    }
    let undone = 0;
    page.on("request", (request) => {
      if (request.method() === "DELETE") undone += 1;
    });
    await page.getByRole("button", { name: "Undo", exact: true }).dblclick();
    await page.getByText(/^Taken back: /).waitFor();
    await drawn(page);
    expect(undone).toBe(1);
    expect(home.store.proposals.counts().rejected).toBe(1);
  });

  it("P2: a double click decides one proposal, and not the next one too, which has come into its place", async () => {
    const home = await startHome();
    for (const [path, left] of lists) {
      const { page } = await startTab(browser, home, { path });
      await page
        .getByRole("button", { name: /^Reject: / })
        .first()
        .dblclick();
      await page.getByText(/^Rejected: /).waitFor();
      await drawn(page);
      await expect.poll(() => home.store.proposals.counts()).toMatchObject({ pending: left, rejected: 20 - left });
      // The next click is meant.
      await page
        .getByRole("button", { name: /^More: / })
        .first()
        .click();
      await page.getByRole("menuitem", { name: "Edit" }).waitFor();
    }
    expect(home.store.proposals.counts()).toMatchObject({ pending: 18, rejected: 2 });
  });
});
