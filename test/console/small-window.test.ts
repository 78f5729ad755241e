import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { whole } from "../rounds.ts";
import { drawn, loaded, startBrowser, violationsOn } from "./browser-page.ts";
import type { ConsoleHome } from "./console-home.ts";
import { startDrafted } from "./drafted-home.ts";
import { stopNow } from "./focus.ts";
import { languages } from "./languages.ts";
import { startProject } from "./project-home.ts";
import { startConsole, startTab } from "./setting.ts";

/** Phones, upright and on their side; a desktop's window at 200 % and at 400 %. */
const sizes = [
  [375, 667],
  [667, 375],
  [640, 400],
  [320, 256],
] as const;

/** Of what can be pressed, what a finger finds less than 40 px high, or wide, and what of it. */
const tooSmall = `(async () => {
  const found = [];
  for (const each of document.querySelectorAll("main :is(button, a, input:not([type=file], [type=hidden]), textarea, [role=gridcell]), .bar button")) {
    const { width, height } = each.getBoundingClientRect();
    if (width < 2 || height < 2 || each.closest(".unseen, select, [aria-hidden=true], [data-testid=hidden-select-container]")) continue;
    each.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const isHit = (dx, dy) => {
      const at = document.elementFromPoint(x + dx, y + dy);
      return at !== null && (each.contains(at) || (each.closest("label")?.contains(at) ?? false));
    };
    const extent = (dx, dy) => { let n = 0; while (n < 45 && isHit(dx * n, dy * n)) n += 1; return n; };
    const high = extent(0, 1) + extent(0, -1) - 1;
    if (high < 39) found.push(each.tagName + "." + each.className + " " + (each.textContent || each.ariaLabel) + ": " + high);
  }
  return found.slice(0, 5);
})()`;

/** Where on a page its content begins, which is what one came for. */
const contents: readonly (readonly [path: string, content: string])[] = [
  ["/", ".panel"],
  ["/inbox", ".row"],
  ["/dismissed", ".state, .dismissed-row"],
  ["/search", ".state"],
  ["/ask", ".ask-composer"],
  ["/work/tasks", ".work-group"],
  ["/work/calendar", ".day-cell"],
  ["/work/calendar?view=week", ".day-cell"],
  ["/work/notes", ".work-card"],
  ["/projects", ".projects article"],
  ["/scouts", "main .state, main article"],
  ["/scouts/add", ".kinds button, main .state"],
  ["/activity?view=runs", ".state"],
  ["/usage", "main .panel, main .state"],
  ["/settings", ".panel"],
];

