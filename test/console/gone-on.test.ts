import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { temporaryFolder } from "../device/setting.ts";
import { drawn, holdAnswer, loaded, startBrowser } from "./browser-page.ts";
import { addFeed, type RealHome, startConsoleOnHome } from "./real-home.ts";
import { startTab } from "./setting.ts";

interface Asked {
  /** The page one asks on. */
  readonly path: string;
  /** What is asked for, which the device takes its time for. */
  readonly request: readonly [method: string, path: string];
  ask(page: Page): Promise<void>;
  /** Whether it was done. */
  isDone(): boolean | Promise<boolean>;
}

const removed = async (page: Page, button: string) => {
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: button, exact: true }).click();
};

/** What leads to another page once it is done, with all that it needs. */
const asked: Readonly<Record<string, (home: RealHome) => Asked | Promise<Asked>>> = {
  "a project is made": ({ store }) => ({
    path: "/projects",
    request: ["POST", "/api/projects"],
    async ask(page) {
      await page.getByLabel("Name", { exact: true }).fill("Garden");
      await page.getByRole("button", { name: "Make the project" }).click();
    },
    isDone: () => store.projects.list().length === 1,
  }),
  "a folder is linked": ({ store }) => ({
    path: "/projects",
    request: ["POST", "/api/folders"],
    async ask(page) {
      await page.getByLabel("Folder", { exact: true }).fill(temporaryFolder());
      await page.getByRole("button", { name: "Link the folder" }).click();
    },
    isDone: () => store.projects.list().length === 1,
  }),
  "a project is removed": ({ store }) => {
    const { id } = store.projects.add("Garden");
    return {
      path: `/projects/${id}`,
      request: ["DELETE", `/api/projects/${id}`],
      ask: (page) => removed(page, "Remove the project"),
      isDone: () => store.projects.list().length === 0,
    };
  },
  "a note is removed": ({ store }) => {
    const { id } = addEntity(store, "note", { title: "Beds" }, 1);
    return {
      path: `/work/notes/${id}`,
      request: ["DELETE", `/api/work/notes/${id}`],
      ask: (page) => page.getByRole("button", { name: "Delete" }).click(),
      isDone: () => store.work.note.list().length === 0,
    };
  },
  "an answer is forgotten": ({ store }) => {
    const { id } = store.answers.add({ follows: null, projectId: null, question: "Who?", answer: "Ada.", files: [] });
    return {
      path: `/ask/${id}`,
      request: ["DELETE", `/api/ask/conversations/${id}`],
      ask: (page) => removed(page, "Forget"),
      isDone: () => store.answers.list().length === 0,
    };
  },
  "a source is reached": ({ feeds }) => ({
    path: "/scouts/add?source=feed",
    request: ["POST", "/api/sources/check"],
    async ask(page) {
      await page.getByLabel("Web address").fill(feeds.feedUrl());
      await page.getByRole("button", { name: "Next" }).click();
    },
    isDone: () => true,
  }),
  "a scout is removed": async (home) => {
    const token = await home.token();
    const id = await addFeed(home, token, "News");
    return {
      path: `/scouts/${id}`,
      request: ["DELETE", `/api/scouts/${id}`],
      ask: (page) => removed(page, "Remove"),
      async isDone() {
        const answer = await home.ask("GET", `/api/scouts/${id}`, { token });
        return answer.status === 404;
      },
    };
  },
};

describe.skipIf(!hasBrowser)("who has gone on stays there, whatever was asked for before", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it.for(Object.entries(asked))("%s", async ([, begin]) => {
    const home = await startConsoleOnHome();
    const { path, request, ask, isDone } = await begin(home);
    const { page } = await startTab(browser, home, { path });
    await loaded(page);
    const answer = await holdAnswer(page, request[1], request[0]);
    await ask(page);
    await answer.answered;
    await page.getByRole("link", { name: "Dismissed" }).click();
    await page.waitForURL("**/dismissed");
    await loaded(page);
    const steps = await page.evaluate("history.length");
    await answer.letGo();
    // What comes of the answer is asked for in a few steps, each of which draws the page.
    for (let times = 0; times < 10; times += 1) await drawn(page);
    expect(new URL(page.url()).pathname).toBe("/dismissed");
    expect(await page.evaluate("history.length")).toBe(steps);
    expect(await isDone()).toBe(true);
  });
});
