import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { temporaryFolder } from "../device/setting.ts";
import { drawn, loaded, startBrowser, type Tab, violationsOn } from "./browser-page.ts";
import type { ConsoleHome } from "./console-home.ts";
import { languages, speak } from "./languages.ts";
import { addFeed, startConsoleOnHome } from "./real-home.ts";
import { startConsole, startTab } from "./setting.ts";

/** The narrowest page of WCAG 2.2 (1.4.10), and a wide one. */
const widths = [320, 1_440];
const inTheDark: readonly string[] = ["es", "fr"];

describe.skipIf(!hasBrowser)("every page, in every language, narrow and wide, light and dark", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** What is wrong with a page, by language and width. One tab shows them all: loading it anew each time takes most of the time. */
  async function faultsOf({ page }: Tab, home: ConsoleHome, token: string, path: string): Promise<string[]> {
    await page.goto(`${home.served.origin}${path}`);
    await loaded(page);
    const faults: string[] = [];
    for (const language of languages) {
      await speak(home.served.origin, token, page, language);
      await page.emulateMedia({ colorScheme: inTheDark.includes(language) ? "dark" : "light" });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await drawn(page);
        const here = `${path} ${language} ${width}`;
        const needed = Number(await page.evaluate("document.documentElement.scrollWidth"));
        if (needed > width) faults.push(`${here}: ${needed} px wide`);
        for (const violation of await violationsOn(page)) faults.push(`${here}: ${violation}`);
      }
    }
    return faults;
  }

  it("mail is read without a fault of WCAG 2.2, and nothing is cut off", async () => {
    const proposals = [1, 2, 3].map((n) => makeProposal(n, { reason: null }));
    const home = await startConsole({ proposals, dismissed: [{ ref: "m9", subject: "Buy now" }] });
    const token = await home.token();
    const tab = await startTab(browser, home);
    await tab.page.getByRole("link", { name: "Subject 3" }).waitFor();
    for (const path of ["/inbox", `/items/${makeProposal(2).id}`, "/dismissed", "/inbox?status=approved"])
      expect(await faultsOf(tab, home, token, path)).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });

  it("scouts and settings are changed without a fault of WCAG 2.2, and nothing is cut off", async () => {
    const home = await startConsoleOnHome();
    const token = await home.token();
    const id = await addFeed(home, token, "News");
    const { id: folder } = home.store.projects.add("Garden");
    home.store.projects.link(folder, temporaryFolder());
    home.store.localScouts.put(folder);
    const tab = await startTab(browser, home, { path: "/scouts" });
    await tab.page.getByRole("link", { name: "News" }).waitFor();
    const scouts = ["/scouts", `/scouts/${id}`, `/scouts/folders/${folder}`, "/scouts/add"];
    for (const path of [...scouts, "/settings", "/welcome"]) expect(await faultsOf(tab, home, token, path)).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });
});
