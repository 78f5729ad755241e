import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { asksBeforeReload, drawn, holdAnswer, intercept, startBrowser } from "./browser-page.ts";
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

  it("P2: what is typed while a save meets what somebody else has written is part of the conflict, and kept", async () => {
    const project = await startProject({ "a.md": "one\ntwo\n" });
    const { page } = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    await box(page).fill("one\n2 mine\n");
    writeFileSync(join(project.folder.root, "a.md"), "one\n2 theirs\n");
    const refused = await holdAnswer(page, "/save", "POST");
    await box(page).press("Control+s");
    await refused.answered;
    await box(page).fill("one\n2 mine\n3 typed since\n");
    await refused.letGo();
    await page.getByRole("heading", { name: "The file has changed meanwhile" }).waitFor();
    expect(await box(page).inputValue()).toBe("one\n2 theirs\n2 mine\n3 typed since\n");
    await page.reload();
    await page.getByText("and have not saved it").waitFor();
    expect(await box(page).inputValue()).toBe("one\n2 mine\n3 typed since\n");
  });

  it("P2: is not forgotten by the browser when the device has kept an earlier text, and does not answer since", async () => {
    const project = await startProject({ "a.md": "one\n" });
    const { page } = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    const [isKept, isLetGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isFirst = true;
    await intercept(page, "**/api/edits/drafts/*", async (route) => {
      if (!isFirst) return route.abort();
      isFirst = false;
      const response = await route.fetch();
      isKept.resolve();
      await isLetGo.promise;
      return route.fulfill({ response });
    });
    await box(page).fill("earlier\n");
    await isKept.promise;
    await box(page).fill("later\n");
    await status(page, "this browser keeps it");
    const heard = page.waitForResponse((response) => response.url().includes("/drafts/"));
    isLetGo.resolve();
    await heard;
    await drawn(page);
    await page.unrouteAll();
    await page.reload();
    await page.getByText("and have not saved it").waitFor();
    expect(await box(page).inputValue()).toBe("later\n");
  });

  it("P2: is kept as it was typed last, also while an earlier text of it was being kept", async () => {
    const project = await startProject({ "a.md": "one\n" });
    const { page } = await startTab(browser, project.home, { path: pathTo(project, "a.md") });
    const isPut = (request: Request) => request.method() === "PUT" && request.url().includes("/drafts/");
    const [isKept, isLetGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await intercept(page, "**/api/edits/drafts/*", async (route) => {
      const response = await route.fetch();
      isKept.resolve();
      await isLetGo.promise;
      return route.fulfill({ response });
    });
    await box(page).fill("earlier\n");
    await isKept.promise;
    const later = page.waitForRequest(isPut);
    await box(page).fill("later\n");
    isLetGo.resolve();
    await (await later).response();
    await page.reload();
    await page.getByText("and have not saved it").waitFor();
    expect(await box(page).inputValue()).toBe("later\n");
  });
});
