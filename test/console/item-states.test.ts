import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newFrameId } from "../../device/store/decide.ts";
import { type ClosedReason, closedReasons } from "../../device/store/schema.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { addEntity, removeEntity } from "../../device/work/change-entities.ts";
import { mergeIntoTask } from "../../device/work/decide-into.ts";
import { hasBrowser } from "../browser.ts";
import { startBrowser, violationsOn } from "./browser-page.ts";
import { dayMs, startDrafted } from "./drafted-home.ts";
import { languages, speak, wordsIn } from "./languages.ts";
import { startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("a proposal says how it stands", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("snoozed: until when, on its row and its page, and the notice too; it is shown again from either", async () => {
    const home = await startDrafted([{}, {}, {}]);
    const untilMs = Date.now() + 3 * dayMs;
    const { page, complaints } = await startTab(browser, home);
    // The browser and this process have one clock, and the device another zone.
    const when = (ms: number) =>
      new Intl.DateTimeFormat("en", {
        ...({ weekday: "short", day: "numeric", month: "short", year: "numeric" } as const),
        ...({ hour: "numeric", minute: "2-digit" } as const),
      }).format(ms);
    await page.getByRole("link", { name: "Subject 3" }).focus();
    await page.keyboard.press("s");
    expect(await page.getByRole("button", { name: "Show again now" }).count()).toBe(0);
    await page.getByLabel("Until", { exact: true }).fill(new Date(untilMs).toISOString().slice(0, 10));
    await page.getByLabel("Until", { exact: true }).press("Enter");
    await expect.poll(() => home.store.proposals.find(home.idOf(3))?.snoozedUntil).not.toBeNull();
    const until3 = home.store.proposals.find(home.idOf(3))?.snoozedUntil ?? 0;
    await page.getByText(`Snoozed until ${when(until3)}: Subject 3`).waitFor();
    for (const n of [1, 2]) home.store.proposals.snooze(home.idOf(n), untilMs);
    await page.goto(`${home.served.origin}/inbox?status=snoozed`);
    await expect.poll(() => page.getByText(`Snoozed until ${when(untilMs)}.`).count()).toBe(2);
    await page.getByText(`Snoozed until ${when(until3)}.`).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("button", { name: "More: Subject 3" }).press("Enter");
    await page.getByRole("menuitem", { name: "Show again now" }).press("Enter");
    await page.getByText("Shown again: Subject 3").waitFor();
    await page.getByText("2 found").waitFor();
    await page.getByRole("checkbox", { name: "Choose: Subject 2" }).press(" ");
    await page.getByRole("button", { name: "Show again now" }).press("Enter");
    await page.getByText("1 found").waitFor();
    await page.getByRole("link", { name: "Subject 1" }).press("Enter");
    await page.getByText(`Snoozed until ${when(untilMs)}.`).waitFor();
    await page.getByRole("button", { name: "Show again now" }).press("Enter");
    await page.getByRole("button", { name: "Show again now" }).waitFor({ state: "detached" });
    expect(home.store.proposals.list().map(({ snoozedUntil }) => snoozedUntil)).toEqual([null, null, null]);
    // What is not snoozed has nothing to be shown again.
    await page.getByRole("button", { name: "More" }).press("Enter");
    await page.getByRole("menuitem", { name: "Snooze" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Show again now" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("a snooze that is refused says so at its field, of each try alone, and its dialog stays", async () => {
    const home = await startDrafted([{}, {}]);
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 2" }).focus();
    await page.keyboard.press("s");
    const until = page.getByLabel("Until", { exact: true });
    const dialog = page.getByRole("dialog");
    await until.fill("soonish");
    await until.press("Enter");
    await dialog.getByText("soonish is not understood as a date.").waitFor();
    await until.fill("2020-01-01");
    await until.press("Enter");
    await dialog.getByText("That time is past.").waitFor();
    expect(await dialog.getByText("soonish").count()).toBe(0);
    await expect.poll(() => until.getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByText("That did not work").count()).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
    home.store.proposals.close(home.idOf(2), { reason: "gone" });
    await dialog.getByRole("button", { name: "Tomorrow" }).press("Enter");
    await dialog.getByText("The proposal is closed already").waitFor();
    await expect.poll(() => until.getAttribute("aria-invalid")).toBeNull();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("what it became is said as it is: merged into a task, or deleted since", async () => {
    const home = await startDrafted([{}, {}]);
    const times = { nowMs: Date.now(), notBefore: Date.now() + dayMs };
    const ring = addEntity(home.store, "task", { title: "Ring Ada" }, 1);
    mergeIntoTask(home.store, home.idOf(1), ring.id, times, () => newFrameId(systemTimeAndIds.newId));
    const { page } = await startTab(browser, home, { path: `/items/${home.idOf(1)}` });
    await page.getByText("Merged into a task: Ring Ada").waitFor();
    removeEntity(home.store, "task", ring.id);
    await page.reload();
    await page.getByRole("link", { name: "deleted since" }).press("Enter");
    await page.getByRole("button", { name: "Bring it back" }).waitFor();
  });

  it("closed: why, in every language, on its row and its page", async () => {
    const home = await startDrafted(closedReasons.map(() => ({})));
    const reasonOf = (n: number): ClosedReason => closedReasons[n - 1] ?? "gone";
    for (const n of closedReasons.keys()) {
      home.store.proposals.close(home.idOf(n + 1), { reason: reasonOf(n + 1), round: 1 });
    }
    const { page } = await startTab(browser, home, { path: "/inbox?status=expired" });
    const token = await home.token();
    for (const language of languages) {
      await speak(home.served.origin, token, page, language);
      for (const reason of closedReasons) {
        await page
          .getByText(wordsIn(language)(`closedBecause.${reason}`))
          .first()
          .scrollIntoViewIfNeeded();
      }
    }
    await speak(home.served.origin, token, page, "en");
    for (const [n, reason] of closedReasons.entries()) {
      await page.goto(`${home.served.origin}/items/${home.idOf(n + 1)}`);
      await page.getByText(`This is closed. ${wordsIn("en")(`closedBecause.${reason}`)}`).waitFor();
    }
  });

  it("of a removed scout: its text is asked of nobody, and nothing is offered that cannot work", async () => {
    const home = await startDrafted([{}, {}]);
    home.store.proposals.decide(home.idOf(1), "approved");
    home.store.proposals.closeWith(home.store.proposals.find(home.idOf(1))?.scoutId as never);
    const { page, complaints } = await startTab(browser, home, { path: `/items/${home.idOf(2)}` });
    await page.getByText("This is closed. Its scout was removed.").waitFor();
    await page.getByText("Its text cannot be read any more.").waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.goto(`${home.served.origin}/items/${home.idOf(1)}`);
    await page
      .getByText("Its scout was removed, so its text cannot be read here any more: look for it at its source.")
      .waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    expect(home.cloud.framesOf("scout_item_request")).toEqual([]);
  });

  it("there is no Try again for what is not there", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home, { path: `/items/${home.idOf(9)}` });
    await page.getByText("There is no such proposal on this device.").waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });
});
