import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { temporaryFolder } from "../device/setting.ts";
import { loaded, startBrowser, type Tab } from "./browser-page.ts";
import type { ConsoleHome } from "./console-home.ts";
import { faultsOfView } from "./faults.ts";
import { addFeed, startConsoleOnHome } from "./real-home.ts";
import { startConsole, startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("every page, in every language, narrow and wide, light and dark", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** What is wrong with a page, in every language. */
  async function faultsOf({ page }: Tab, home: ConsoleHome, token: string, path: string): Promise<string[]> {
    const { origin } = home.served;
    await page.goto(`${origin}${path}`);
    await loaded(page);
    return faultsOfView({ page, origin, token }, path);
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
    for (const path of [
      "/inbox",
      `/items/${makeProposal(2).id}`,
      "/dismissed",
      "/search",
      "/ask",
      "/inbox?status=approved",
    ])
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
