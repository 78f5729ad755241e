import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deviceId } from "../../events/ids.ts";
import { ConnectionStore } from "../../shared/devices/connection-store.ts";
import { ada } from "../api/setting.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { temporaryFolder } from "../device/setting.ts";
import { startBrowser, violationsOn } from "./browser-page.ts";
import { inbox } from "./console-home.ts";
import { addFeed, startConsoleOnHome } from "./real-home.ts";
import { startConsole, startTab } from "./setting.ts";

/** The browser is one for Linux. */
const isLinux = process.platform === "linux";
const markup = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;

/** The browser itself logs an answer that refuses something. */
const unexpected = (line: string) => !/status of 4(00|04|22) /.test(line);

describe.skipIf(!isLinux)("the console's pages of scouts and settings", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("the page to begin with says that nothing is watched only where that is so", async () => {
    for (const scouts of [[], [inbox]]) {
      const home = await startConsole({ proposals: [], scouts });
      const { page } = await startTab(browser, home, { path: "/welcome" });
      await page.getByRole("heading", { name: "Or link a folder" }).waitFor();
      expect(await page.getByText("Nothing is watched yet").count()).toBe(scouts.length === 0 ? 1 : 0);
    }
  });

  it("greets who has nothing yet, and adds a feed with the mouse: reached at once, with what it sees", async () => {
    const setting = await startConsoleOnHome();
    const { page, complaints, loadedBytes } = await startTab(browser, setting, { path: "/" });
    await page.getByRole("heading", { name: "Welcome" }).waitFor();
    // Nothing of the brief, which there is none of.
    expect(await loadedBytes()).toBeLessThanOrEqual(240_000);
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("button", { name: /^Feed/ }).click();
    await page.getByLabel("Web address").fill(setting.feeds.feedUrl());
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Add and look" }).click();
    await page.getByText("2 items", { exact: true }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("link", { name: "Show the scout" }).click();
    await page.getByRole("heading", { name: "The feed", level: 1 }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("adds one with the keyboard alone, and the focus goes on with each step", async () => {
    const setting = await startConsoleOnHome();
    const { page, complaints } = await startTab(browser, setting, { path: "/scouts/add" });
    const feed = page.getByRole("button", { name: /^Feed/ });
    await feed.waitFor();
    await feed.focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Web address").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("nowhere");
    await page.keyboard.press("Enter");
    await page.getByText(/Give a web address/).waitFor();
    await page.getByLabel("Web address").fill(setting.feeds.feedUrl());
    await page.keyboard.press("Enter");
    await page.getByLabel("Purpose").waitFor();
    await page.getByRole("button", { name: "Back" }).press("Enter");
    await page.getByLabel("Web address").press("Enter");
    await page.getByLabel("Name").press("Enter");
    await page.getByRole("heading", { name: "The feed is added" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("The feed is added");
    expect(complaints.filter(unexpected)).toEqual([]);
  });

  it("P1: takes a secret, and keeps it in no address, no storage and no part of the page", async () => {
    const setting = await startConsoleOnHome();
    const { page, complaints } = await startTab(browser, setting, { path: "/scouts/add" });
    await page.getByRole("button", { name: /^locked/ }).click();
    await page.getByLabel("Server").fill("safe.example");
    await page.getByLabel("Password").fill("swordfish");
    expect(await page.getByLabel("Password").getAttribute("type")).toBe("password");
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Add and look" }).click();
    await page.getByText("The source does not accept this user and secret").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // What is wrong is said where it is typed.
    expect(await page.getByLabel("Password").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Password").fill("open sesame");
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Add and look" }).click();
    await page.getByText("Safe at safe.example").waitFor();
    const kept = await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])",
    );
    expect(kept).not.toMatch(/sesame|swordfish/);
    expect(await page.content()).not.toMatch(/sesame|swordfish/);
    // The browser's own word on the request that was refused.
    expect(complaints.filter(unexpected)).toEqual([]);
  });

  it("adds one by a consent that is given in another tab", async () => {
    const setting = await startConsoleOnHome();
    const { page, complaints } = await startTab(browser, setting, { path: "/scouts/add" });
    await page.getByRole("button", { name: /^Gmail/ }).click();
    await page.getByRole("button", { name: "Add and look" }).click();
    const link = page.getByRole("link", { name: "Open the page" });
    await page.getByText("Waiting for your consent").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await setting.consent((await link.getAttribute("href")) ?? "");
    await page.getByRole("heading", { name: "Gmail is added" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("changes a scout, pauses, runs, mutes and removes it, all of it said", async () => {
    const setting = await startConsoleOnHome();
    const id = await addFeed(setting, await setting.token(), "News");
    const { page, complaints } = await startTab(browser, setting, { path: `/scouts/${id}` });
    await page.getByLabel("Purpose").fill("Only what is about gardens.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await setting.home.ask("GET", `/api/v1/scouts/${id}`)).body).toMatchObject({
      name: "News",
      purpose: "Only what is about gardens.",
    });
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("watching").waitFor();
    await page.getByRole("button", { name: "Look now" }).click();
    await page.getByText("It looks in a moment.").waitFor();
    await page.getByLabel("Sender's address").fill("offers@shop.example");
    await page.getByRole("button", { name: "Mute" }).click();
    await page.getByText("1 sender is muted.").waitFor();
    await page.getByText("offers@shop.example is muted.").waitFor();
    await page.getByLabel("Sender's address").fill("offers@shop.example");
    await page.getByRole("button", { name: "Hear again" }).click();
    await page.getByText("offers@shop.example is heard again.").waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("alertdialog").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("There is no scout yet").waitFor();
    expect(page.url()).toBe(`${setting.served.origin}/scouts`);
    await page.goto(`${setting.served.origin}/scouts/${id}`);
    await page.getByText("There is no such scout").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    expect(complaints.filter(unexpected)).toEqual([]);
  });

  it("P2: of two tabs that edit one scout, the later is told what it is now, and overwrites nothing unasked", async () => {
    const setting = await startConsoleOnHome();
    const token = await setting.token();
    const id = await addFeed(setting, token, "News");
    const { page: first } = await startTab(browser, setting, { path: `/scouts/${id}` });
    const { page: second } = await startTab(browser, setting, { path: `/scouts/${id}` });
    await first.getByLabel("Purpose").fill("Mine.");
    await second.getByLabel("Purpose").fill("Theirs.");
    await second.getByRole("button", { name: "Save" }).click();
    await second.getByText("Saved.").waitFor();
    await first.getByText("This was changed elsewhere meanwhile.").waitFor();
    await first.getByText("Theirs.", { exact: true }).waitFor();
    expect(await first.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    expect(await violationsOn(first)).toEqual([]);
    expect(await first.getByLabel("Purpose").inputValue()).toBe("Mine.");
    await first.getByRole("button", { name: "Go on with mine" }).click();
    await first.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => second.getByLabel("Purpose").inputValue()).toBe("Mine.");
  });

  it("holds of five hundred scouts those that are seen, and finds one by its name", async () => {
    const scouts = Array.from({ length: 500 }, (_, n) => ({
      ...inbox,
      id: inbox.id.replace(/.{3}$/, String(n).padStart(3, "0")) as typeof inbox.id,
      name: `Scout ${n}`,
      disabledCode: n === 3 ? ("reauth" as const) : null,
    }));
    const setting = await startConsole({ scouts });
    const { page, complaints } = await startTab(browser, setting, { path: "/scouts" });
    await page.getByRole("link", { name: "Scout 0", exact: true }).waitFor();
    expect(await page.getByRole("article").count()).toBeLessThan(40);
    const third = page.getByRole("article").filter({ hasText: "Scout 3" }).first();
    await third
      .getByText(
        /^It has read nothing since .*Access to the source was withdrawn, or its password was changed; connect again\.$/,
      )
      .waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByLabel("Find by name").fill("scout 499");
    await page.getByRole("link", { name: "Scout 499", exact: true }).waitFor();
    expect(await page.getByRole("article").count()).toBe(1);
    await page.getByLabel("Find by name").fill("nobody");
    await page.getByText("Nothing is called so").waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows hostile names and purposes as the text they are, on a narrow page as well", async () => {
    const setting = await startConsoleOnHome();
    const id = await addFeed(setting, await setting.token(), markup.slice(0, 80));
    await setting.home.ask("PATCH", `/api/v1/scouts/${id}`, { body: { purpose: `${markup} ${"W".repeat(300)}` } });
    const { page, complaints } = await startTab(browser, setting, { path: "/scouts", width: 320 });
    await page.getByRole("link", { name: "<img src=x" }).click();
    await page.getByLabel("Purpose").waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.title()).not.toContain("taken");
    await page.getByText("2 items", { exact: true }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    expect(await violationsOn(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("links a folder, shows its scout and what may be changed about it, and forgets it", async () => {
    const setting = await startConsoleOnHome();
    const folder = temporaryFolder();
    const { page, complaints } = await startTab(browser, setting, { path: "/" });
    await page.getByRole("textbox", { name: "Folder" }).fill("not/whole");
    await page.getByRole("button", { name: "Link the folder" }).click();
    await page.getByText("Give the whole path of a folder").waitFor();
    expect(await page.getByLabel("Folder", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("textbox", { name: "Folder" }).fill(folder);
    await page.getByRole("button", { name: "Link the folder" }).click();
    await page.getByText("The folder has not been read yet.").first().waitFor();
    expect(setting.scanned).toHaveLength(1);
    expect(await violationsOn(page)).toEqual([]);
    // The system may choose the colours: on and off are told apart all the same.
    await page.emulateMedia({ forcedColors: "active" });
    const colour = () => page.evaluate(`getComputedStyle(document.querySelector(".switch-track")).backgroundColor`);
    const on = await colour();
    await page.getByRole("switch", { name: "Reads the folder by itself" }).press(" ");
    await page.getByText("paused").waitFor();
    expect(await colour()).not.toBe(on);
    await page.getByRole("link", { name: "Scouts", exact: true }).click();
    await page.getByText(folder).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Unlink" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Unlink" }).click();
    await page.getByText("No folder is linked").waitFor();
    expect(complaints.filter(unexpected)).toEqual([]);
  });

  it("P2: shows by itself what a scan came to, whoever had asked for it", async () => {
    const setting = await startConsoleOnHome();
    const { id } = setting.store.projects.add("Garden");
    setting.store.projects.link(id, temporaryFolder());
    setting.store.localScouts.put(id);
    const { page } = await startTab(browser, setting, { path: `/scouts/folders/${id}` });
    await page.getByText("The folder has not been read yet.").first().waitFor();
    const run = setting.store.scoutRuns.start(id, "daily");
    setting.scans.emit("end");
    const runs = page.locator(".runs");
    await runs.getByText("being read").waitFor();
    expect(await runs.getByText("nothing new").count()).toBe(0);
    setting.store.scoutRuns.addActions(run.id, [{ action: "added", relativePath: markup, fromPath: null, code: null }]);
    setting.store.scoutRuns.update(run.id, { status: "completed", newFiles: 1 });
    setting.scans.emit("end");
    await page.getByText("1 new").waitFor();
    await page.getByRole("button", { name: /^What was done/ }).click();
    await page.getByText(markup).waitFor();
    expect(await violationsOn(page)).toEqual([]);
  });

  it("keeps language and colours with the device, in every tab, and after the server was started again", async () => {
    const setting = await startConsoleOnHome();
    const { page, complaints } = await startTab(browser, setting, { path: "/settings" });
    const other = await startTab(browser, setting, { path: "/scouts" });
    await page.getByRole("button", { name: /As the system/ }).click();
    await page.getByRole("option", { name: "Dark" }).click();
    await expect.poll(() => other.page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.getByRole("button", { name: /As the browser/ }).click();
    await page.getByRole("option", { name: "Italiano" }).click();
    await page.getByRole("heading", { name: "Impostazioni", level: 1 }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const third = await startTab(browser, setting, { path: "/settings" });
    await third.page.getByRole("heading", { name: "Impostazioni", level: 1 }).waitFor();
    expect(await page.evaluate("JSON.stringify({ ...localStorage })")).toBe("{}");
    expect(complaints).toEqual([]);
  });

  it("tests the model, runs the doctor, and says where data lies, which devices there are and how another is made", async () => {
    const setting = await startConsoleOnHome();
    const connections = new ConnectionStore(setting.home.sessions);
    const another = deviceId.parse("dev_01KE5Q8600ESE4NYY1EVXDNQEB");
    await connections.add(ada, "c1", setting.store.identity.get().deviceId, setting.home.nowMs);
    await connections.add(ada, "c2", another, setting.home.nowMs);
    const { page, complaints } = await startTab(browser, setting, { path: "/settings" });
    await page.getByText(setting.store.dataFolder, { exact: true }).waitFor();
    await page.getByText(`scouts connect --home ${setting.store.dataFolder}`).waitFor();
    const devices = page.getByRole("region", { name: /^Connected to the home/ });
    await devices.getByText(another, { exact: true }).waitFor();
    expect(await devices.getByRole("term").allTextContents()).toEqual(["This one", another]);
    expect(await devices.getByRole("definition").allTextContents()).toEqual(["connected", "connected"]);
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByText("The home runs elsewhere").waitFor();
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByRole("listitem").getByText("Data folder", { exact: true }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("says that the device has gone also in the place of a page that was never loaded, and nothing of the rest goes", async () => {
    const setting = await startConsoleOnHome();
    const { page } = await startTab(browser, setting, { path: "/scouts", locale: "de" });
    await page.getByRole("heading", { name: "Scouts" }).waitFor();
    await setting.served.close();
    await page.getByRole("link", { name: "Einstellungen" }).click();
    const alert = page.getByRole("alert");
    await page
      .getByText(/Das Gerät antwortet nicht/)
      .filter({ visible: true })
      .waitFor();
    await alert.getByRole("button", { name: "Noch einmal" }).click();
    await page.getByRole("link", { name: "Scouts" }).click();
    await page.getByRole("heading", { name: "Scouts" }).waitFor();
  });

  it("says that the device has gone, on every page, and goes on when it is asked again", async () => {
    const setting = await startConsoleOnHome();
    const id = await addFeed(setting, await setting.token(), "News");
    const { page } = await startTab(browser, setting, { path: `/scouts/${id}` });
    await page.getByLabel("Purpose").fill("Not lost.");
    await setting.served.close();
    await page.getByText("The device does not answer.").first().waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.getByText("The device does not answer.").count()).toBeGreaterThan(1);
    expect(await page.getByLabel("Purpose").inputValue()).toBe("Not lost.");
    await page.getByText("open the page anew").first().waitFor();
    expect((await setting.home.ask("GET", `/api/v1/scouts/${id}`)).body).toMatchObject({ purpose: "What is new?" });
  });

  it("tries another purpose, and says why it cannot", async () => {
    const setting = await startConsoleOnHome();
    const id = await addFeed(setting, await setting.token(), "News");
    const { page } = await startTab(browser, setting, { path: `/scouts/${id}` });
    await page.getByRole("button", { name: "Try on the last 50" }).click();
    await page.getByText("The scout has judged nothing yet").waitFor();
    expect(await violationsOn(page)).toEqual([]);
  });

  it("P1: tells of what arrives only when asked to, and then how many and not what, unless asked for that", async () => {
    const setting = await startConsole();
    const { page, complaints } = await startTab(browser, setting, { path: "/settings" });
    await page.addInitScript(`
      window.told = [];
      window.Notification = class {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title, { body }) { told.push(title + ": " + body); window.newest = this; }
        close() { told.isClosed = true; }
      };
      window.focus = () => { told.isFocused = true; };
      Object.defineProperty(document, "hidden", { get: () => true });`);
    await page.reload();
    const choice = page.getByRole("region", { name: "Notifications" }).getByRole("button");
    await choice.waitFor();
    setting.deliver(makeProposal(3));
    await choice.click();
    await page.getByRole("option", { name: "How many" }).click();
    await page.getByRole("button", { name: /How many/ }).waitFor();
    setting.deliver(makeProposal(4));
    await expect.poll(() => page.evaluate("told.join()"), { timeout: 20_000 }).toBe("Scouts: 1 proposal waits for you");
    await choice.click();
    await page.getByRole("option", { name: "With the subject" }).click();
    await page.getByRole("button", { name: /With the subject/ }).waitFor();
    setting.deliver(makeProposal(5));
    await expect.poll(() => page.evaluate("told.at(-1)"), { timeout: 20_000 }).toBe("Scouts: Subject 5");
    expect(await page.evaluate("told.length")).toBe(2);
    // Who clicks on it is led to the tab.
    await page.evaluate("newest.onclick()");
    expect(await page.evaluate("[told.isFocused, told.isClosed]")).toEqual([true, true]);
    expect(complaints).toEqual([]);
  });
});
