import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { temporaryFolder } from "../device/setting.ts";
import { scouts, startProgram } from "../e2e/program.ts";
import { whole } from "../rounds.ts";
import { startBrowser } from "./browser-page.ts";

/** The browser is one for Linux. */
const isLinux = process.platform === "linux";
const withOwnNetwork = { FEED_ADDRESSES: "any" };

/** What `npm start` runs, on a data folder with nothing in it, and a tab as `scouts console` opens it. */
async function newcomer(browser: Browser): Promise<Page> {
  const dataFolder = temporaryFolder();
  const program = startProgram(["up", "--data", dataFolder], withOwnNetwork);
  await program.line(/^Console: http/);
  // While mail is being read, what is found moves what is looked at.
  await program.line(/^Listening on http/);
  const { stdout } = await scouts(["console", "--print-url", "--data", dataFolder]);
  const context = await browser.newContext({ locale: "en", viewport: { width: 1_000, height: 800 } });
  const page = await context.newPage();
  await page.goto(stdout.trim());
  return page;
}

/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const focused = `(() => {
    const at = document.activeElement;
    const label = at?.labels?.[0]?.textContent ?? "";
    return [at?.getAttribute("aria-label"), label, at?.textContent].filter(Boolean).join(" ");
  })()`;
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press("Tab");
    if (name.test(String(await page.evaluate(focused)))) return;
  }
  throw new Error(`no Tab leads to ${name}`);
}

describe.skipIf(!isLinux)("a newcomer, from `npm start` with nothing", () => {
  let browser: Browser;
  let feeds: Feeds;
  beforeAll(async () => {
    browser = await startBrowser();
    feeds = await startFeeds();
    feeds.publish({ guid: "one" });
  });
  afterAll(async () => {
    await browser?.close();
    await feeds?.close();
  });

  it.skipIf(!whole)("approves and undoes a proposal, adds a feed and changes its purpose, by mouse alone", async () => {
    const page = await newcomer(browser);
    const approve = page.getByRole("button", { name: /^Approve: / }).first();
    const name = (await approve.getAttribute("aria-label")) ?? "";
    await approve.click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name, exact: true }).waitFor();

    await page.getByRole("link", { name: "Scouts" }).click();
    await page.getByRole("link", { name: "Add a source" }).click();
    await page.getByRole("button", { name: /^Feed/ }).click();
    await page.getByRole("textbox", { name: "Web address" }).click();
    // What is typed is pasted here: a mouse has no letters.
    await page.getByRole("textbox", { name: "Web address" }).fill(feeds.feedUrl());
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Add and look" }).click();
    await page.getByText("1 item", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Show the scout" }).click();
    await page.getByRole("textbox", { name: "Purpose" }).fill("Only what is about gardens.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.reload();
    await expect.poll(() => page.getByRole("textbox", { name: "Purpose" }).inputValue()).toMatch(/gardens/);
  });

  it("tries another purpose on mail that was judged; with every scout removed, is welcomed and loads the sample", async () => {
    const page = await newcomer(browser);
    await page.getByRole("link", { name: "Scouts" }).click();
    await page.locator("main").getByRole("link", { name: "Inbox" }).click();
    await page.getByRole("textbox", { name: "Purpose" }).fill("Only invoices.");
    await page.getByRole("button", { name: "Try on the last 50" }).click();
    await page.getByText(/nothing has changed yet/).waitFor({ timeout: 120_000 });
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("There is no scout yet").waitFor();
    await page.goto(new URL("/", page.url()).href);
    await page.getByRole("heading", { name: "Welcome" }).waitFor();
    await page.getByRole("button", { name: "Load the sample" }).click();
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Scouts" }).click();
    await page.getByRole("link", { name: "Sample" }).waitFor();
  });

  // Of a change, focus.test.ts and steps.test.ts go through these pages by keyboard.
  it.skipIf(!whole)("does the same by keyboard alone", async () => {
    const page = await newcomer(browser);
    await page
      .getByRole("button", { name: /^Approve: / })
      .first()
      .waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await page.getByText(/^Approved: /).waitFor();
    await page.keyboard.press("u");
    await page.getByText(/^Approved: /).waitFor({ state: "detached" });

    await tabTo(page, /^Scouts$/);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Add a source" }).waitFor();
    await tabTo(page, /^Add a source$/);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Feed/ }).waitFor();
    await tabTo(page, /^Feed/);
    await page.keyboard.press("Enter");
    await tabTo(page, /^Web address/);
    await page.keyboard.type(feeds.feedUrl());
    await page.keyboard.press("Enter");
    await tabTo(page, /^Name/);
    await page.keyboard.press("Enter");
    await page.getByText("1 item", { exact: true }).waitFor();
    await tabTo(page, /^Show the scout$/);
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Purpose" }).waitFor();
    await tabTo(page, /^Purpose/);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Only what is about gardens.");
    await tabTo(page, /^Save$/);
    await page.keyboard.press("Enter");
    await page.getByText("Saved.").waitFor();
  });
});
