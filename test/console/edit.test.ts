import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { whole } from "../rounds.ts";
import { asksBeforeReload, drawn, holdAnswer, intercept, startBrowser, violationsOn } from "./browser-page.ts";
import { keyIsTaken } from "./keyboards.ts";
import { languages, wordsIn } from "./languages.ts";
import { type ProjectHome, startProject } from "./project-home.ts";
import { startTab } from "./setting.ts";

const canary = "mango-canary-4711";
const box = (page: Page) => page.locator("textarea").first();
const status = (page: Page, text: string | RegExp) =>
  page.locator(".editor [role=status]", { hasText: text }).waitFor();
/** And not "Not saved." */
const isSaved = /^Saved\./;
const onDisk = ({ folder }: ProjectHome, path: string) => readFileSync(join(folder.root, path), "utf8");
const pathTo = (project: ProjectHome, path: string) =>
  `/projects/${project.id}/files/${project.numberOf(path)}?view=edit`;

/** The device does not answer this tab any more. @returns what has it answer again */
async function away(page: Page): Promise<() => Promise<void>> {
  await intercept(page, "**/api/**", (route) => route.abort());
  return () => page.unroute("**/api/**");
}

/** All that the browser keeps of the page, as text. */
const inBrowser = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open("scouts", 1);
    opening.onsuccess = () => {
      const all = opening.result.transaction("drafts").objectStore("drafts").getAll();
      all.onsuccess = () => { opening.result.close(); resolve(JSON.stringify([all.result, { ...localStorage }, { ...sessionStorage }])); };
    };
  })`) as Promise<string>;

describe.skipIf(!hasBrowser)("editing a file in the console", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("by the keyboard: typed, kept, saved with Ctrl+S; undone by the browser; no rule of WCAG is broken at 320 px and in the dark", async () => {
    const project = await startProject({ "a.md": "one\n" });
    for (const look of [{ width: 320 }, { dark: true }]) {
      const { page, complaints } = await startTab(browser, project.home, { path: pathTo(project, "a.md"), ...look });
      const before = onDisk(project, "a.md");
      await box(page).focus();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("typed\n");
      await status(page, "It is kept on this device.");
      expect(await violationsOn(page)).toEqual([]);
      await page.keyboard.press("Control+s");
      await status(page, isSaved);
      expect(onDisk(project, "a.md")).toBe(`${before}typed\n`);
      // Wherever the focus is: else the browser's own dialog opens, to keep the page as a file.
      await box(page).press("End");
      await page.keyboard.type("more");
      await page.getByRole("button", { name: "Copy" }).focus();
      expect(await keyIsTaken(page, "Control+s")).toBe(true);
      await status(page, isSaved);
      await box(page).press("Control+z");
      await box(page).press("Control+z");
      expect(await box(page).inputValue()).not.toBe(`${before}typed\n`);
      await status(page, "It is kept on this device.");
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(complaints).toEqual([]);
      await page.getByRole("button", { name: "Discard" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
      await status(page, "As it is saved.");
    }
  });

  it("for a day without the device loses nothing: kept encrypted in the browser, saved when it answers, found again after a reload", async () => {
    const project = await startProject({ "a.md": "one\n" });
    const { page } = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(page).waitFor();
    const back = await away(page);
    for (let hour = 0; hour < 24; hour++) {
      await box(page).press("Control+End");
      await page.keyboard.type(`${canary} ${hour}\n`);
      if (hour % 8 === 0) await status(page, "this browser keeps it");
    }
    await page.keyboard.press("Control+s");
    await status(page, "as soon as the device answers");
    const stored = await inBrowser(page);
    expect(stored).toContain("sealed");
    expect(stored).not.toContain(canary);
    expect(stored).not.toContain("a.md");
    expect(onDisk(project, "a.md")).toBe("one\n");
    await back();
    await status(page, isSaved);
    const all = `one\n${Array.from({ length: 24 }, (_, hour) => `${canary} ${hour}\n`).join("")}`;
    expect(onDisk(project, "a.md")).toBe(all);
    // What was not to be saved yet is there after a reload, and in the list of such texts.
    await box(page).press("Control+End");
    await page.keyboard.type("unsaved");
    await status(page, "It is kept on this device.");
    const folder = join(project.home.store.dataFolder, "device", "console", "drafts");
    expect(
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), "utf8"))
        .join(),
    ).not.toContain(canary);
    await page.reload();
    await page.getByText("and have not saved it").waitFor();
    expect(await box(page).inputValue()).toBe(`${all}unsaved`);
    await page.goto(`${project.home.served.origin}/projects`);
    await page.getByRole("link", { name: "1 text is not saved" }).click();
    await page.getByRole("link", { name: "a.md" }).click();
    await expect.poll(() => box(page).inputValue()).toBe(`${all}unsaved`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("a.md");
    // Once it is saved, nothing says that it is not.
    await box(page).press("Control+s");
    await status(page, isSaved);
    expect(await page.getByText("and have not saved it").count()).toBe(0);
    expect(onDisk(project, "a.md")).toBe(`${all}unsaved`);
  });

  it("says of a text that can no longer be read that there is one, and why, until a person discards it", async () => {
    const project = await startProject({ "a.md": "one\n" });
    const folder = join(project.home.store.dataFolder, "device", "console", "drafts");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${"A".repeat(22)}.json`), "{");
    const foreign = { v: 1, sealed: Buffer.alloc(64).toString("base64"), at: Date.UTC(2026, 10, 1) };
    writeFileSync(join(folder, `${"B".repeat(22)}.json`), JSON.stringify(foreign));
    const { page } = await startTab(browser, project.home, { path: "/projects" });
    await page.getByRole("link", { name: "2 texts are not saved" }).click();
    await page.getByRole("heading", { name: "Texts that cannot be read" }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    for (const left of [1, 0]) {
      await page.getByRole("button", { name: "Discard" }).first().click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
      await expect.poll(() => page.getByText(/drafts\/[AB]{22}\.json/).count()).toBe(left);
    }
    await page.getByText("Nothing is unsaved").waitFor();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("shows what somebody else has written meanwhile place by place, and saves what one makes of it over that", async () => {
    const base = "head\n\none\ntwo\nthree\nfour\nfive\n";
    const project = await startProject({ "a.md": base });
    const { page } = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(page).fill(base.replace("two", "2 mine").replace("five", "5 mine"));
    writeFileSync(join(project.folder.root, "a.md"), base.replace("two", "2 theirs"));
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: "The file has changed meanwhile" }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // Nothing is lost by who chooses nothing.
    expect(await box(page).inputValue()).toBe("head\n\none\n2 theirs\n2 mine\nthree\nfour\n5 mine\n");
    await page.getByRole("button", { name: /What is to stand here/ }).click();
    await page.getByRole("option", { name: "Yours" }).click();
    expect(await box(page).inputValue()).toBe("head\n\none\n2 mine\nthree\nfour\n5 mine\n");
    await box(page).press("Control+End");
    await page.keyboard.type("by hand\n");
    // And once more, while one chose.
    writeFileSync(join(project.folder.root, "a.md"), base.replace("two", "2 theirs").replace("head", "later head"));
    await page.getByRole("button", { name: "Save this" }).click();
    await page.getByText("Both changes fit together").waitFor();
    await page.getByRole("button", { name: "Save this" }).click();
    await status(page, isSaved);
    expect(onDisk(project, "a.md")).toBe("later head\n\none\n2 mine\nthree\nfour\n5 mine\nby hand\n");
  });

  it("P2: what one makes of a conflict by hand is there again on the way back, and to be copied when the sign-in ends", async () => {
    const project = await startProject({ "a.md": "one\ntwo\n" });
    const { page } = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(page).fill("one\n2 mine\n");
    writeFileSync(join(project.folder.root, "a.md"), "one\n2 theirs\n");
    await page.keyboard.press("Control+s");
    const met = page.getByRole("heading", { name: "The file has changed meanwhile" });
    await met.waitFor();
    await box(page).fill("one\n2 of both\n");
    await page.getByRole("button", { name: "Back to your text" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await met.waitFor();
    expect(await box(page).inputValue()).toBe("one\n2 of both\n");
    expect(await asksBeforeReload(page)).toBe(true);
    const json = { error: { code: "unauthenticated", message: "This tab is not signed in." } };
    await intercept(page, "**/api/**", (route) => route.fulfill({ status: 401, json }));
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    const unsent = page.getByLabel("Not sent, and nowhere but in this tab");
    await expect.poll(() => unsent.inputValue()).toBe("one\n2 of both\n");
  });

  it("P2: what is typed into a conflict's result while that is being saved stays, over what was saved", async () => {
    const project = await startProject({ "a.md": "one\ntwo\n" });
    const { page } = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(page).fill("one\n2 mine\n");
    writeFileSync(join(project.folder.root, "a.md"), "one\n2 theirs\n");
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: "The file has changed meanwhile" }).waitFor();
    const saved = await holdAnswer(page, "/save", "POST");
    await box(page).fill("one\n2 of both\n");
    await page.getByRole("button", { name: "Save this" }).click();
    await saved.answered;
    await box(page).fill("one\n2 of both\n3 typed since\n");
    await saved.letGo();
    await status(page, "It is kept on this device.");
    expect(await box(page).inputValue()).toBe("one\n2 of both\n3 typed since\n");
    expect(onDisk(project, "a.md")).toBe("one\n2 of both\n");
    await box(page).press("Control+s");
    await status(page, isSaved);
    expect(onDisk(project, "a.md")).toBe("one\n2 of both\n3 typed since\n");
  });

  it("P2: what is made of a conflict while the device is away is said to wait for it, and saved when it answers", async () => {
    const project = await startProject({ "a.md": "one\ntwo\n" });
    const { page } = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(page).fill("one\n2 mine\n");
    writeFileSync(join(project.folder.root, "a.md"), "one\n2 theirs\n");
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: "The file has changed meanwhile" }).waitFor();
    await box(page).fill("one\n2 of both\n");
    const back = await away(page);
    await page.getByRole("button", { name: "Save this" }).click();
    await status(page, "It is saved as soon as the device answers.");
    expect(await box(page).inputValue()).toBe("one\n2 of both\n");
    await back();
    await status(page, isSaved);
    expect(onDisk(project, "a.md")).toBe("one\n2 of both\n");
  });

  it("keeps what was typed when the file is deleted, denied, or its project unlinked, and says why it is not saved", async () => {
    const project = await startProject({ "a.md": "one\n", "b.md": "b\n" });
    const { page } = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(page).fill("typed\n");
    rmSync(join(project.folder.root, "a.md"));
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: "The file is not there any more" }).waitFor();
    await page.getByLabel("Path in the folder").fill("new/a.md");
    await page.getByRole("button", { name: "Save this" }).click();
    await status(page, isSaved);
    expect(onDisk(project, "new/a.md")).toBe("typed\n");
    const denied = await startTab(browser, project.home, { path: pathTo(project, "b.md") });
    await box(denied.page).fill("typed too\n");
    project.folder.write(".scouts.json", JSON.stringify({ read: { deny: ["b.md"] } }));
    await denied.page.keyboard.press("Control+s");
    await denied.page.getByText("The policy does not allow this.").waitFor();
    expect(await box(denied.page).inputValue()).toBe("typed too\n");
    project.home.store.projects.unlink(project.id);
    await denied.page.goto(`${project.home.served.origin}/unsaved`);
    await denied.page.getByRole("link", { name: "b.md" }).click();
    await box(denied.page).waitFor();
    expect(await box(denied.page).inputValue()).toBe("typed too\n");
    await denied.page.keyboard.press("Control+s");
    expect(onDisk(project, "b.md")).toBe("b\n");
  });

  it("is saved by a later tab when it was to be saved and the first one was closed before the device answered", async () => {
    const project = await startProject({ "a.md": "one\n" });
    const first = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(first.page).fill("typed\n");
    await intercept(first.page, "**/api/edits/*/save", (route) => route.abort());
    await box(first.page).press("Control+s");
    await status(first.page, "as soon as the device answers");
    await first.page.close();
    expect(onDisk(project, "a.md")).toBe("one\n");
    const second = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await status(second.page, isSaved);
    expect(onDisk(project, "a.md")).toBe("typed\n");
  });

  it("of two tabs each has a text of its own: the later is shown what the other has saved", async () => {
    const project = await startProject({ "a.md": "one\n" });
    const first = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(first.page).fill("first\n");
    await status(first.page, "It is kept on this device.");
    const second = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(second.page).waitFor();
    await second.page.keyboard.press("Escape");
    await first.page.bringToFront();
    await box(first.page).press("Control+s");
    await status(first.page, isSaved);
    await box(second.page).fill("second\n");
    await box(second.page).press("Control+s");
    await second.page.getByRole("heading", { name: "The file has changed meanwhile" }).waitFor();
    expect(onDisk(project, "a.md")).toBe("first\n");
  });

  it.each(whole ? languages : (["de"] as const))("speaks %s", async (language) => {
    const project = await startProject({ "a.md": "one\n" });
    const { page, complaints } = await startTab(browser, project.home, {
      path: pathTo(project, "a.md"),
      ...{ width: 320, locale: language },
    });
    const say = wordsIn(language);
    await box(page).fill("typed\n");
    await status(page, say("projects.edit.state.kept"));
    writeFileSync(join(project.folder.root, "a.md"), "other\n");
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: say("projects.edit.conflict") }).waitFor();
    await drawn(page);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await violationsOn(page)).toEqual([]);
    expect(complaints.filter((line) => !/status of 409/.test(line))).toEqual([]);
  });
});
