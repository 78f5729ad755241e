import { readFileSync } from "node:fs";
import ical from "node-ical";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DeviceError } from "../../device/errors.ts";
import { addEntity, editEntity, removeEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { rounds } from "../rounds.ts";
import { holdAnswer, intercept, loaded, startBrowser } from "./browser-page.ts";
import { stopNow } from "./focus.ts";
import { startConsole, startTab } from "./setting.ts";

const markup = `<img src=x onerror="document.title='taken'"> \u202egnp <script>document.title='taken'</script>`;

describe.skipIf(!hasBrowser)("work in a browser, by keyboard", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  const type = async (page: Page, label: string, text: string) => {
    await page.getByRole("textbox", { name: label, exact: true }).focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(text);
  };

  it("adds a task by words, ends it, takes that back, opens and changes it", async () => {
    const home = await startConsole({ proposals: [] });
    addEntity(home.store, "task", { title: markup, note: markup }, 1);
    const { page, complaints } = await startTab(browser, home, { path: "/work" });
    await page.getByText("1 task").waitFor();
    await page.keyboard.press("n");
    await page.keyboard.type("Answer Ada");
    await page.keyboard.press("Tab");
    await page.keyboard.type("the other day");
    await page.keyboard.press("Enter");
    await page.getByText("is not understood as a date").waitFor();
    const due = page.getByRole("textbox", { name: "Due", exact: true });
    expect([await due.getAttribute("aria-invalid"), await due.inputValue()]).toEqual(["true", "the other day"]);
    // Said once, at its field.
    expect(await page.getByRole("alert").count()).toBe(1);
    await type(page, "Due", "2031-01-15 17:00");
    await page.keyboard.press("Enter");
    await page.getByText("2 tasks").waitFor();
    expect(home.store.work.task.list()).toContainEqual(
      expect.objectContaining({ title: "Answer Ada", due: expect.stringMatching(/^2031-01-1[456]T/) }),
    );
    // Adding goes on where one types.
    await expect.poll(() => stopNow(page)).toBe("textbox New task");
    await page.getByRole("checkbox", { name: "Done: Answer Ada" }).focus();
    await page.keyboard.press("Space");
    await page.getByText("1 task").waitFor();
    expect(home.store.work.task.list().filter(({ status }) => status === "done")).toHaveLength(1);
    await page.getByRole("status").getByText("Done:").waitFor();
    await page.keyboard.press("u");
    await page.getByText("2 tasks").waitFor();

    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("k");
    await expect.poll(() => stopNow(page)).toBe("link Answer Ada");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Answer Ada" }).waitFor();
    await type(page, "Note", "by phone");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByText("Saved.").waitFor();
    expect(home.store.work.task.list()).toContainEqual(expect.objectContaining({ note: "by phone" }));
    await page.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByText("Deleted:").waitFor();
    await page.keyboard.press("u");
    await page.getByRole("link", { name: "Answer Ada" }).waitFor();
    expect(await page.title()).not.toContain("taken");
    // The browser notes what the device refused, and that what was deleted is gone.
    expect(complaints.filter((each) => !each.startsWith("Failed to load resource"))).toEqual([]);
    expect(home.problems).toEqual([]);
  });

  it("P2: takes back what it says it takes back, once, and not what was done to it since", async () => {
    const home = await startConsole({ proposals: [] });
    const { id } = addEntity(home.store, "task", { title: "Paint" }, 1);
    editEntity(home.store, "task", id, { title: "Paint the door" }, 2);
    const { page } = await startTab(browser, home, { path: "/work" });
    const now = () => home.store.work.task.find(id);
    const box = page.getByRole("status");
    await page.getByRole("checkbox", { name: "Done: Paint the door" }).focus();
    await page.keyboard.press("Space");
    await box.getByText("Done:").waitFor();
    editEntity(home.store, "task", id, { note: "blue" }, 3);
    const undo = await holdAnswer(page, `/api/work/tasks/${id}/undo`);
    await page.keyboard.press("u");
    await undo.answered;
    await page.keyboard.press("u");
    await undo.letGo();
    await page.getByText("1 task").waitFor();
    await expect.poll(() => box.getByText("Done:").count()).toBe(0);
    expect(now()).toMatchObject({ status: "open", note: "blue", title: "Paint the door" });
    expect(home.store.entityChanges.of(id).filter(({ undoes }) => undoes !== null)).toHaveLength(1);
  });

  it("two tabs: the later one is told what it is now and chooses; a draft outlives a full disk, another page and a deletion", async () => {
    const home = await startConsole({ proposals: [] });
    const { id } = addEntity(home.store, "note", { title: "Walls", markdown: "White" }, 1);
    const { page } = await startTab(browser, home, { path: `/work/notes/${id}` });
    const saved = () => home.store.work.note.find(id);
    const save = page.getByRole("button", { name: "Save" });
    await type(page, "Text", "Green");
    editEntity(home.store, "note", id, { markdown: "Blue", title: "All walls" }, 2);
    await page.getByRole("alert").getByText("Blue").waitFor();
    await expect.poll(() => save.isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Go on with mine" }).press("Enter");

    const full = vi.spyOn(home.store.entityChanges, "add").mockImplementation(() => {
      throw new DeviceError("store_full");
    });
    await save.press("Enter");
    await page.getByRole("alert").getByText("no space left").waitFor();
    expect(saved()?.markdown).toBe("Blue");
    full.mockRestore();
    await page.getByRole("link", { name: "All notes" }).press("Enter");
    await page.getByRole("link", { name: "All walls" }).press("Enter");
    await expect.poll(() => page.getByLabel("Text", { exact: true }).inputValue()).toBe("Green");

    removeEntity(home.store, "note", id);
    await page.getByRole("heading", { name: "There is no such thing" }).waitFor();
    await page.getByRole("button", { name: "Bring it back" }).press("Enter");
    await expect.poll(() => page.getByLabel("Text", { exact: true }).inputValue()).toBe("Green");
    await save.press("Enter");
    await page.getByText("Saved.").waitFor();
    expect(saved()).toMatchObject({ title: "All walls", markdown: "Green" });
    // What only others have changed is taken without a word.
    editEntity(home.store, "note", id, { title: "Every wall" }, 3);
    await expect.poll(() => page.getByLabel("Title", { exact: true }).inputValue()).toBe("Every wall");
    expect(home.problems).toEqual([]);
  });

  it("goes on to the next task's box when one leaves the list, and says in its row why one could not be ended", async () => {
    const home = await startConsole({ proposals: [] });
    for (const title of ["One", "Two", "Three"]) addEntity(home.store, "task", { title }, 1);
    const { page } = await startTab(browser, home, { path: "/work/tasks" });
    await page.getByRole("checkbox", { name: "Done: Two" }).focus();
    await page.keyboard.press("Space");
    await page.getByText("2 tasks").waitFor();
    await expect.poll(() => stopNow(page)).toBe("checkbox Done: Three");
    // The last one: there is one before it.
    await page.keyboard.press("Space");
    await page.getByText("1 task", { exact: true }).waitFor();
    await expect.poll(() => stopNow(page)).toBe("checkbox Done: One");
    await intercept(page, "**/api/work/tasks/*/done", (route) =>
      route.fulfill({ status: 507, json: { error: { code: "store_full", message: "There is no space left." } } }),
    );
    await page.keyboard.press("Space");
    await page.getByRole("listitem").getByRole("alert").getByText("There is no space left.").waitFor();
    expect(await page.getByRole("checkbox", { name: "Done: One" }).isChecked()).toBe(false);
  });

  it("goes through the calendar with the arrow keys, over the end of a month, and puts something on a day", async () => {
    const home = await startConsole({ proposals: [] });
    const zone = "UTC";
    addEntity(
      home.store,
      "event",
      { title: markup, start: "2026-11-30T10:00:00", end: "2026-12-02T09:00:00", zone },
      1,
    );
    addEntity(home.store, "event", { title: "Fair", start: "2026-11-30", end: "2026-12-03", isAllDay: true }, 1);
    const { page, complaints } = await startTab(browser, home, { path: "/work/calendar" });
    await page.goto(`${home.served.origin}/work/calendar?day=2026-11-29`);
    await loaded(page);
    const cell = () => page.evaluate("document.activeElement.dataset.day");
    await page.getByRole("gridcell", { selected: true }).focus();
    for (const [key, day] of [
      ["ArrowRight", "2026-11-30"],
      ["ArrowRight", "2026-12-01"],
      ["PageUp", "2026-11-01"],
      ["ArrowDown", "2026-11-08"],
      ["End", "2026-11-14"],
      ["Home", "2026-11-08"],
      ["Shift+PageDown", "2027-11-08"],
      ["Shift+PageUp", "2026-11-08"],
      ["PageDown", "2026-12-08"],
      ["ArrowUp", "2026-12-01"],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(cell, { message: key }).toBe(day);
    }
    await page.getByRole("gridcell", { name: /^Tuesday, December 1, 2026, 2 events/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Council");
    await page.keyboard.press("Tab");
    await page.keyboard.press("End");
    await page.keyboard.type(" 17:00");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Council" }).last().waitFor();
    expect(home.store.work.event.list()).toContainEqual(
      expect.objectContaining({ title: "Council", start: "2026-12-01T17:00:00", end: "2026-12-01T18:00:00" }),
    );
    await type(page, "New event", "Choir");
    await type(page, "Start", "2027-02-05 19:00");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("Added on another day:").waitFor();
    await page.getByRole("link", { name: "Friday, February 5, 2027" }).press("Enter");
    await page.getByRole("heading", { name: "Friday, February 5, 2027" }).waitFor();
    await page.getByRole("link", { name: "Choir" }).last().waitFor();
    expect(await page.getByText("Added on another day").count()).toBe(0);
    await page.goBack();

    await page.goto(`${home.served.origin}/work/calendar?day=2026-12-01&view=week`);
    await page.getByRole("gridcell", { selected: true }).focus();
    await page.keyboard.press("PageDown");
    await expect.poll(cell).toBe("2026-12-08");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export (.ics)" }).press("Enter");
    const given = await download;
    expect(given.suggestedFilename()).toBe("Calendar.ics");
    const read = Object.values(ical.sync.parseICS(readFileSync(await given.path(), "utf8")));
    expect(read.filter((each) => each?.type === "VEVENT")).toHaveLength(4);
    expect(complaints).toEqual([]);
    expect(home.problems).toEqual([]);
  });

  it("takes tasks of a file in UTF-8 or UTF-16, and says of others what helps: their letters would be lost", async () => {
    const home = await startConsole({ proposals: [] });
    const { page } = await startTab(browser, home, { path: "/work" });
    const choose = (buffer: Buffer) =>
      page.getByLabel("Take from a file").last().setInputFiles({ name: "tasks.txt", mimeType: "text/plain", buffer });
    await choose(Buffer.from("Grüße an Jörg\n", "latin1"));
    await page.getByRole("alert").getByText("no text in UTF-8").waitFor();
    expect(home.store.work.task.list()).toEqual([]);
    await choose(Buffer.from("\ufeffGrüße an Jörg\n"));
    await page.getByText("1 task").waitFor();
    await choose(Buffer.from("\ufeffGrüße an Zoë\n", "utf16le"));
    await page.getByText("2 tasks").waitFor();
    const titles = home.store.work.task.list().map(({ title }) => title);
    expect(titles.toSorted()).toEqual(["Grüße an Jörg", "Grüße an Zoë"]);
  });

  it("says how often an event takes place in the page's own language, and not as a calendar file writes it", async () => {
    const home = await startConsole({ proposals: [] });
    const times = { start: "2026-11-27T17:00:00", end: "2026-11-27T18:00:00", zone: "Europe/Berlin" };
    const recurrence = ["RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"];
    const { id } = addEntity(home.store, "event", { title: "Choir", ...times, recurrence }, 1);
    const { page } = await startTab(browser, home, { path: `/work/events/${id}`, locale: "de-DE" });
    const facts = page.locator("section[aria-labelledby=facts]");
    await facts.waitFor();
    expect(await facts.textContent()).toContain("alle 2 Wochen am Freitag");
    expect(await facts.textContent()).not.toContain("FREQ");
  });

  it("begins weeks as the language does, and holds of many thousand events what is seen", async () => {
    const eventsADay = rounds(1_000);
    const home = await startConsole({ proposals: [] });
    home.store.transaction(() => {
      for (let n = 0; n < 30 * eventsADay; n++) {
        const day = `2026-11-${String(1 + (n % 30)).padStart(2, "0")}`;
        const times = { start: `${day}T10:00:00`, end: `${day}T11:00:00`, zone: "UTC", isAllDay: false };
        const row = { id: `evt_${String(n).padStart(26, "0")}`, uid: `u${n}`, title: `Event ${n}`, ...times };
        const more = { place: "", people: [], note: "", status: "confirmed" as const, recurrenceId: "", sequence: 0 };
        const last = { stampedAt: null, recurrence: [], sourceSuggestionId: null, createdAt: 1, updatedAt: 1 };
        home.store.work.event.put({ ...row, ...more, ...last });
      }
    });
    const { page } = await startTab(browser, home, { path: "/work/calendar", locale: "de-DE" });
    await page.goto(`${home.served.origin}/work/calendar?day=2026-11-15`);
    await page
      .getByRole("gridcell", { name: new RegExp(`15\\. November 2026, ${eventsADay.toLocaleString("de-DE")} Termine`) })
      .waitFor();
    expect(await page.getByRole("columnheader").first().textContent()).toBe("Mo");
    await page.getByRole("link", { name: "Event 14", exact: true }).last().waitFor();
    expect(Number(await page.evaluate("document.querySelectorAll('*').length"))).toBeLessThan(1_500);
  });
});
