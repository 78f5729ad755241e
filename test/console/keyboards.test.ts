import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { startBrowser } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { stopNow } from "./focus.ts";
import { pressForeign } from "./keyboards.ts";
import { startProject } from "./project-home.ts";
import { startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("keys", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("act by their place on a keyboard whose letters are others: Cyrillic, Greek, Hebrew", async () => {
    const home = await startDrafted([{}, {}, {}]);
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 3" }).focus();
    await pressForeign(page, { key: "о", code: "KeyJ" });
    await expect.poll(() => stopNow(page)).toBe("link Subject 2");
    await pressForeign(page, { key: "ξ", code: "KeyJ" });
    await expect.poll(() => stopNow(page)).toBe("link Subject 1");
    await pressForeign(page, { key: "ל", code: "KeyK" });
    await expect.poll(() => stopNow(page)).toBe("link Subject 2");
  });

  it("act by their letter where it is a Latin one, wherever it is, and not by what Alt Gr makes of them", async () => {
    const home = await startDrafted([{}, {}, {}]);
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 3" }).focus();
    // Polish Alt Gr, and Dvorak: where others have an a and an r.
    expect(await pressForeign(page, { key: "ą", code: "KeyA" })).toBe(false);
    expect(await pressForeign(page, { key: "p", code: "KeyR" })).toBe(false);
    await pressForeign(page, { key: "j", code: "KeyC" });
    await expect.poll(() => stopNow(page)).toBe("link Subject 2");
    expect(home.store.proposals.counts()).toMatchObject({ pending: 3 });
  });

  it("Ctrl+S saves a text on such a keyboard, and also where a list has the focus: the browser's own dialog does not open", async () => {
    const project = await startProject({ "a.md": "one\n" });
    const path = `/projects/${project.id}/files/${project.numberOf("a.md")}?view=edit`;
    const { page } = await startTab(browser, project.home, { path });
    const saved = page.locator(".editor [role=status]", { hasText: /^Saved\./ });
    await page.locator("textarea").fill("two\n");
    expect(await pressForeign(page, { key: "ы", code: "KeyS", isCtrl: true })).toBe(true);
    await saved.waitFor();
    await page.locator("textarea").fill("three\n");
    await page.getByRole("button", { name: /Language$/ }).focus();
    expect(await pressForeign(page, { key: "s", code: "KeyS", isCtrl: true })).toBe(true);
    await saved.waitFor();
  });

  it("Ctrl+Z takes the last decision back, also where single keys do nothing, and on another page; where one types it is the text's", async () => {
    const home = await startDrafted([{}, {}, {}]);
    const { page } = await startTab(browser, home, { before: "localStorage.setItem('scouts.keys', 'off')" });
    const pending = () => home.store.proposals.counts().pending;
    await page.getByRole("button", { name: "Reject: Subject 3" }).press("Enter");
    await page.getByText("Rejected: Subject 3").waitFor();
    await page.getByRole("searchbox").first().focus();
    await page.keyboard.press("Control+z");
    await page.getByRole("link", { name: "Subject 2" }).focus();
    expect(pending()).toBe(2);
    await page.keyboard.press("Control+z");
    await page.getByText("Taken back: Subject 3").waitFor();
    await expect.poll(pending).toBe(3);
    await page.getByRole("button", { name: "Reject: Subject 3" }).press("Enter");
    await page.getByText("Rejected: Subject 3").waitFor();
    await page.getByRole("link", { name: "Settings" }).press("Enter");
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    expect(await pressForeign(page, { key: "я", code: "KeyZ", isCtrl: true })).toBe(true);
    await expect.poll(pending).toBe(3);
  });

  it("F6 leads from a row to what was just done, and back to the row, also when that was taken back", async () => {
    const home = await startDrafted([{}, {}, {}]);
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 3" }).focus();
    await page.keyboard.press("r");
    await page.getByText("Rejected: Subject 3").waitFor();
    await expect.poll(() => stopNow(page)).toBe("link Subject 2");
    await page.keyboard.press("F6");
    await expect.poll(() => stopNow(page)).toBe("button Undo");
    await page.keyboard.press("F6");
    await expect.poll(() => stopNow(page)).toBe("link Subject 2");
    await page.keyboard.press("F6");
    await page.keyboard.press("Enter");
    await page.getByText("Taken back: Subject 3").waitFor();
    await expect.poll(() => stopNow(page)).toBe("link Subject 2");
    expect(home.store.proposals.counts()).toMatchObject({ pending: 3 });
  });

  it("each page has a title of its own, which names its room and nothing that is in it", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home);
    const titles: string[] = [];
    for (const name of ["Brief", "Inbox", "Search", "Settings"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      titles.push(await page.title());
    }
    expect(titles).toEqual(["Brief · Scouts", "Inbox · Scouts", "Search · Scouts", "Settings · Scouts"]);
    await page.goto(`${home.served.origin}/items/${home.idOf(1)}`);
    await page.getByRole("heading", { name: "Subject 1", level: 1 }).waitFor();
    expect(await page.title()).toBe("Inbox · Scouts");
  });
});
