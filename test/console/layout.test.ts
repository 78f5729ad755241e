import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { linkedFolder } from "../device/scanner/setting.ts";
import { drawn, holdAnswer, loaded, startBrowser } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { languages } from "./languages.ts";
import { startProject } from "./project-home.ts";
import { addFeed, startConsoleOnHome } from "./real-home.ts";
import { startConsole, startTab } from "./setting.ts";

const boxOf = async (page: Page, place: string) => {
  const box = await page.locator(place).first().boundingBox();
  if (box === null) throw new Error(`${place} is not shown`);
  return box;
};

/** What each says, and where it begins. */
const placesOf = (shown: Locator) =>
  shown.evaluateAll((all) =>
    all.map((each) => [each.textContent ?? "", Math.round(each.getBoundingClientRect().top)] as const),
  );

/** The hint of the one box that has one, where it is longer than the box. */
const tooLongHint = `{
  const box = document.querySelector("input[placeholder]");
  const { paddingLeft, paddingRight } = getComputedStyle(box);
  const text = document.createElement("span");
  text.style.cssText = "position: absolute; white-space: nowrap";
  text.style.font = getComputedStyle(box, "::placeholder").font;
  text.textContent = box.placeholder;
  document.body.append(text);
  const { width } = text.getBoundingClientRect();
  text.remove();
  width > box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) ? box.placeholder : "";
}`;

