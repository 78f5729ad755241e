import type { Browser, Page } from "playwright-core";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { startBrowser } from "./browser-page.ts";
import { startConsole, startTab } from "./setting.ts";

/** What stands on the paper. */
async function onPaper(page: Page): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(await page.pdf({ format: "A4" })));
  return (await extractText(document, { mergePages: true })).text;
}

describe.skipIf(!hasBrowser)("a printed page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("P2: has an item to its end, and nothing that can only be pressed; of a list what is seen, on no hundred sheets", async () => {
    const letter = Array.from({ length: 300 }, (_, n) => `Line ${n + 1} of the letter.`).join("\n");
    const home = await startConsole({ text: () => letter });
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    const list = await onPaper(page);
    expect(list).toContain("Subject 2");
    await page.getByRole("link", { name: "Subject 2" }).click();
    await page.getByText("Line 1 of the letter.").waitFor();
    const item = await onPaper(page);
    expect(item).toContain("Subject 2");
    expect(item).toContain("Line 300 of the letter.");
    expect(item).not.toContain("Approve");
  });

  it("is dark on light, whatever the page is on the screen", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home, { path: "/settings", dark: true });
    await page.getByRole("button", { name: "Colours" }).click();
    await page.getByRole("option", { name: "Dark", exact: true }).click();
    const colour = () => page.evaluate("getComputedStyle(document.querySelector('h1')).color");
    await expect.poll(colour).toBe("rgb(233, 236, 241)");
    await page.emulateMedia({ media: "print" });
    await expect.poll(colour).toBe("rgb(27, 32, 40)");
  });
});
