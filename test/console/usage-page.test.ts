import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { loaded, startBrowser, violationsOn } from "./browser-page.ts";
import { startTab } from "./setting.ts";
import { startCounting } from "./usage-home.ts";

describe.skipIf(!hasBrowser)("usage in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("is drawn within the page's policy, with the same numbers in a table, as the language writes them", async () => {
    const home = await startCounting();
    const { page, complaints } = await startTab(browser, home, { path: "/usage", locale: "de" });
    await page.getByRole("cell", { name: "1.324.567" }).waitFor();
    expect(await page.locator(".usage-chart rect[fill^='url(']").count()).toBeGreaterThan(2);
    await page.getByText("Fast verbraucht.").first().waitFor();
    // Who answers questions is called by what it does, and not by the word for it in a program.
    await page.getByRole("rowheader", { name: "Fragen", exact: true }).waitFor();
    await page.getByLabel("Preis einer Million Token").fill("2,5");
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: /3,31\s€/ }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    home.isTorn = true;
    await page.reload();
    await page.getByText("Eine gespeicherte Zeile lässt sich nicht lesen").nth(1).waitFor();
    await page.getByRole("cell", { name: "?" }).waitFor();
    home.isTorn = false;
    await page.reload();
    await page.getByRole("cell", { name: "1.324.567" }).waitFor();
    home.isAway = true;
    await page.reload();
    await loaded(page);
    await page.getByRole("alert").getByText("zuletzt sagte").waitFor();
    await page.getByRole("cell", { name: "1.324.567" }).waitFor();
    expect(complaints).toEqual([]);
    expect(home.problems).toEqual([]);
  });
});
