import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { startBrowser } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { startTab } from "./setting.ts";

/** Whether the browser asks before the tab is loaded anew. It stays where it is when it does. */
async function asksBeforeReload(page: Page): Promise<boolean> {
  const asked = page.waitForEvent("dialog").then(async (dialog) => {
    await dialog.dismiss();
    return dialog.type() === "beforeunload";
  });
  const reloaded = page.reload().then(
    () => false,
    () => true,
  );
  return Promise.race([asked, reloaded]);
}

describe.skipIf(!hasBrowser)("what is typed is not thrown away unasked", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("a question: a reload asks, and another page finds it again with what goes along", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home, { path: "/ask" });
    await page.getByLabel("Your question").fill("What did Ada want?");
    await page.getByLabel("Attach").fill("garden/plan.md");
    await page.getByRole("link", { name: "Inbox" }).click();
    await page.getByRole("link", { name: "Subject 1" }).waitFor();
    expect(await asksBeforeReload(page)).toBe(true);
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    expect(await page.getByLabel("Your question").inputValue()).toBe("What did Ada want?");
    expect(await page.getByLabel("Attach").inputValue()).toBe("garden/plan.md");
    for (const label of ["Your question", "Attach"]) await page.getByLabel(label).fill("");
    expect(await asksBeforeReload(page)).toBe(false);
  });
});
