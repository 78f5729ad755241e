import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { asksBeforeReload, drawn, startBrowser } from "./browser-page.ts";
import { keyIsTaken } from "./keyboards.ts";
import { type ProjectHome, startProject } from "./project-home.ts";
import { startTab } from "./setting.ts";

const box = (page: Page) => page.locator("textarea").first();
const status = (page: Page, text: string | RegExp) =>
  page.locator(".editor [role=status]", { hasText: text }).waitFor();
const pathTo = (project: ProjectHome, path: string) =>
  `/projects/${project.id}/files/${project.numberOf(path)}?view=edit`;
const onDisk = ({ folder }: ProjectHome, path: string) => readFileSync(join(folder.root, path), "utf8");

/** As a browser is that gives pages no storage: none of these is there, and each says so in its own way. */
const storesNothing = `{
  const refuse = () => { throw new DOMException("denied", "SecurityError"); };
  for (const name of ["localStorage", "sessionStorage", "indexedDB"]) Object.defineProperty(window, name, { get: refuse });
  LockManager.prototype.request = () => Promise.reject(new DOMException("denied", "SecurityError"));
}`;
const copiesNothing = `Clipboard.prototype.writeText = () => Promise.reject(new DOMException("denied", "NotAllowedError"))`;

describe.skipIf(!hasBrowser)("a text that is edited and not saved", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("is found again in a browser that gives pages no storage and no locks", async () => {
    const project = await startProject({ "a.md": "one\n" });
    const { page, complaints } = await startTab(browser, project.home, { before: storesNothing });
    await page.getByRole("link", { name: "Projects", exact: true }).click();
    await page.getByRole("link", { name: /Show the files/ }).click();
    await page.getByRole("link", { name: "a.md" }).click();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await box(page).fill("typed\n");
    await status(page, "It is kept on this device.");
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    await page.goBack();
    await page.getByText("and have not saved it").waitFor();
    expect(await box(page).inputValue()).toBe("typed\n");
    expect(complaints).toEqual([]);
  });

  it("says why the device does not keep it, and the browser asks before the tab is closed", async () => {
    const project = await startProject({ "a.md": "one\n" });
    const folder = join(project.home.store.dataFolder, "device", "console", "drafts");
    mkdirSync(folder, { recursive: true });
    for (let n = 0; n < 500; n++) writeFileSync(join(folder, `${String(n).padStart(22, "A")}.json`), "{}");
    const { page } = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(page).fill("typed\n");
    await status(page, "Not saved, and this device cannot keep it: copy the text before you close this tab.");
    await status(page, "Too many texts are kept unsaved already");
    expect(await page.getByText("The device does not answer").count()).toBe(0);
    expect(await asksBeforeReload(page)).toBe(true);
  });

  it("says that it could not be copied, and no longer that it was once it is another", async () => {
    const project = await startProject({ "a.md": "one\n" });
    const refusing = await startTab(browser, project.home, { path: pathTo(project, "a.md"), before: copiesNothing });
    await refusing.page.getByRole("button", { name: "Copy the text" }).click();
    await refusing.page.getByText("The browser does not let this page copy.").waitFor();
    const { page } = await startTab(browser, project.home, {
      path: pathTo(project, "a.md"),
      before: "Clipboard.prototype.writeText = () => Promise.resolve()",
    });
    await page.getByRole("button", { name: "Copy the text" }).click();
    await status(page, "Copied.");
    await box(page).fill("another\n");
    await status(page, "It is kept on this device.");
    expect(await page.locator(".editor [role=status]").textContent()).not.toContain("Copied.");
  });

  it("P2: of a conflict Ctrl+S saves what is made of it, where that has the focus, and never the draft over it", async () => {
    const project = await startProject({ "a.md": "one\ntwo\n" });
    const { page } = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(page).fill("one\n2 mine\n");
    writeFileSync(join(project.folder.root, "a.md"), "one\n2 theirs\n");
    await box(page).press("Control+s");
    await page.getByRole("heading", { name: "The file has changed meanwhile" }).waitFor();
    await box(page).fill("one\n2 of both\n");
    // Whoever wrote meanwhile has taken it back: the draft could be saved, and what was made by hand were gone.
    writeFileSync(join(project.folder.root, "a.md"), "one\ntwo\n");
    await page.getByRole("button", { name: /Language$/ }).focus();
    expect(await keyIsTaken(page, "Control+s")).toBe(true);
    await drawn(page);
    expect([onDisk(project, "a.md"), await box(page).inputValue()]).toEqual(["one\ntwo\n", "one\n2 of both\n"]);
    writeFileSync(join(project.folder.root, "a.md"), "one\n2 theirs\n");
    await box(page).press("Control+s");
    await status(page, /^Saved\./);
    expect(onDisk(project, "a.md")).toBe("one\n2 of both\n");
  });
});
