import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { drawn, loaded, startBrowser } from "../browser-page.ts";
import { type Language, languages, speak } from "../languages.ts";
import { type SampleHome, startSampleHome } from "./sample-home.ts";
import { type Picture, writeSheet } from "./sheet.ts";

/** What docs/ and the README show. */
const ofDocs = fileURLToPath(new URL("../../../docs/images/", import.meta.url));
const inDocs: readonly string[] = ["inbox", "item", "scout"];
/** A picture of the documents is loaded by everybody who reads them. */
const largestInDocs = 120_000;

const [wide, narrow] = [1_440, 320];
const height = 800;
const tallest = 2_600;

/** Where each page is, found as a person finds it, and what on it comes last. */
const pages: readonly { name: string; last: string; open(page: Page, origin: string): Promise<unknown> }[] = [
  { name: "brief", last: ".brief #brief-projects", open: (page, origin) => page.goto(`${origin}/`) },
  { name: "inbox", last: ".rows article", open: (page, origin) => page.goto(`${origin}/inbox`) },
  {
    name: "item",
    last: ".item-text",
    open: async (page) => {
      // Mail is judged in another order each time, and a long list holds what is seen of it only.
      await page.getByRole("searchbox").fill("photos from the lake");
      await page.getByRole("link", { name: "Photos from the lake" }).click();
    },
  },
  { name: "dismissed", last: ".dismissed-row", open: (page, origin) => page.goto(`${origin}/dismissed`) },
  { name: "ask", last: ".ask-composer", open: (page, origin) => page.goto(`${origin}/ask`) },
  { name: "tasks", last: ".quick-add", open: (page, origin) => page.goto(`${origin}/work/tasks`) },
  { name: "calendar", last: ".day-panel", open: (page, origin) => page.goto(`${origin}/work/calendar`) },
  { name: "notes", last: ".quick-add", open: (page, origin) => page.goto(`${origin}/work/notes`) },
  { name: "scouts", last: "main article", open: (page, origin) => page.goto(`${origin}/scouts`) },
  { name: "scout", last: "main #mute", open: (page) => page.locator("main article a").first().click() },
  { name: "add", last: ".kinds button", open: (page, origin) => page.goto(`${origin}/scouts/add`) },
  {
    name: "projects",
    last: ".projects article",
    async open(page, origin) {
      await page.goto(`${origin}/projects`);
      await page.getByRole("textbox", { name: "Folder" }).fill(sampleFolder());
      await page.getByRole("button", { name: "Link the folder" }).click();
      await page.locator("main #entries").waitFor();
      await page.goto(`${origin}/projects`);
    },
  },
  { name: "project", last: "main #runs", open: (page) => page.locator(".projects h2 a").first().click() },
  {
    name: "files",
    last: ".file-row a",
    open: async (page, origin) => {
      await page.goto(`${origin}/projects`);
      await page.locator(".projects .folder-chip").first().click();
    },
  },
  {
    name: "file",
    last: ".file-text",
    open: async (page, origin) => {
      await page.goto(`${origin}/projects`);
      await page.locator(".projects .folder-chip").first().click();
      await page.locator(".file-row a").first().click();
    },
  },
  { name: "activity", last: ".activity .state", open: (page, origin) => page.goto(`${origin}/activity`) },
  { name: "usage", last: "main #artifacts", open: (page, origin) => page.goto(`${origin}/usage`) },
  { name: "settings", last: "main #doctor", open: (page, origin) => page.goto(`${origin}/settings`) },
  { name: "welcome", last: "main #welcome-sample", open: (page, origin) => page.goto(`${origin}/welcome`) },
];

/** A folder to link: a few files of a garden. */
function sampleFolder(): string {
  const garden = path.join(mkdtempSync(path.join(tmpdir(), "scouts-garden-")), "Garden");
  mkdirSync(path.join(garden, "beds"), { recursive: true });
  const roses = "# Roses\n\nCut back in March, feed in May and July. The climbing one by the gate wants a new wire.\n";
  writeFileSync(path.join(garden, "README.md"), "# The garden\n\nWhat grows where, and what is to be done about it.\n");
  writeFileSync(path.join(garden, "beds", "roses.md"), roses);
  writeFileSync(path.join(garden, "sowing.csv"), "plant,week,bed\ncarrot,14,3\nbean,20,1\nkale,24,2\n");
  return garden;
}

interface Look {
  readonly language: Language;
  readonly width: number;
  readonly isDark: boolean;
}

const looks: readonly Look[] = [wide, narrow].flatMap((width) => [
  ...languages.map((language) => ({ language, width, isDark: false })),
  { language: "en" as const, width, isDark: true },
]);

/** As high as what there is to see: what scrolls is seen whole. */
async function showWhole(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await drawn(page);
  const hidden = Number(
    await page.evaluate(
      "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('main'))",
    ),
  );
  await page.setViewportSize({ width, height: Math.min(height + hidden, tallest) });
  await drawn(page);
  await loaded(page);
}

async function writeWebp(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  await session.detach();
  const bytes = Buffer.from(data, "base64");
  if (bytes.length > largestInDocs) throw new Error(`${file} would have ${bytes.length} bytes`);
  writeFileSync(file, bytes);
}

/** Takes every picture into a folder. @returns the files that were written */
async function writePictures(browser: Browser, home: SampleHome, folder: string): Promise<string[]> {
  const written: string[] = [];
  const context = await browser.newContext({ locale: "en", viewport: { width: wide, height } });
  const page = await context.newPage();
  await page.goto(home.address());
  await page.locator(".brief .brief-card").first().waitFor();
  for (const { name, last, open } of pages) {
    await open(page, home.origin);
    await page.locator(last).first().waitFor();
    await loaded(page);
    if (inDocs.includes(name) && values["no-docs"] !== true) {
      await speak(home.origin, home.token, page, "en");
      await page.setViewportSize({ width: 960, height: 640 });
      await drawn(page);
      await writeWebp(page, path.join(ofDocs, `console-${name}.webp`));
      written.push(path.join(ofDocs, `console-${name}.webp`));
    }
    const pictures: Picture[] = [];
    for (const { language, width, isDark } of looks) {
      await speak(home.origin, home.token, page, language);
      await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
      await showWhole(page, width);
      const title = `${language} ${width}${isDark ? " dark" : ""}`;
      const file = path.join(folder, `${name}-${title.replaceAll(" ", "-")}.png`);
      const png = await page.screenshot({ path: file });
      pictures.push({ title, width, png });
      written.push(file);
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: wide, height });
    await speak(home.origin, home.token, page, "en");
    const sheet = path.join(folder, `sheet-${name}.png`);
    await writeSheet(browser, name, pictures, sheet);
    written.push(sheet);
  }
  return written;
}

const { values, positionals } = parseArgs({ options: { "no-docs": { type: "boolean" } }, allowPositionals: true });
const [given] = positionals;
const folder = given ?? mkdtempSync(path.join(tmpdir(), "scouts-console-"));
mkdirSync(folder, { recursive: true });
mkdirSync(ofDocs, { recursive: true });
// The browser first: a home that was started before the page is built serves the page as it was.
const browser = await startBrowser();
try {
  const home = await startSampleHome();
  try {
    for (const file of await writePictures(browser, home, folder)) console.log(path.relative(process.cwd(), file));
  } finally {
    await home.close();
  }
} finally {
  await browser.close();
}
