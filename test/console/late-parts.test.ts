import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { drawn, holdAnswer, intercept, startBrowser, violationsOn } from "./browser-page.ts";
import { startConsole, startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("a page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("says of one part of it that is never answered, beside others that are, that it is waited for, and until it is there", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.clock.install();
    const isLetGo = Promise.withResolvers<void>();
    await intercept(page, "**/conversation", async (route) => {
      await isLetGo.promise;
      await route.continue();
    });
    await page.getByRole("link", { name: "Subject 2" }).click();
    await page.getByText("The whole text of").waitFor();
    const told = page.getByText("A part of this page is still waited for");
    expect(await told.count()).toBe(0);
    await page.clock.fastForward(10_000);
    await told.waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // It is nothing of another page.
    await page.getByRole("link", { name: "Back to the inbox" }).click();
    await told.waitFor({ state: "detached" });
    await page.goBack();
    await page.clock.fastForward(10_000);
    await told.waitFor();
    isLetGo.resolve();
    await told.waitFor({ state: "detached" });
  });

  it("does not stand under the address of another whose file is on its way", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    const isLetGo = Promise.withResolvers<void>();
    await intercept(page, "**/assets/settings-page-*.js", async (route) => {
      await isLetGo.promise;
      await route.continue();
    });
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("main").getByText("Loading").waitFor();
    expect(await page.getByRole("heading", { name: "Inbox", level: 1 }).count()).toBe(0);
    isLetGo.resolve();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  });

  it("says nothing of a look that rightly takes a while, at a mail server or a whole disk, before a minute is over", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home, { path: "/settings" });
    const measure = page.getByRole("button", { name: "Measure again" });
    await page.getByText("Free on its disk").waitFor();
    await page.clock.install();
    const [isAsked, isLetGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await intercept(page, "**/api/data", async (route) => {
      isAsked.resolve();
      await isLetGo.promise;
      await route.continue();
    });
    await measure.click();
    await isAsked.promise;
    const told = page.getByText("A part of this page is still waited for");
    await page.clock.fastForward(30_000);
    await drawn(page);
    expect(await told.count()).toBe(0);
    await page.clock.fastForward(31_000);
    await told.waitFor();
    isLetGo.resolve();
    await told.waitFor({ state: "detached" });
  });

  it("says it once where it stands, and not above the page as well", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.clock.install();
    const [isAsked, isLetGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await intercept(page, "**/api/items/**", async (route) => {
      isAsked.resolve();
      await isLetGo.promise;
      await route.continue();
    });
    await page.getByRole("link", { name: "Subject 2" }).click();
    await isAsked.promise;
    await page.getByText("Loading…", { exact: true }).waitFor();
    await page.clock.fastForward(11_000);
    await page.getByText("This takes long").waitFor();
    const told = page.getByText("A part of this page is still waited for");
    await told.waitFor({ state: "attached" });
    expect(await told.isVisible()).toBe(false);
    isLetGo.resolve();
    await page.getByText("The whole text of").waitFor();
  });

  it("says of what its person has asked for, and the device has not answered, that it is waited for", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home, { path: "/work/notes" });
    await page.getByRole("textbox", { name: "New note" }).fill("Beds");
    await page.clock.install();
    const answer = await holdAnswer(page, "/api/work/notes", "POST");
    await page.getByRole("button", { name: "Add" }).click();
    await answer.answered;
    const told = page.getByRole("status").getByText("What you asked for has not been answered yet");
    await page.clock.fastForward(9_000);
    await drawn(page);
    expect(await told.count()).toBe(0);
    await page.clock.fastForward(1_000);
    await told.waitFor();
    await answer.letGo();
    await page.getByRole("link", { name: "Beds" }).waitFor();
    await told.waitFor({ state: "detached" });
  });

  it.each([
    ["its file", "**/assets/settings-page-*.js", "Settings"],
    ["what it shows", "**/api/projects", "Projects"],
    ["a part of it", "**/conversation", "Subject 2"],
  ])("that the device does not give %s to says once that it does not answer", async (_, of, link) => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    for (const each of [of, "**/api/events*"]) await page.route(each, (route) => route.abort());
    await page.getByRole("link", { name: link, exact: true }).click();
    const said = page.getByText("The device does not answer.");
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor();
    // As long as the device is heard, the page says it where it could not be shown.
    await expect.poll(() => said.filter({ visible: true }).count()).toBe(1);
    expect(await page.locator(".notices").getByText("The device").count()).toBe(0);
    await home.served.close();
    await page.locator(".notices").getByText("The device does not answer.").waitFor();
    await expect.poll(() => said.filter({ visible: true }).count()).toBe(1);
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor();
  });
});
