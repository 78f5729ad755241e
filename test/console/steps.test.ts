import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { temporaryFolder } from "../device/setting.ts";
import { startBrowser } from "./browser-page.ts";
import { faultsOfView, type Looked, untranslatedOn } from "./faults.ts";
import { stopNow, tabStops } from "./focus.ts";
import { speak } from "./languages.ts";
import { addFeed, type RealHome, startConsoleOnHome } from "./real-home.ts";
import { startConsole, startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("what opens only when somebody goes on", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function opened(path: string, home: RealHome): Promise<Looked> {
    const { page } = await startTab(browser, home, { path });
    return { page, origin: home.served.origin, token: await home.token() };
  }

  /** Nothing is wrong with a view in any language, nothing of it is left in English, and it is left in English for the next step. */
  async function expectSound(looked: Looked, view: string): Promise<void> {
    expect(await faultsOfView(looked, view)).toEqual([]);
    expect(await untranslatedOn(looked, view)).toEqual([]);
    await speak(looked.origin, looked.token, looked.page, "en");
    await looked.page.setViewportSize({ width: 1_000, height: 800 });
  }

  /** Tab goes once round what belongs to the page itself, in this order, and each stop is seen. */
  async function expectStops(page: Page, stops: readonly string[]): Promise<void> {
    // The first round begins where one has clicked before, and ends at the page's end.
    await tabStops(page);
    const round = await tabStops(page);
    // What stands above every page is held by focus.test.ts; the link back comes after it.
    const above = await page.getByRole("navigation").getByRole("link").count();
    expect(round.slice(0, above).every((stop) => stop.startsWith("link "))).toBe(true);
    expect(round.slice(above + 2)).toEqual(stops);
    expect(await tabStops(page, "Shift+Tab")).toEqual(round.reverse());
  }

  it("each step of a new source is sound in every language, with what is wrong with it, and Tab goes through it", async () => {
    const home = await startConsoleOnHome();
    const looked = await opened("/scouts/add", home);
    const { page } = looked;
    await page.getByRole("button", { name: /^locked/ }).click();
    await page.getByLabel("Server").fill("safe.example");
    await page.getByLabel("Password").fill("swordfish");
    await page.getByRole("button", { name: "More settings" }).click();
    await page.getByLabel("Folders").waitFor();
    await expectSound(looked, "access");
    await expectStops(page, [
      ...[
        "textbox Server",
        "textbox Password",
        "button Fewer settings",
        "textbox Port",
        "textbox most",
        "textbox Folders",
      ],
      ...["button Next", "button Back"],
    ]);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByLabel("Purpose").fill(" ");
    await page.getByRole("button", { name: "Add and look" }).click();
    await page.getByText("A purpose has 1 to 500 characters.").first().waitFor();
    await expectSound(looked, "purpose");
    await expectStops(page, ["textbox Purpose", "textbox Name", "button Add and look", "button Back"]);
    await page.getByLabel("Purpose").fill("What is in it?");
    await page.getByRole("button", { name: "Add and look" }).click();
    await page.getByText("The source does not accept this user and secret").waitFor();
    await expectSound(looked, "refused");
    await page.getByLabel("Password").fill("open sesame");
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Add and look" }).click();
    await page.getByText("Safe at safe.example").waitFor();
    await expectSound(looked, "done");
    await expectStops(page, ["link Show the scout", "link Inbox", "button Add another"]);
  }, 240_000);

  it("waiting for a consent, giving a source again and what failed with it are sound in every language", async () => {
    const home = await startConsoleOnHome();
    const id = await addFeed(home, await home.token(), "News");
    const looked = await opened("/scouts/add", home);
    const { page } = looked;
    await page.getByRole("button", { name: /^Gmail/ }).click();
    await page.getByRole("button", { name: "Add and look" }).click();
    await page.getByText("Waiting for your consent").waitFor();
    await expectSound(looked, "consent");
    await expectStops(page, ["link Open the page", "button Cancel"]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.goto(`${looked.origin}/scouts/${id}`);
    await page.getByRole("button", { name: "Reconnect" }).click();
    await page.getByRole("heading", { name: "Give it its source again" }).waitFor();
    await page.getByLabel("Sender's address").fill("nobody");
    await page.getByRole("button", { name: "Mute" }).click();
    await page.getByText(/^Give the sender's address/).waitFor();
    await page.getByRole("button", { name: "Try on the last 50" }).click();
    await page.getByText(/has judged nothing yet/).waitFor();
    await expectSound(looked, "reconnect");
  }, 240_000);

  it("every dialog and menu is sound in every language while it is open", async () => {
    const home = await startConsoleOnHome();
    const id = await addFeed(home, await home.token(), "News");
    const looked = await opened(`/scouts/${id}`, home);
    const { page, origin } = looked;
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("alertdialog").waitFor();
    await expectSound(looked, "remove");
    await page.keyboard.press("Escape");
    await page.goto(`${origin}/settings`);
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByRole("button", { name: /When something arrives/ }).click();
    await page.getByRole("listbox").waitFor();
    expect(await faultsOfView(looked, "menu")).toEqual([]);
  }, 240_000);

  it("the list of keys is sound in every language", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    const looked = { page, origin: home.served.origin, token: await home.token() };
    await page.getByRole("button", { name: "Keys" }).click();
    await page.getByRole("dialog").waitFor();
    await expectSound(looked, "keys");
  }, 240_000);

  it("a folder is looked for with the keyboard alone, and hidden ones only when asked for", async () => {
    const here = temporaryFolder();
    for (const name of ["garden", "garden/beds", ".hidden"]) mkdirSync(join(here, name));
    const home = await startConsoleOnHome();
    const looked = await opened("/welcome", home);
    const { page } = looked;
    await page.getByRole("textbox", { name: "Folder" }).fill(here);
    const open = page.getByRole("button", { name: "Look for it…" });
    await open.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => stopNow(page)).toBe("option One up");
    expect(await page.getByRole("option", { name: ".hidden" }).count()).toBe(0);
    await expectSound(looked, "picker");
    await page.getByRole("switch", { name: "Show hidden folders" }).press("Space");
    await page.getByRole("option", { name: ".hidden" }).waitFor();
    await page.getByRole("option", { name: "One up" }).focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => stopNow(page)).toBe("option garden");
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: "beds" }).waitFor();
    await expect.poll(() => stopNow(page)).toBe("option One up");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText(join(here, "garden/beds")).waitFor();
    await page.getByRole("button", { name: "Choose this folder" }).press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => stopNow(page)).toBe("button Look for it…");
    expect(await page.getByRole("textbox", { name: "Folder" }).inputValue()).toBe(join(here, "garden/beds"));
  }, 240_000);

  it("of what is no folder of a person's the picker says so, and leads home", async () => {
    const home = await startConsoleOnHome();
    const { page } = await opened("/welcome", home);
    await page.getByRole("textbox", { name: "Folder" }).fill("/etc");
    await page.getByRole("button", { name: "Look for it…" }).click();
    await page.getByText("/etc belongs to the system").waitFor();
    await page.getByRole("button", { name: "My own folder" }).click();
    await page.getByRole("listbox", { name: "Folders here" }).waitFor();
  });
});