describe.skipIf(!hasBrowser)("a small window", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function small(home: ConsoleHome, [width, height]: readonly [number, number], path = "/inbox", locale = "en") {
    const { page, complaints } = await startTab(browser, home, { width, locale, path: "/settings" });
    await page.setViewportSize({ width, height });
    await page.goto(`${home.served.origin}${path}`);
    await loaded(page);
    return { page, complaints };
  }

  const many = (count = 40) =>
    startConsole({ proposals: [], held: Array.from({ length: count }, (_, n) => makeProposal(n)) });

  /** What can be scrolled up and down, and holds more than it shows. */
  const scrolling = `[...document.querySelectorAll("*")]
    .filter((each) => each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY))
    .map((each) => each.className)`;
  const scrollTo = (page: Page, top: number) =>
    page.locator(".shell").evaluate((shell, to) => shell.scrollTo(0, to), top);

  it.each(whole ? sizes : [sizes[0], sizes[3]])(
    "of %i by %i is for what one came for, and one thing in it scrolls",
    async (...size) => {
      const home = await many();
      for (let n = 0; n < 40; n += 1) addEntity(home.store, "task", { title: `Task ${n}` }, 1);
      const { page, complaints } = await small(home, size);
      const bar = await page.locator(".bar").boundingBox();
      expect(bar?.height).toBeLessThanOrEqual(60);
      const [first] = await page.locator(".row").all();
      expect((await first?.boundingBox())?.y).toBeLessThanOrEqual(260);
      expect(await page.evaluate(scrolling)).toEqual(["shell"]);
      expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThanOrEqual(size[1]);
      // The whole window is the list's, further down.
      await scrollTo(page, 1_500);
      await drawn(page);
      expect((await page.locator(".bar").boundingBox())?.y).toBeLessThan(-100);
      await scrollTo(page, 1_000_000);
      await page.getByRole("link", { name: "Subject 0", exact: true }).waitFor();
      expect(await violationsOn(page)).toEqual([]);
      await page.goto(`${home.served.origin}/work/tasks`);
      await page.getByRole("link", { name: "Task 0", exact: true }).waitFor();
      expect(await page.evaluate(scrolling)).toEqual(["shell"]);
      expect(complaints).toEqual([]);
    },
  );

  it("of a phone shows on each page what one came for in its upper half, across no more than its width, large enough for a finger", async () => {
    const { home, id } = await startProject({ "plan.md": "one\n", "roof.md": "two\n" });
    for (let n = 0; n < 5; n += 1) {
      addEntity(home.store, "task", { title: `Task ${n}`, due: "2026-11-27" }, 1);
      addEntity(home.store, "note", { title: `Note ${n}` }, 1);
    }
    home.deliver(makeProposal(1), makeProposal(2));
    const { page, complaints } = await small(home, [390, 844]);
    const ofProject = [
      [`/projects/${id}`, ".panel"],
      [`/projects/${id}/files`, ".file-row"],
    ] as const;
    const pages = [...contents, ...ofProject].filter((_, at) => whole || at % 2 === 0);
    for (const [path, content] of pages) {
      await page.goto(`${home.served.origin}${path}`);
      await loaded(page);
      await page.locator(content).first().waitFor();
      expect((await page.locator(content).first().boundingBox())?.y, path).toBeLessThanOrEqual(844 / 2);
      expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBe(390);
      expect(await page.evaluate("document.querySelector('.shell').scrollWidth"), path).toBe(390);
      expect(await page.evaluate(tooSmall), path).toEqual([]);
    }
    await page.goto(`${home.served.origin}/work/tasks`);
    await page.getByRole("button", { name: "More tools" }).click();
    await page.getByRole("button", { name: "Fewer tools" }).waitFor();
    await page.getByRole("button", { name: "Take from a file" }).waitFor();
    await page.goto(`${home.served.origin}/work/tasks?status=done`);
    // What narrows a list is in sight.
    await page.getByRole("button", { name: "Fewer tools" }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // With room again they stand in one or two rows, none touching the next.
    await page.setViewportSize({ width: 1_440, height: 800 });
    await page.goto(`${home.served.origin}/work/tasks`);
    const tools = await Promise.all(
      ["As todo.txt", "As Markdown"].map((name) => page.getByRole("button", { name }).boundingBox()),
    );
    expect(tools[1]?.x).toBeGreaterThan((tools[0]?.x ?? 0) + (tools[0]?.width ?? 0) + 4);
    expect((await page.locator(".work-group").first().boundingBox())?.y).toBeLessThanOrEqual(380);
    // The browser notes what the home of this test does not answer.
    expect(complaints.filter((each) => !each.startsWith("Failed to load resource"))).toEqual([]);
  });

  it.each(whole ? [320, 390] : [320])(
    "of %i px gives what is read all of its width but a finger's breadth",
    async (width) => {
      const home = await startDrafted([{ priority: "now" }]);
      const { id } = home.store.projects.add("Garden");
      addEntity(home.store, "task", { title: "Water the beds", due: "2026-11-27" }, 1);
      const { page } = await small(home, [width, 700]);
      const room = `(each) => {
      const { paddingLeft, paddingRight } = getComputedStyle(each);
      return each.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    }`;
      for (const [path, read, most] of [
        ["/", ".brief .card-text", 48],
        ["/inbox", ".row .card-text", 48],
        [`/items/${home.idOf(1)}`, ".item-text", 24],
        ["/work/tasks", ".work-card", 48],
        [`/projects/${id}`, ".panel", 24],
        ["/settings", ".panel", 24],
        ["/usage", "main .state, main .panel", 48],
      ] as const) {
        await page.goto(`${home.served.origin}${path}`);
        await loaded(page);
        await page.locator(read).first().waitFor();
        const given = await page.evaluate(`(${room})(document.querySelector(${JSON.stringify(read)}))`);
        expect(width - z.number().parse(given), path).toBeLessThanOrEqual(most);
      }
    },
  );

  it("of a phone says of each filter of the inbox what it narrows by, as none is chosen of several", async () => {
    const home = await many(2);
    const { page } = await small(home, [390, 844]);
    await page.getByRole("button", { name: "More filters" }).click();
    for (const label of ["Scout", "Why", "Kind", "How soon", "Project"]) {
      const box = await page.locator(".filters").getByText(label, { exact: true }).boundingBox();
      expect(box?.width, label).toBeGreaterThan(20);
    }
    expect(await page.evaluate("document.querySelector('.shell').scrollWidth")).toBe(390);
  });

  it.each(["en", "de"])(
    "of a phone keeps in sight what can be done with those that are chosen, and hides nothing one stands at behind it, in %s",
    async (locale) => {
      const home = await many();
      const { page } = await small(home, [320, 844], "/inbox", locale);
      for (let n = 0; n < 16; n += 1) await page.keyboard.press("j");
      await page.keyboard.press("x");
      const bar = page.locator(".selection");
      await bar.waitFor();
      await drawn(page);
      const place = await bar.boundingBox();
      expect(place?.y).toBeGreaterThanOrEqual(0);
      expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThan(844 / 3);
      for (let n = 0; n < 8; n += 1) await page.keyboard.press("k");
      await expect.poll(() => stopNow(page)).toBe("link Subject 32");
      await drawn(page);
      const title = await page.getByRole("link", { name: "Subject 32", exact: true }).boundingBox();
      expect(title?.y).toBeGreaterThanOrEqual((place?.y ?? 0) + (place?.height ?? 0));
      await bar.getByRole("button", { name: /^(Reject|Ablehnen)$/ }).click();
      await expect.poll(() => home.store.proposals.counts()).toMatchObject({ pending: 39, rejected: 1 });
    },
  );

  it("of a phone names the days of a week, whose names stand above them where there is room", async () => {
    const home = await startConsole({ proposals: [] });
    const { page } = await small(home, [390, 844], "/work/calendar?day=2026-11-27&view=week");
    const shown = page.locator(".day-cell span:not(.unseen):visible");
    await expect.poll(async () => (await shown.allTextContents()).slice(0, 4)).toEqual(["Sun", "22", "Mon", "23"]);
    for (const [width, view] of [
      [390, "month"],
      [1_000, "week"],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`${home.served.origin}/work/calendar?day=2026-11-27&view=${view}`);
      await loaded(page);
      expect(await page.locator(".day-cell").getByText("Sun", { exact: true }).first().isVisible(), view).toBe(false);
    }
  });

  it.each(["en", "de"])(
    "of a phone shows the way back from a decision whole, however long a subject is, in %s",
    async (locale) => {
      const held = [makeProposal(1, { rawSubject: `${"Re: ".repeat(40)}${"x".repeat(80)}` })];
      const home = await startConsole({ proposals: [], held });
      const { page } = await small(home, [320, 700], "/inbox", locale);
      await page.keyboard.press("j");
      for (const key of ["r", "u"]) {
        await page.keyboard.press(key);
        await page.getByText(key === "r" ? /^(Rejected|Abgelehnt):/ : /^(Taken back|Zurückgenommen):/).waitFor();
        await drawn(page);
        const room = await page.evaluate(`(() => {
        const button = document.querySelector(".undo-box button");
        const text = document.createRange();
        text.selectNodeContents(button);
        const [of, at] = [button.getBoundingClientRect(), text.getBoundingClientRect()];
        return Math.min(at.left - of.left, of.right - at.right);
      })()`);
        expect(z.number().parse(room), key).toBeGreaterThan(8);
      }
    },
  );

  it("has a project's files scroll with the page as well", async () => {
    const tree = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`file ${n + 100}.md`, "one\n"]));
    const { home, id } = await startProject(tree);
    const { page } = await small(home, [375, 667], `/projects/${id}/files`);
    await page.getByRole("link", { name: "file 100.md" }).waitFor();
    expect(await page.evaluate(scrolling)).toEqual(["shell"]);
    await scrollTo(page, 1_000_000);
    await page.getByRole("link", { name: "file 159.md" }).waitFor();
    await page.getByRole("link", { name: "file 159.md" }).click();
    await page.getByRole("link", { name: "All files" }).waitFor();
    // Another page begins at its top; back, one stands where one stood.
    expect(await page.locator(".shell").evaluate((shell) => shell.scrollTop)).toBe(0);
    await page.goBack();
    await expect.poll(() => stopNow(page)).toMatch(/^link file 159\.md/);
    expect(await page.getByRole("link", { name: "file 159.md" }).isVisible()).toBe(true);
  });

  it("keeps the pages behind a button that the keyboard and a screen reader know", async () => {
    const home = await many(2);
    const { page } = await small(home, [375, 667]);
    const pages = page.getByRole("navigation").getByRole("link");
    expect(await pages.count()).toBe(0);
    await page.keyboard.press("Tab");
    expect(await stopNow(page)).toBe("button Menu");
    const menu = page.getByRole("button", { name: "Menu" });
    expect(await menu.getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("Enter");
    expect(await menu.getAttribute("aria-expanded")).toBe("true");
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.press("Tab");
    expect(await stopNow(page)).toBe("link Brief");
    await page.keyboard.press("Escape");
    await expect.poll(() => stopNow(page)).toBe("button Menu");
    expect(await pages.count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Settings" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await expect.poll(() => pages.count()).toBe(0);
    await expect.poll(() => stopNow(page)).toBe("button Menu");
    // Back, it is not open again; and it is closed by who chooses the page that is there already.
    await page.goBack();
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    expect(await menu.getAttribute("aria-expanded")).toBe("false");
    await page.goForward();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    const closed = await menu.boundingBox();
    await menu.click();
    await page.getByRole("link", { name: "Settings" }).waitFor();
    // It stays under the finger that has pressed it.
    expect(await menu.boundingBox()).toEqual(closed);
    await page.getByRole("link", { name: "Settings" }).click();
    await expect.poll(() => pages.count()).toBe(0);
    // With room again all pages are named.
    await page.setViewportSize({ width: 1_000, height: 800 });
    await expect.poll(() => pages.count()).toBe(11);
    await expect.poll(() => menu.isVisible()).toBe(false);
  });

  it("goes through the list by keys, and does not move what somebody looks at when something arrives", async () => {
    const home = await many();
    const { page } = await small(home, [640, 400]);
    for (let n = 0; n < 12; n += 1) await page.keyboard.press("j");
    await expect.poll(() => stopNow(page)).toBe("link Subject 28");
    const looked = page.getByRole("link", { name: "Subject 28", exact: true });
    const before = await looked.boundingBox();
    expect(before?.y).toBeGreaterThan(0);
    expect(before?.y).toBeLessThan(400);
    home.deliver(makeProposal(100), makeProposal(101));
    await page.getByText("42 wait").waitFor({ state: "attached" });
    await drawn(page);
    expect(await looked.boundingBox()).toEqual(before);
    await page.keyboard.press("o");
    await page.getByText("The whole text of").waitFor();
    await page.goBack();
    await expect.poll(() => stopNow(page)).toBe("link Subject 28");
    await drawn(page);
    const after = await looked.boundingBox();
    expect(after?.y).toBeGreaterThan(0);
    expect(after?.y).toBeLessThan(400);
  });

  it.each([320, 1_280])(
    "of %i px shows how a subject begins that is longer than its line, also one that is read from right to left",
    async (width) => {
      const subjects = [
        "مرحبا بكم في الاجتماع السنوي للشركة يوم الخميس القادم في القاعة الكبرى مع ضيوف",
        "The yearly meeting ",
      ];
      const held = subjects.map((text, n) => makeProposal(n + 1, { rawSubject: text.repeat(4) }));
      const home = await startConsole({ proposals: [], held });
      const { page } = await small(home, [width, 700]);
      await page.locator(".row h2 a").nth(1).waitFor();
      const beginsOutside = `[...document.querySelectorAll(".row h2")].flatMap((title) => {
      const range = document.createRange();
      const text = title.querySelector("a").firstChild;
      range.setStart(text, 0);
      range.setEnd(text, 1);
      const [letter, room] = [range.getBoundingClientRect(), title.getBoundingClientRect()];
      const mark = document.querySelector(".card-check").getBoundingClientRect();
      const isBelowMark = letter.right > mark.left && letter.left < mark.right;
      return letter.left < room.left - 1 || letter.right > room.right + 1 || isBelowMark ? [title.textContent.slice(0, 20)] : [];
    })`;
      expect(await page.evaluate(beginsOutside)).toEqual([]);
    },
  );

  it.each(whole ? ["en", "de", "it"] : ["de"])(
    "of 240 px has every button of a card within it, in %s",
    async (locale) => {
      const home = await many(3);
      const { page } = await small(home, [240, 480], "/inbox", locale);
      const cards = `[...document.querySelectorAll(".row .card")].flatMap((card) => {
      const { left, right, bottom } = card.getBoundingClientRect();
      return [...card.querySelectorAll("button")].filter((each) => {
        const at = each.getBoundingClientRect();
        return at.left < left || at.right > right || at.bottom > bottom;
      }).map((each) => each.textContent);
    })`;
      expect(await page.evaluate(cards)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(240);
    },
  );

  it("says in the inbox of a phone how a mail begins, while nothing else is known of it, and all of it has room", async () => {
    const held = [1, 2].map((n) => makeProposal(n, { rawSnippet: `Can you come ${"on Friday ".repeat(30)}` }));
    const home = await startConsole({ proposals: [], held });
    const { page } = await startTab(browser, home, { width: 360 });
    await page.locator(".card-snippet").first().waitFor();
    const room = `[...document.querySelectorAll(".row .card")].map((card) => {
      const text = card.querySelector(".card-text");
      return text.scrollHeight - text.clientHeight + card.scrollHeight - card.clientHeight;
    })`;
    expect(await page.evaluate(room)).toEqual([0, 0]);
  });

  it.for(languages)(
    "shows in a wide window all of what a list is narrowed to and its order, in %s",
    async (language) => {
      const home = await startConsole();
      const { page } = await startTab(browser, home, { width: 1_280, locale: language });
      await page.locator(".filters .choice").first().waitFor();
      const cut = `[...document.querySelectorAll(".choice button > span:first-child")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)`;
      expect(await page.evaluate(cut)).toEqual([]);
    },
  );
});
