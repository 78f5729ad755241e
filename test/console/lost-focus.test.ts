import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { holdAnswer, intercept, startBrowser } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { stopNow } from "./focus.ts";
import { addFeed, startConsoleOnHome } from "./real-home.ts";
import { startConsole, startTab } from "./setting.ts";

const pages = fileURLToPath(new URL("../../device/console/page/", import.meta.url));

it("who disables a button has that of form/button.tsx, which keeps the focus", () => {
  const disabling = globSync("**/*.tsx", { cwd: pages, exclude: ["dist/**", "form/button.tsx"] }).filter((file) =>
    /<Button\b[^>]*\b(isDisabled|isPending)\b/.test(readFileSync(`${pages}${file}`, "utf8")),
  );
  const others = disabling.filter((file) =>
    /import \{[^}]*\bButton\b[^}]*\} from "react-aria-components"/.test(readFileSync(`${pages}${file}`, "utf8")),
  );
  expect(disabling.length).toBeGreaterThan(20);
  expect(others).toEqual([]);
});

describe.skipIf(!hasBrowser)("the focus is somebody's, whatever happens to a button that was pressed", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  const dialog = (page: Page) => page.getByRole("dialog");

  it("of the draft's dialog whose date is refused: Escape closes it", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 1" }).focus();
    await page.keyboard.press("e");
    await page.getByLabel("Due", { exact: true }).fill("2026-02-30");
    await dialog(page).getByRole("button", { name: "Approve" }).press("Enter");
    await dialog(page).getByText("2026-02-30 is not a day of the calendar").waitFor();
    expect(await stopNow(page)).toBe("button Approve");
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
  });

  it("of a task whose date is refused, and that is saved then; what is pressed twice meanwhile is done once", async () => {
    const home = await startConsole({ proposals: [] });
    const { id } = addEntity(home.store, "task", { title: "Answer Ada" }, 1);
    const { page } = await startTab(browser, home, { path: `/work/tasks/${id}` });
    const save = page.getByRole("button", { name: "Save" });
    await page.getByLabel("Due", { exact: true }).fill("2026-02-30");
    await save.press("Enter");
    await page.getByText("2026-02-30 is not a day of the calendar").waitFor();
    expect(await stopNow(page)).toBe("button Save");
    await page.getByLabel("Due", { exact: true }).fill("2026-02-27");
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "PATCH" && sent.push(request.url()));
    const answer = await holdAnswer(page, `/api/work/tasks/${id}?revision=1`);
    await save.press("Enter");
    await answer.answered;
    await page.keyboard.press("Enter");
    await page.keyboard.press(" ");
    await answer.letGo();
    await page.getByText("Saved.").waitFor();
    // There is nothing more to save: it may not be pressed, and has the focus until that goes on.
    expect(await stopNow(page)).toBe("button Save");
    expect(await save.isDisabled()).toBe(true);
    expect(sent).toHaveLength(1);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    expect(await stopNow(page)).not.toBe("button Save");
  });

  it("of a new task, that Enter in its field adds once while the device is slow", async () => {
    const home = await startConsole({ proposals: [] });
    const { page } = await startTab(browser, home, { path: "/work/notes" });
    const field = page.getByRole("textbox", { name: "New note" });
    await field.fill("Beds");
    const answer = await holdAnswer(page, "/api/work/notes");
    await page.getByRole("button", { name: "Add" }).press("Enter");
    await answer.answered;
    await field.press("Enter");
    await answer.letGo();
    await page.getByRole("link", { name: "Beds" }).waitFor();
    expect(home.store.work.note.list()).toHaveLength(1);
  });

  it("P2: what is asked for twice by a key that is pressed at once again is done once, however busy the page is", async () => {
    const home = await startConsole({ proposals: [] });
    // What a page puts off until it has time comes late.
    const before =
      "const later = setTimeout; window.setTimeout = (what, ms = 0, ...rest) => later(what, ms + 500, ...rest);";
    const { page } = await startTab(browser, home, { path: "/work/notes", before });
    await page.getByRole("textbox", { name: "New note" }).fill("Beds");
    const answer = await holdAnswer(page, "/api/work/notes");
    const add = page.getByRole("button", { name: "Add" });
    await add.press("Enter");
    await add.press("Enter");
    await answer.letGo();
    await page.getByRole("link", { name: "Beds" }).first().waitFor();
    expect(home.store.work.note.list()).toHaveLength(1);
  });

  it("of a scout that is paused and goes on, and of one whose removal fails", async () => {
    const home = await startConsoleOnHome();
    const id = await addFeed(home, await home.token(), "News");
    const { page } = await startTab(browser, home, { path: `/scouts/${id}` });
    await page.getByRole("button", { name: "Pause" }).press("Enter");
    await page.getByText("paused").waitFor();
    expect(await stopNow(page)).toBe("button Resume");
    await page.keyboard.press("Enter");
    await page.getByText("watching").waitFor();
    expect(await stopNow(page)).toBe("button Pause");
    // The scout is asked for anew after the failure; were that refused too, the page would say it twice.
    await intercept(page, `**/api/scouts/${id}`, (route) =>
      route.request().method() === "DELETE"
        ? route.fulfill({
            status: 500,
            json: { error: { code: "internal", message: "Something unexpected went wrong." } },
          })
        : route.fallback(),
    );
    await page.getByRole("button", { name: "Remove" }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).press("Enter");
    await page.getByText("Something unexpected went wrong.").waitFor();
    await expect.poll(() => stopNow(page)).toBe("button Remove");
  });

  it("of a source that cannot be added", async () => {
    const home = await startConsoleOnHome();
    const { page } = await startTab(browser, home, { path: "/scouts/add" });
    await page.getByRole("button", { name: /^locked/ }).press("Enter");
    await page.getByLabel("Server").fill("safe.example");
    await page.getByLabel("Password").fill("swordfish");
    await page.getByRole("button", { name: "Next" }).press("Enter");
    await page.getByRole("button", { name: "Add and look" }).press("Enter");
    await page.getByText("The source does not accept this user and secret").waitFor();
    // It is said where it is typed, on the step before.
    await expect.poll(() => stopNow(page)).toBe("group Add a source");
  });

  it.each([
    ["approved", ["Approve"]],
    ["snoozed", ["Snooze", /^Tomorrow/]],
  ] as const)("of the only hit of a search that is %s on its page: Tab goes on in the inbox", async (_, buttons) => {
    const home = await startDrafted([{}, {}]);
    const { page } = await startTab(browser, home);
    await page.getByRole("searchbox").fill("Subject 1");
    await page.getByText("1 found").waitFor();
    await page.getByRole("link", { name: "Subject 1" }).press("Enter");
    await page.getByRole("heading", { name: "Subject 1", level: 1 }).waitFor();
    for (const name of buttons) await page.getByRole("button", { name }).press("Enter");
    await page.getByText("Nothing was found").waitFor();
    await expect.poll(() => stopNow(page)).toBe("main ");
    await page.keyboard.press("Tab");
    expect(await stopNow(page)).toBe("searchbox Search");
  });

  it.each(["/inbox", "/", "item"])(
    "of a dialog that a menu on %s has opened: closed, it is on that menu's button",
    async (path) => {
      const home = await startDrafted([{}, {}, {}]);
      const { page } = await startTab(browser, home, { path: path === "item" ? `/items/${home.idOf(2)}` : path });
      const more = page.getByRole("button", { name: path === "item" ? "More" : "More: Subject 2", exact: true });
      for (const [item, close] of [
        ["Edit", "Save the draft"],
        ["Snooze", "Escape"],
        ["Merge into a task", "Cancel"],
      ] as const) {
        await more.press("Enter");
        await page.getByRole("menuitem", { name: item, exact: true }).press("Enter");
        await dialog(page).waitFor();
        if (close === "Escape") await page.keyboard.press(close);
        else await dialog(page).getByRole("button", { name: close }).press("Enter");
        await dialog(page).waitFor({ state: "detached" });
        await expect
          .poll(() => stopNow(page), { message: item })
          .toBe(`button ${path === "item" ? "More" : "More: Subject 2"}`);
      }
      // What is done with it is none of that: the focus goes on to the next one, or to the list.
      await more.press("Enter");
      await page.getByRole("menuitem", { name: "Snooze", exact: true }).press("Enter");
      await page.getByRole("button", { name: /^Tomorrow/ }).press("Enter");
      await expect.poll(() => stopNow(page)).toBe(path === "item" ? "main " : "link Subject 1");
    },
  );

  it("of the last one that waits, and of the button that takes it back", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home);
    await page.getByRole("button", { name: "Approve: Subject 1" }).press("Enter");
    await page.getByText("Nothing waits for you").waitFor();
    await expect.poll(() => stopNow(page)).toBeDefined();
    await page.keyboard.press("Tab");
    expect(await stopNow(page)).toBe("searchbox Search");
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await page.getByRole("link", { name: "Subject 1" }).waitFor();
    await expect.poll(() => stopNow(page)).toBe("link Subject 1");
  });
});