describe.skipIf(!hasBrowser)("how a page is laid out", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("shows the hint of a search whole at 320 px, in every language", async () => {
    const home = await startConsole();
    const cut: string[] = [];
    for (const locale of languages) {
      const { page, close } = await startTab(browser, home, { locale, width: 320, path: "/search" });
      for (const path of ["/search", "/inbox", "/work/notes"]) {
        await page.goto(`${home.served.origin}${path}`);
        const box = page.locator("input[placeholder]");
        await box.waitFor();
        const words = await page.evaluate(tooLongHint);
        if (words !== "") cut.push(`${locale} ${path}: ${words}`);
      }
      await close();
    }
    expect(cut).toEqual([]);
  });

  it("begins the history of a note below its heading, where all else begins", async () => {
    const home = await startConsole();
    const { id } = addEntity(home.store, "note", { title: "Board" }, 1);
    const { page } = await startTab(browser, home, { path: `/work/notes/${id}` });
    await page.getByRole("button", { name: "Undo: change 1" }).waitFor();
    expect((await boxOf(page, ".runs > li")).x).toBe((await boxOf(page, "#history")).x);
  });

  it("leaves no hole where something may be said and nothing is", async () => {
    const home = await startDrafted([{ priority: "now" }]);
    const { page } = await startTab(browser, home, { path: "/" });
    await loaded(page);
    await page.locator("main [role=status]:empty").first().waitFor({ state: "attached" });
    const [title, panel] = [await boxOf(page, "main h1"), await boxOf(page, "main .panel")];
    expect(panel.y - (title.y + title.height)).toBeLessThan(20);
  });

  it.each([
    ["/inbox", 1_000],
    ["/inbox", 320],
    ["/", 1_000],
    ["/", 320],
  ])(
    "of %s shows why a mail came, however long its sender's name and its subject are, at %i px",
    async (path, width) => {
      const metadata = {
        relation: "to",
        automatic: false,
        sentAt: Date.now(),
        sender: { name: "N".repeat(200), address: "n@example.org" },
      } as const;
      const held = [makeProposal(1, { rawSubject: "W".repeat(300), triagedAt: Date.now(), metadata })];
      const home = await startConsole({ proposals: [], held });
      const { page } = await startTab(browser, home, { width, path });
      const why = page.locator(".card-why");
      await why.waitFor();
      const [said, line] = [await why.boundingBox(), await page.locator(".card-about").boundingBox()];
      expect(said?.x).toBeLessThan((line?.x ?? 0) + (line?.width ?? 0) - 40);
      expect(said?.y).toBeLessThan((line?.y ?? 0) + (line?.height ?? 0) - 8);
      expect((await page.locator(".card").boundingBox())?.height).toBeLessThan(320);
      // The sender's name is whole where the item is.
      await page.locator(".card-text a").first().click();
      await page.getByText("N".repeat(200)).waitFor();
    },
  );

  it("moves nothing that is shown when a part comes later than others: a form stays under the fingers", async () => {
    const home = await startConsoleOnHome();
    const scout = await addFeed(home, await home.token(), "News");
    linkedFolder({ "a.md": "one" }, home.store);
    const { page } = await startTab(browser, home, { width: 390, path: "/settings" });
    for (const [path, late, last] of [
      [`/scouts/${scout}`, `/api/scouts/${scout}/health`, "Muted senders"],
      ["/usage", "/api/usage", "Stored results of tools"],
      ["/projects", "/api/projects", "Make a project without a folder"],
      ["/ask", "/api/ask", "Asked before"],
    ] as const) {
      // Held on a page that asks for nothing of it.
      await page.goto(`${home.served.origin}/nowhere`);
      const held = await holdAnswer(page, late);
      await page.goto(`${home.served.origin}${path}`);
      await held.answered;
      await page.locator("main h1").waitFor();
      await drawn(page);
      // Not the selects that browsers fill in for people.
      const shown = page.locator("main :is(h1, h2, label):not([aria-hidden=true] *):visible");
      const before = await placesOf(shown);
      await held.letGo();
      await page.getByRole("heading", { name: last }).waitFor();
      await loaded(page);
      await drawn(page);
      const after = new Map(await placesOf(shown));
      expect(
        before.filter(([name, top]) => after.get(name) !== top),
        path,
      ).toEqual([]);
    }
  });

  it("is as large as its person has set the letters of their browser, and each row holds what is in it", async () => {
    const { home, id } = await startProject({ "plan.md": "one\n", "a roof of tiles.md": "two\n" });
    home.deliver(makeProposal(1), makeProposal(2));
    for (const width of [390, 1_000]) {
      const { page } = await startTab(browser, home, { width, path: "/settings" });
      const session = await page.context().newCDPSession(page);
      await session.send("Page.enable");
      await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
      for (const [path, row] of [
        ["/inbox", ".row .card"],
        [`/projects/${id}/files`, ".file-row"],
      ] as const) {
        await page.goto(`${home.served.origin}${path}`);
        await loaded(page);
        await page.locator(row).first().waitFor();
        await drawn(page);
        expect(await page.evaluate("getComputedStyle(document.body).fontSize")).toBe("32px");
        const cut = await page.evaluate(`[...document.querySelectorAll("${row}")].flatMap((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return [...row.querySelectorAll("a, button, p, h2, span")].filter((each) => {
            const at = each.getBoundingClientRect();
            return at.height > 1 && (at.top < top - 5 || at.bottom > bottom + 1);
          }).map((each) => each.tagName + " " + each.textContent);
        })`);
        expect(cut, `${path} ${width}`).toEqual([]);
        expect(await page.evaluate("document.querySelector('.shell').scrollWidth"), path).toBeLessThanOrEqual(width);
        // And no row lies on the next.
        const tops = await page.locator(row).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
        const heights = await page.locator(row).evaluateAll((all) => all.map((each) => each.clientHeight));
        expect((tops[1] ?? 0) - (tops[0] ?? 0), path).toBeGreaterThanOrEqual(heights[0] ?? 0);
      }
    }
  });

  it("keeps what a row is called in sight, however far apart its person sets letters, lines and paragraphs (WCAG 1.4.12)", async () => {
    const home = await startDrafted([{}, {}]);
    const folder = linkedFolder({ "a.md": "one\n", "b.md": "two\n" }, home.store);
    home.store.localScouts.put(folder.project.id);
    folder.summarize(await folder.scan());
    for (const title of ["Ring Ada", "Water the beds"]) addEntity(home.store, "task", { title, due: "2026-11-27" }, 1);
    const { page } = await startTab(browser, home);
    const session = await page.context().newCDPSession(page);
    const cutOff = `[...document.querySelectorAll("[aria-posinset] a, .brief-card :is(h2, h3) a")].filter((link) => {
      const [at, row] = [link.getBoundingClientRect(), link.closest("[aria-posinset], .brief-card").getBoundingClientRect()];
      return at.top < row.top || at.bottom > row.bottom + 1;
    }).map(({ textContent }) => textContent)`;
    for (const path of ["/inbox", "/", "/work/tasks", `/projects/${folder.project.id}/files`]) {
      await page.goto(`${home.served.origin}${path}`);
      await loaded(page);
      await page.locator("[aria-posinset] a, .brief-card a").first().waitFor();
      const expression = `(() => {
        const own = new CSSStyleSheet();
        own.replaceSync("* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important } p { margin-bottom: 2em !important }");
        document.adoptedStyleSheets = [own];
      })()`;
      await session.send("Runtime.evaluate", { expression });
      for (const width of [1_000, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await drawn(page);
        expect(await page.evaluate(cutOff), `${path} ${width}`).toEqual([]);
      }
    }
  });

  it("names of the keys those alone that do something there", async () => {
    const home = await startDrafted([{ priority: "now" }]);
    const { page } = await startTab(browser, home, { path: "/" });
    for (const [name, count] of [
      ["Brief", 0],
      ["Inbox", 1],
    ] as const) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { name, exact: true }).waitFor();
      await page.getByRole("article").getByRole("link").first().focus();
      await page.keyboard.press("?");
      await page.getByRole("dialog").getByText("Edit, then approve").waitFor();
      expect(await page.getByRole("dialog").getByText("Choose with others").count()).toBe(count);
      await page.keyboard.press("Escape");
    }
  });

  it("names all pages in no more than two lines where a window is no phone's, in the longest language too", async () => {
    const home = await startDrafted([]);
    const { page } = await startTab(browser, home, { path: "/inbox", locale: "de", width: 1_000 });
    await loaded(page);
    const [link, bar] = [await boxOf(page, ".pages a"), await boxOf(page, ".bar")];
    expect(bar.height).toBeLessThan(3 * link.height);
  });

  it("parts what is said of a proposal before each of it, also where that is read from right to left", async () => {
    const home = await startDrafted([{ title: "\u0627\u062c\u062a\u0645\u0627\u0639" }]);
    const { page } = await startTab(browser, home);
    await page.locator(".card-draft bdi").waitFor();
    const parting = (place: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${place}"), "::before").content`);
    expect(await parting(".card-draft bdi")).toBe("none");
    expect(await parting(".card-draft > :last-child")).toContain("\u00b7");
  });
});
