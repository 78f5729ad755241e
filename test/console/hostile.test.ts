import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dateText, line, lines, senderOf, webLink } from "../../device/console/page/app/shown-text.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { startBrowser, violationsOn } from "./browser-page.ts";
import { startConsole, startTab } from "./setting.ts";

const markup = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
const loading = `<img src="https://tracker.example/p.gif"><link rel=stylesheet href="//tracker.example/a.css">`;
const family = "👩‍👩‍👧";

/** What strangers write where a subject, a sender, a file name or a reason stands. */
const hostile = [
  markup,
  loading,
  "invoice \u202Efdp.exe\u202C \u200Bhidden",
  "W".repeat(100_000),
  "Z\u0335".concat("\u0335".repeat(5_000)),
  "\u200B\u2060\uFEFF\u00AD\u3164",
  `${family.repeat(2_000)}`,
  "{{subject}} $t(card.approve) %s",
  "\u0000\u001b[2J\r\nsecond line",
];

describe("a stranger's text in one line", () => {
  it("turns nothing around it, hides nothing, heaps nothing up, and is short", () => {
    expect(line("invoice \u202Efdp.exe\u202C \u200Bhidden")).toBe("invoice fdp.exe hidden");
    expect(line("a\u{E0041}\u{E007F}b\u00ADc\u3164d")).toBe("a b c d");
    expect(line("\u200B\u2060\uFEFF\u00AD\u3164")).toBe("");
    expect(line(`Z${"\u0335".repeat(5_000)}`)).toHaveLength(5);
    expect(line("W".repeat(100_000))).toHaveLength(301);
    expect(lines(`one\r\n\u202Etwo\u202C\tthree${"\u0335".repeat(50)}`)).toBe(`one\r\ntwo\tthree${"\u0335".repeat(4)}`);
  });

  it("keeps what languages and emoji are written with, and cuts no character in half", () => {
    expect(line("Crêpes à Noël: Ελλάδα, العربية, हिन्दी, ไทย, 한국어")).toBe(
      "Crêpes à Noël: Ελλάδα, العربية, हिन्दी, ไทย, 한국어",
    );
    expect(line(`${family} ❤️`)).toBe(`${family} ❤️`);
    for (const text of [line("😀".repeat(1_000)), line(`a${"😀".repeat(1_000)}`)])
      expect(text.isWellFormed()).toBe(true);
  });

  it("names its sender by the address where the name pretends to be one, and links to the web only", () => {
    expect(senderOf({ sender: { name: "boss@bank.example", address: "x@evil.example" } })).toBe("x@evil.example");
    expect(webLink("javascript:alert(1)")).toBeUndefined();
    expect(webLink("data:text/html,x")).toBeUndefined();
    expect(webLink("https://mail.example/1")).toBe("https://mail.example/1");
    expect(dateText(0, "en")).toContain("1970");
  });
});

describe.skipIf(!hasBrowser)("hostile mail in the console", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  const written = (text: string, n: number) =>
    makeProposal(n, {
      rawSubject: text,
      rawSnippet: text,
      reason: text.slice(0, 200),
      metadata: {
        sender: { name: text.slice(0, 200), address: text.slice(0, 320) },
        sentAt: n % 2 === 0 ? 8.64e15 : -8.64e15,
        relation: "bulk",
        automatic: true,
        listId: text.slice(0, 200),
        threadRef: "one-conversation",
        attachments: [{ name: text.slice(0, 200), sizeBytes: Number.MAX_SAFE_INTEGER }],
        sourceLink: "javascript:document.title='taken'",
      },
    });

  it.each([320, 1_440])(
    "is text on every page, breaks none of them, and nothing is loaded for it (%s px)",
    async (width) => {
      const held = hostile.map(written);
      // A message of the cloud's is no longer than that; a longer text comes in parts.
      const text = `Here it begins\n${hostile.map((each) => each.slice(0, 20_000)).join("\n")}`;
      const dismissed = hostile.map((subject, n) => ({ ref: `m${n}`, subject }));
      const home = await startConsole({ proposals: [], held, dismissed, text: () => text });
      const { page, complaints } = await startTab(browser, home, { width });
      const foreign: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(home.served.origin)) foreign.push(request.url());
      });
      const isWhole = async () => {
        expect(await page.locator("main img, main script, main b, main link, main a[href^='javascript']").count()).toBe(
          0,
        );
        expect(await page.title()).not.toContain("taken");
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      };
      await page.getByRole("link", { name: markup }).waitFor();
      await page.getByRole("link", { name: "invoice fdp.exe hidden" }).waitFor();
      await page.getByRole("link", { name: "(no subject)" }).waitFor();
      await isWhole();
      expect(await violationsOn(page)).toEqual([]);
      await page.goto(`${home.served.origin}/dismissed`);
      await page.getByRole("heading", { name: markup }).waitFor();
      await isWhole();
      expect(await violationsOn(page)).toEqual([]);
      for (const n of hostile.keys()) {
        await page.goto(`${home.served.origin}/items/${makeProposal(n).id}`);
        await page.getByText("Here it begins").waitFor();
        await page.getByText("9 seen on this device").waitFor();
        await isWhole();
      }
      expect(await violationsOn(page)).toEqual([]);
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});
