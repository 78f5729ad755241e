import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textBlocks } from "../../device/console/page/item/text-blocks.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { startBrowser, violationsOn } from "./browser-page.ts";
import { startConsole, startTab } from "./setting.ts";

const table = `Item                  Pieces      Price                  In all
Pump                       2      24.00                   48.00
A long garden hose         1     119.90                  119.90`;
const letter = `Dear Ada,\nhere it is.\n\n${table}\n\nBest regards,\nBob`;

describe("a letter's tables", () => {
  it("are told from what else is in it", () => {
    expect(textBlocks(letter)).toEqual([
      { isTable: false, text: "Dear Ada,\nhere it is." },
      { isTable: true, text: table },
      { isTable: false, text: "Best regards,\nBob" },
    ]);
  });

  it.each([
    ["strokes", "+-----+----+\n| a   | b  |\n+-----+----+", true],
    ["a list of two columns", "Monday    8:00\nTuesday   9:00", true],
    ["two blanks behind sentences", "It rains.  We stay.\nDo you come?  Say so.", false],
    ["lines that are set in", "  One\n  Two\n  Three", false],
    ["one such line among many", "Dear Ada,\nthe pump   is here.\nSo is the hose.\nBob", false],
    ["a line of strokes below a title", "Offer\n-----\nof the week", false],
  ])("%s", (_, text, isTable) => {
    expect(textBlocks(text)).toEqual([{ isTable, text }]);
  });

  it("a letter without any is one, as it was", () => {
    expect(textBlocks("One\n\nTwo\nThree\n\nFour")).toEqual([{ isTable: false, text: "One\n\nTwo\nThree\n\nFour" }]);
  });

  it("a hundred thousand lines are looked at in a moment", () => {
    expect(textBlocks(`${"a  ".repeat(60_000)}\n${" ".repeat(90_000)}x\n`.repeat(2)).length).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasBrowser)("a letter on its page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("shows its tables in letters of one width, each line in one, and stays within a narrow window", async () => {
    const home = await startConsole({ held: [makeProposal(1)], proposals: [], text: () => letter });
    const { id } = makeProposal(1);
    const { page } = await startTab(browser, home, { path: `/items/${id}`, width: 360 });
    const shown = page.getByRole("region", { name: "Table" });
    await shown.waitFor();
    const look = "getComputedStyle(document.querySelector('.item-table pre'))";
    expect(await page.evaluate(`${look}.fontFamily`)).toContain("monospace");
    expect(await page.evaluate(`${look}.whiteSpace`)).toBe("pre");
    expect(await shown.textContent()).toBe(table);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await shown.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.evaluate("document.querySelector('.item-table').scrollLeft")).toBeGreaterThan(0);
    expect(await violationsOn(page)).toEqual([]);
  });
});
