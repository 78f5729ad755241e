import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser, violationsOn } from "./browser-page.ts";
import { startConsoleOnHome } from "./real-home.ts";
import { startTab } from "./setting.ts";

/** The browser is one for Linux. */
const isLinux = process.platform === "linux";

describe.skipIf(!isLinux)("what the doctor finds", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it.each([
    ["de-DE", "Jetzt prüfen", /^Ein freier Port auf 127\.0\.0\.1 ist zu haben$/],
    ["en-GB", "Check now", /^a free port on 127\.0\.0\.1 can be had$/],
  ])("is said in the language of the page: %s", async (locale, check, port) => {
    const setting = await startConsoleOnHome();
    const { page, complaints } = await startTab(browser, setting, { path: "/settings", locale });
    await page.getByRole("button", { name: check }).click();
    const finding = page.getByRole("listitem").getByText(port);
    await finding.waitFor();
    expect(await page.locator(".checks [lang]").count()).toBe(0);
    expect(await page.locator(".checks").textContent()).not.toMatch(/\{\{|undefined/);
    // A command is set as what is typed, without the marks around it in the text.
    expect(await page.locator(".hint code").allTextContents()).toEqual(["scouts doctor"]);
    expect(await violationsOn(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
