import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decideProposal, newFrameId } from "../../device/store/decide.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { addEntity, editEntity, removeEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { holdAnswer, intercept, startBrowser } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { startConsole, startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("nothing is done twice by who presses a button twice while a device is slow", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("a note that was taken away is brought back as it was, and what was done to it before stays", async () => {
    const home = await startConsole({ proposals: [] });
    const { store } = home;
    const { id } = addEntity(store, "note", { title: "Beds" }, 1);
    editEntity(store, "note", id, { title: "North beds" }, 2);
    removeEntity(store, "note", id);
    const { page } = await startTab(browser, home, { path: `/work/notes/${id}` });
    const answer = await holdAnswer(page, `/api/work/notes/${id}/undo`, "POST");
    const bring = page.getByRole("button", { name: "Bring it back" });
    await bring.press("Enter");
    await answer.answered;
    // The page may have heard of it by its events, and the button be gone: whoever presses twice presses all the same.
    await page.keyboard.press("Enter");
    await answer.letGo();
    await page.getByRole("heading", { name: "beds", level: 1 }).waitFor();
    expect(store.work.note.list()).toMatchObject([{ title: "North beds" }]);
  });

  it("a decision that is taken back on its item's page is not said to have failed", async () => {
    const home = await startDrafted([{}]);
    const id = home.idOf(1);
    decideProposal(home.store, id, "rejected", () => newFrameId(systemTimeAndIds.newId));
    home.device.sendOutbox();
    await expect.poll(() => home.cloud.resolved.get(id)).toBe("rejected");
    const { page } = await startTab(browser, home, { path: `/items/${id}` });
    const isLetGo = Promise.withResolvers<void>();
    let asked = 0;
    await intercept(page, "**/decision", async (route) => {
      asked += 1;
      await isLetGo.promise;
      await route.continue();
    });
    const undo = page.getByRole("button", { name: "Undo", exact: true });
    await undo.press("Enter");
    await undo.press("Enter");
    isLetGo.resolve();
    await page.getByText("Open again, here and on your other devices: Subject 1").waitFor();
    expect(asked).toBe(1);
    expect(await page.getByText("That did not work").count()).toBe(0);
  });
});
