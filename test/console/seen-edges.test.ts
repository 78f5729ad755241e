import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { loaded, startBrowser } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { startTab } from "./setting.ts";

/** How far the edges of some elements stand out from what is around them, as WCAG computes it: the least of them, and what has it. */
const leastContrast = (page: Page, of: string): Promise<{ count: number; least: number; at: string }> =>
  page.evaluate(`(() => {
    const points = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => {
      const [red, green, blue] = points(colour).map((each) => each / 255)
        .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ground = (element) => {
      const colour = getComputedStyle(element).backgroundColor;
      return points(colour)[3] === 0 && element.parentElement !== null ? ground(element.parentElement) : colour;
    };
    const found = [...document.querySelectorAll(${JSON.stringify(of)})].filter((each) => each.checkVisibility());
    const all = found.map((each) => {
      const [edge, around] = [getComputedStyle(each).borderTopColor, ground(each.parentElement)].map(light);
      return [(Math.max(edge, around) + 0.05) / (Math.min(edge, around) + 0.05), each.outerHTML.slice(0, 80)];
    }).sort(([one], [other]) => one - other);
    return { count: all.length, least: all[0]?.[0] ?? 0, at: all[0]?.[1] ?? "" };
  })()`);

const fields = "main :is(input:not([type=checkbox]), textarea), [role=dialog] :is(input, textarea)";

describe.skipIf(!hasBrowser)("what one types into or presses is seen where it is", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it.each([false, true])(
    "by an edge that stands out three times (WCAG 1.4.11), also where it is dark: %s",
    async (dark) => {
      const home = await startDrafted([{}]);
      const { page } = await startTab(browser, home, { dark, path: "/work/tasks" });
      for (const path of ["/work/tasks", "/ask", "/projects", "/search", "/inbox"]) {
        await page.goto(`${home.served.origin}${path}`);
        await loaded(page);
        const { count, least, at } = await leastContrast(page, fields);
        expect(count, path).toBeGreaterThan(0);
        expect(least, `${path} ${at}`).toBeGreaterThanOrEqual(3);
      }
      await page.getByRole("link", { name: "Subject 1" }).focus();
      await page.keyboard.press("e");
      await page.getByRole("dialog").getByLabel("Title").waitFor();
      const { least, at } = await leastContrast(page, "[role=dialog] :is(input, textarea)");
      expect(least, at).toBeGreaterThanOrEqual(3);
    },
  );

  it("by lines and quiet words that stand out as well, for who asks their system for more contrast", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home);
    await page.locator(".card").first().waitFor();
    expect((await leastContrast(page, ".card, main button")).least).toBeLessThan(3);
    await page.emulateMedia({ contrast: "more" });
    const { least, at } = await leastContrast(page, ".card, main button");
    expect(least, at).toBeGreaterThanOrEqual(4.5);
  });

  it("of a dialog also where the system chooses the colours, and no shadow tells it from what is behind it", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home);
    await page.emulateMedia({ forcedColors: "active" });
    await page.getByRole("button", { name: "Keys" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('.modal')).borderTopWidth")).toBe("2px");
  });

  it("of a switch whole, however long and narrow what it is called", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home, { width: 240, locale: "de" });
    await page.getByRole("button", { name: "Tasten" }).click();
    expect((await page.locator(".switch-track").boundingBox())?.width).toBeCloseTo(38.4, 1);
  });
});
