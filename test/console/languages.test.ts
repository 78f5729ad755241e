import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { temporaryFolder } from "../device/setting.ts";
import { drawn, loaded, startBrowser, type Tab, violationsOn } from "./browser-page.ts";
import type { ConsoleHome } from "./console-home.ts";
import { languages, speak } from "./languages.ts";
import { addFeed, startConsoleOnHome } from "./real-home.ts";
import { startConsole, startTab } from "./setting.ts";

/**
 * What reaches beyond the window, and titles of which too little is left to know them by. What scrolls inside the page does not
 * make the document wider, so each element is looked at.
 */
const cutOff = `[...document.querySelectorAll("body *")].flatMap((each) => {
  const { left, right, width, height } = each.getBoundingClientRect();
  // The selects that browsers fill in for people lie unseen beside the window.
  const isDrawn = each.closest("[aria-hidden=true]") === null && width > 1 && height > 1 && getComputedStyle(each).visibility === "visible";
  const name = each.tagName + "." + each.className + " " + each.textContent.slice(0, 30);
  if (isDrawn && (right > innerWidth + 0.5 || left < -0.5)) return [name + ": from " + left + " to " + right];
  const isTitle = each.matches(".card h2");
  return isTitle && each.clientWidth < 200 && each.scrollWidth > each.clientWidth ? [name + ": cut at " + width] : [];
})`;

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
        for (const tooWide of z.array(z.string()).parse(await page.evaluate(cutOff)))
          faults.push(`${here}: ${tooWide}`);
        for (const violation of await violationsOn(page)) faults.push(`${here}: ${violation}`);
      }
    }
    return faults;
  }

  it("mail is read without a fault of WCAG 2.2, and nothing is cut off", async () => {
    const proposals = [1, 2, 3].map((n) => makeProposal(n, { reason: null }));
    const home = await startConsole({
      proposals,
      dismissed: [{ ref: "m9", subject: "Buy now, and you have won the watch that everybody wants" }],
    });
    const token = await home.token();
    const tab = await startTab(browser, home);
    await tab.page.getByRole("link", { name: "Subject 3" }).waitFor();
    for (const path of ["/inbox", `/items/${makeProposal(2).id}`, "/dismissed", "/search", "/inbox?status=approved"])
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
