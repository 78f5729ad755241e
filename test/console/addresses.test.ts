import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntity, removeEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { loaded, startBrowser, violationsOn } from "./browser-page.ts";
import { startConsole, startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("an address that nobody has made", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it.each([
    ["/nonsense", "de", "Keine solche Seite", "Zum Überblick"],
    ["/items/one/two", "fr", "Page inconnue", "Vers l’aperçu"],
  ])("is no page: %s is told so in %s, with a way back", async (path, locale, title, back) => {
    const home = await startConsole();
    const { page, complaints } = await startTab(browser, home, { path, locale });
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("link", { name: back }).click();
    await page.waitForURL(`${home.served.origin}/`);
    expect(complaints).toEqual([]);
  });

  it.each([
    ["/items/nope", "There is no such proposal on this device."],
    ["/projects/nope", "There is no such project"],
    ["/scouts/nope", "There is no such scout"],
    ["/work/tasks/zzz", "Nothing was ever kept under this address"],
    ["/work/things/zzz", "Nothing was ever kept under this address"],
  ])("%s is told as what is not there, and nothing is offered to be brought back", async (path, said) => {
    const home = await startConsole();
    const { page } = await startTab(browser, home, { path });
    await page.getByText(said).waitFor();
    expect(await page.getByText(/not valid|What you typed/).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Bring it back" }).count()).toBe(0);
  });

  it("of what was deleted it is said, and it can be brought back", async () => {
    const home = await startConsole();
    const { id } = addEntity(home.store, "task", { title: "Answer Ada" }, 1);
    removeEntity(home.store, "task", id);
    const { page } = await startTab(browser, home, { path: `/work/tasks/${id}` });
    await page.getByText("It was deleted, here or elsewhere").waitFor();
    await page.getByRole("button", { name: "Bring it back" }).click();
    await page.getByRole("heading", { name: "Answer Ada" }).waitFor();
  });

  it.each([
    ["/inbox?status=bogus&why=foo&scout=bar&unheard=of", "/inbox", "2 wait"],
    ["/inbox?by=attention&priority=whenever", "/inbox?by=attention", "2 wait"],
    ["/work/tasks?status=bogus&project=none&x=1", "/work/tasks", "Nothing is to be done"],
  ])("%s says no more than what is shown: %s", async (path, shown, said) => {
    const home = await startConsole();
    const { page } = await startTab(browser, home, { path });
    await page.getByText(said).first().waitFor();
    await page.waitForURL(`${home.served.origin}${shown}`);
    const other = await page.locator("main").textContent();
    expect(other).not.toMatch(/why\.|status\.|bogus|not valid/);
  });

  it("of a day that no calendar has today is shown", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home, { path: "/work/calendar?day=2026-02-31&view=week" });
    await loaded(page);
    await page.waitForURL(`${home.served.origin}/work/calendar?view=week`);
    expect(await page.locator('[aria-selected="true"]').getAttribute("class")).toContain("is-today");
  });

  it("keeps what means something, every filter of the inbox", async () => {
    const home = await startConsole();
    const { scoutId } = makeProposal(1);
    const project = home.store.projects.add("Garden").id;
    const path = `/inbox?status=snoozed&scout=${scoutId}&why=account_or_security&category=unprocessed&priority=none&project=${project}&by=attention`;
    const { page } = await startTab(browser, home, { path });
    await page.getByRole("button", { name: "About one of your accounts or its security (0) Why" }).waitFor();
    await page.getByRole("button", { name: "Garden (0) Project" }).waitFor();
    expect(page.url()).toBe(`${home.served.origin}${path}`);
  });
});
