import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { drawn, intercept, startBrowser } from "./browser-page.ts";
import { scoutId } from "./console-home.ts";
import { changedByAgent, startProject } from "./project-home.ts";
import { startConsole, startTab } from "./setting.ts";

/** As the device answers what has failed. */
const failure = {
  status: 503,
  json: { error: { code: "source_unavailable", message: "The source does not answer: try again later." } },
};

describe.skipIf(!hasBrowser)("of several things that are asked for at once, each that fails says so", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("what is taken back of spam, while the next one is taken back as well", async () => {
    const dismissed = ["one", "two"].map((ref) => ({ ref, subject: `Offer ${ref}` }));
    const home = await startConsole({ dismissed });
    const { page } = await startTab(browser, home, { path: "/dismissed" });
    const [asked, isLetGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await intercept(page, `**/api/dismissed/${scoutId}.one/restore`, async (route) => {
      asked.resolve();
      await isLetGo.promise;
      await route.fulfill(failure);
    });
    await page.getByRole("button", { name: "Take back: Offer one" }).click();
    await asked.promise;
    await page.getByRole("button", { name: "Take back: Offer two" }).click();
    await page.getByText("Taken back, and on its way to the inbox: Offer two").waitFor();
    isLetGo.resolve();
    const row = page.getByRole("listitem").filter({ hasText: "Offer one" });
    await row.getByRole("alert").getByText("The source does not answer").waitFor();
    expect(home.restored).toEqual(["two"]);
  });

  it("more of what was dismissed: what is shown already stays", async () => {
    const home = await startConsole({ dismissed: [{ ref: "one", subject: "Offer one" }] });
    const { page } = await startTab(browser, home, { path: "/inbox" });
    let answers = 0;
    await intercept(page, "**/api/dismissed?*", async (route) => {
      if (!route.request().url().includes("cursor=")) {
        const answer = await route.fetch();
        return route.fulfill({ response: answer, json: { ...(await answer.json()), nextCursor: "more" } });
      }
      answers += 1;
      const last = { items: [], nextCursor: null };
      return route.fulfill(answers === 1 ? { ...failure, status: 500 } : { json: last });
    });
    await page.getByRole("link", { name: "Dismissed" }).click();
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByRole("alert").getByText("The source does not answer").waitFor();
    expect(await page.getByRole("heading", { name: "Offer one" }).count()).toBe(1);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    expect(answers).toBe(2);
  });

  it("more of an audit trail: it is asked for once, and again when its person says so", async () => {
    const held = await startProject({ "beds.md": "Tomatoes\n" });
    await changedByAgent(held, "beds.md", "Peas\n");
    const { page } = await startTab(browser, held.home, { path: "/inbox" });
    let more = 0;
    await intercept(page, "**/api/activity/trails/page", async (route) => {
      const { places } = route.request().postDataJSON();
      if (Object.keys(places).length === 0) {
        const answer = await route.fetch();
        return route.fulfill({ response: answer, json: { ...(await answer.json()), next: { [held.id]: 9 } } });
      }
      more += 1;
      return route.fulfill(more === 1 ? { ...failure, status: 500 } : { json: { records: [], next: null } });
    });
    await page.getByRole("link", { name: "Activity" }).click();
    await page.getByRole("tab", { name: "Audit trail" }).click();
    await page.getByRole("alert").getByText("The source does not answer").waitFor();
    for (let times = 0; times < 20; times += 1) await drawn(page);
    expect(more).toBe(1);
    expect(await page.getByText("Write a file").count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    expect(more).toBe(2);
  });

  it("a task of a project that could not be ended, while the next one is ended as well", async () => {
    const home = await startConsole({ proposals: [] });
    const { id: project } = home.store.projects.add("Garden");
    const [first] = ["Dig", "Water"].map((title) => addEntity(home.store, "task", { title, projectId: project }, 1).id);
    const { page } = await startTab(browser, home, { path: `/projects/${project}/tasks` });
    const [asked, isLetGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await intercept(page, `**/api/projects/${project}/tasks/${first}/status`, async (route) => {
      asked.resolve();
      await isLetGo.promise;
      await route.fulfill(failure);
    });
    await page.getByText("Dig").click();
    await asked.promise;
    await page.getByText("Water").click();
    await page.getByRole("checkbox", { name: "Water", checked: true }).waitFor();
    isLetGo.resolve();
    const row = page.getByRole("listitem").filter({ hasText: "Dig" });
    await row.getByRole("alert").getByText("The source does not answer").waitFor();
    expect(await page.getByRole("checkbox", { name: "Dig" }).isChecked()).toBe(false);
  });
});
