import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { holdAnswer, intercept, startBrowser } from "./browser-page.ts";
import { addFeed, startConsoleOnHome } from "./real-home.ts";
import { startConsole, startTab } from "./setting.ts";

/** Every form with something to type and send that is no draft, by the page it stands on: label of a field, and what is typed. */
const forms = (scout: string, project: string): readonly (readonly [path: string, label: string, typed: string])[] => [
  [`/scouts/${scout}`, "Name", "All news"],
  [`/scouts/${scout}`, "Purpose", "Only what is decided about our street."],
  [`/scouts/${scout}`, "Sender's address", "offers@shop.example"],
  ["/scouts/add?source=feed", "Web address", "https://example.org/street.xml"],
  [`/projects/${project}`, "Name", "The garden"],
  [`/projects/${project}`, "Folder", "/home/ada/garden"],
  ["/projects", "Name", "Roof"],
  ["/work/tasks", "New task", "Ring Ada"],
  ["/work/notes", "New note", "Ada likes quinces"],
  ["/work/calendar", "New event", "Lunch with Ada"],
  ["/usage", "Price of a million tokens", "3.75"],
];

describe.skipIf(!hasBrowser)("what is typed into a form", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  const boxOf = (page: Page, label: string) => page.getByRole("textbox", { name: label, exact: true });

  it("is there to be copied when the sign-in of its tab ends, in every form", async () => {
    const home = await startConsoleOnHome();
    const scout = await addFeed(home, await home.token(), "News");
    const { id } = home.store.projects.add("Garden");
    for (const [path, label, typed] of forms(scout, id)) {
      const { page } = await startTab(browser, home, { path });
      await boxOf(page, label).fill(typed);
      const json = { error: { code: "unauthenticated", message: "This tab is not signed in." } };
      await intercept(page, "**/api/**", (route) => route.fulfill({ status: 401, json }));
      await page.getByRole("link", { name: "Inbox", exact: true }).click();
      await page.getByRole("heading", { name: "This tab is not signed in" }).waitFor();
      const unsent = page.getByLabel("Not sent, and nowhere but in this tab");
      await expect.poll(() => unsent.inputValue(), { message: `${path} ${label}` }).toBe(typed);
    }
  });

  it("P2: is forgotten once it was sent, also where its page is gone by then, and what was typed since stays", async () => {
    const home = await startConsole({ proposals: [] });
    const { page } = await startTab(browser, home, { path: "/work/tasks" });
    const box = boxOf(page, "New task");
    const first = await holdAnswer(page, "/api/work/tasks");
    await box.fill("Ring Ada");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await first.answered;
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    await first.letGo();
    await page.getByRole("link", { name: "Work", exact: true }).click();
    await page.getByRole("link", { name: "Ring Ada", exact: true }).waitFor();
    expect(await box.inputValue()).toBe("");
    const second = await holdAnswer(page, "/api/work/tasks");
    await box.fill("Write to Bob");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await second.answered;
    await box.fill("Water the beds");
    await second.letGo();
    await page.getByRole("link", { name: "Write to Bob", exact: true }).waitFor();
    expect(await box.inputValue()).toBe("Water the beds");
    expect(home.store.work.task.list().map(({ title }) => title)).toEqual(["Ring Ada", "Write to Bob"]);
  });

  it("P2: stays in a note, a task or an event that is being saved, where it was typed meanwhile", async () => {
    const home = await startConsole({ proposals: [] });
    const { id } = addEntity(home.store, "note", { title: "Quinces", markdown: "one" }, 1);
    const { page } = await startTab(browser, home, { path: `/work/notes/${id}` });
    const isLetGo = Promise.withResolvers<void>();
    await intercept(page, "**/api/work/notes/**", async (route) => {
      if (route.request().method() !== "PATCH") return route.continue();
      const response = await route.fetch();
      await isLetGo.promise;
      return route.fulfill({ response });
    });
    await boxOf(page, "Text").fill("one\ntwo");
    const save = page.getByRole("button", { name: "Save", exact: true });
    const asked = page.waitForRequest((request) => request.method() === "PATCH");
    await save.click();
    await asked;
    await boxOf(page, "Text").fill("one\ntwo\nthree");
    await boxOf(page, "Title").fill("Quince jelly");
    isLetGo.resolve();
    await expect.poll(() => save.isEnabled()).toBe(true);
    expect(await boxOf(page, "Text").inputValue()).toBe("one\ntwo\nthree");
    await save.click();
    await page.getByText("Saved.").waitFor();
    expect(home.store.work.note.list()).toMatchObject([{ title: "Quince jelly", markdown: "one\ntwo\nthree" }]);
  });
});
