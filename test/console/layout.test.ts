import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { loaded, startBrowser } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { startTab } from "./setting.ts";

const boxOf = async (page: Page, place: string) => {
  const box = await page.locator(place).first().boundingBox();
  if (box === null) throw new Error(`${place} is not shown`);
  return box;
};

describe.skipIf(!hasBrowser)("how a page is laid out", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("leaves no hole where something may be said and nothing is", async () => {
    const home = await startDrafted([{ priority: "now" }]);
    const { page } = await startTab(browser, home, { path: "/" });
    await loaded(page);
    await page.locator("main [role=status]:empty").first().waitFor({ state: "attached" });
    const [title, panel] = [await boxOf(page, "main h1"), await boxOf(page, "main .panel")];
    expect(panel.y - (title.y + title.height)).toBeLessThan(20);
  });

  it("names of the keys those alone that do something there", async () => {
    const home = await startDrafted([{ priority: "now" }]);
    const { page } = await startTab(browser, home, { path: "/" });
    for (const [name, count] of [
      ["Brief", 0],
      ["Inbox", 1],
    ] as const) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { name, exact: true }).waitFor();
      await page.getByRole("article").getByRole("link").first().focus();
      await page.keyboard.press("?");
      await page.getByRole("dialog").getByText("Edit, then approve").waitFor();
      expect(await page.getByRole("dialog").getByText("Choose with others").count()).toBe(count);
      await page.keyboard.press("Escape");
    }
  });

  it("names all pages in no more than two lines where a window is no phone's, in the longest language too", async () => {
    const home = await startDrafted([]);
    const { page } = await startTab(browser, home, { path: "/inbox", locale: "de", width: 1_000 });
    await loaded(page);
    const [link, bar] = [await boxOf(page, ".pages a"), await boxOf(page, ".bar")];
    expect(bar.height).toBeLessThan(3 * link.height);
  });

  it("parts what is said of a proposal before each of it, also where that is read from right to left", async () => {
    const home = await startDrafted([{ title: "\u0627\u062c\u062a\u0645\u0627\u0639" }]);
    const { page } = await startTab(browser, home);
    await page.locator(".card-draft bdi").waitFor();
    const parting = (place: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${place}"), "::before").content`);
    expect(await parting(".card-draft bdi")).toBe("none");
    expect(await parting(".card-draft > :last-child")).toContain("\u00b7");
  });
});
