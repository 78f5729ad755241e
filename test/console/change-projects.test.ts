import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { personalConfigFile, readPersonalConfig } from "../../device/config/personal-config.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { temporaryFolder } from "../device/setting.ts";
import { startBrowser, violationsOn } from "./browser-page.ts";
import { startConsole, startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("projects in the console", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("are made without a folder, called otherwise and removed, with a word on what goes and what stays", async () => {
    const home = await startConsole({ proposals: [] });
    home.store.projects.add("Roof");
    const { page, complaints } = await startTab(browser, home, { path: "/projects" });
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill("Garden");
    await page.getByRole("button", { name: "Make the project" }).click();
    await page.getByRole("heading", { name: "Garden", level: 1 }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await name.fill("Roof");
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByText("There is a project called Roof already").waitFor();
    await name.fill("The garden");
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("heading", { name: "The garden", level: 1 }).waitFor();

    const [garden] = home.store.projects.list().filter((each) => each.name === "The garden");
    addEntity(home.store, "task", { title: "Water", projectId: garden?.id ?? null }, 1);
    await page.getByRole("button", { name: "Remove the project" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("1 task", { exact: true }).waitFor();
    await dialog.getByText("0 proposals").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Remove the project" }).click();
    await page.waitForURL(`${home.served.origin}/projects`);
    await page.getByRole("link", { name: "Roof", exact: true }).waitFor();
    expect(home.store.projects.list()).toMatchObject([{ name: "Roof" }]);
    expect(home.store.work.task.list()).toMatchObject([{ title: "Water", projectId: null }]);
    expect(complaints.filter((line) => !/status of 4(04|09) /.test(line))).toEqual([]);
  });

  it("P2: says which folder one had that was linked elsewhere meanwhile, and leads back to it", async () => {
    const home = await startConsole({ proposals: [] });
    const { id } = home.store.projects.add("Garden");
    const folder = temporaryFolder();
    const [theirs, mine] = [join(folder, "theirs"), join(folder, "mine")];
    for (const each of [theirs, mine]) mkdirSync(each);
    const { page } = await startTab(browser, home, { path: `/projects/${id}` });
    await page.getByRole("textbox", { name: "Folder" }).fill(mine);
    // The command line links another one, and the page has not heard of it yet.
    home.store.projects.link(id, theirs);
    await page.getByRole("button", { name: "Link the folder" }).click();
    const notice = page.getByRole("status").filter({ hasText: "taken the place of another" });
    await notice.getByText(theirs).waitFor();
    expect(home.store.projects.get(id).folderPath).toBe(mine);
    expect(await violationsOn(page)).toEqual([]);
    await notice.getByRole("button", { name: "Link that one again" }).click();
    await notice.waitFor({ state: "detached" });
    expect(home.store.projects.get(id).folderPath).toBe(theirs);
  });

  it("P1: a folder that was moved is linked where it is now, and it is said that what was said of it holds there", async () => {
    const home = await startConsole({ proposals: [] });
    const { id } = home.store.projects.add("Garden");
    const folder = temporaryFolder();
    const [before, now] = [join(folder, "before"), join(folder, "now")];
    mkdirSync(now);
    home.store.projects.link(id, before);
    home.store.localScouts.put(id);
    home.store.projects.beginScan(id, { holder: "one", pid: 1, until: 0 }, () => true);
    const sentence = `Folder not found: ${before}`;
    home.store.projects.endScan(id, "one", { status: "error", code: "folder_not_found", sentence });
    mkdirSync(join(home.store.dataFolder, "device"), { recursive: true });
    const rules = { read: { deny: ["private/"] } };
    writeFileSync(personalConfigFile(home.store.dataFolder), JSON.stringify({ projects: { [before]: rules } }));
    const { page } = await startTab(browser, home, { path: `/projects/${id}` });
    await page.getByRole("textbox", { name: "Folder" }).fill(now);
    await page.getByRole("button", { name: "Link the folder" }).click();
    const notice = page.getByRole("status").filter({ hasText: "came along" });
    await notice.getByText(before).waitFor();
    await notice.getByText("Your settings for that folder hold for this one too.").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    expect(readPersonalConfig(home.store.dataFolder).projects[now]).toMatchObject(rules);
    await notice.getByRole("button", { name: "All right" }).click();
    await notice.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Unlink" }).click();
    await page.getByRole("alertdialog").getByText("hold for no other one").waitFor();
  });
});
