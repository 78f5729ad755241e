import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Browser, Page, Response } from "playwright-core";
import type { ConsoleHome } from "./console-home.ts";

const buildPage = fileURLToPath(new URL("build-page.ts", import.meta.url));

/** The page as its sources are now, and a browser to look at it. */
export async function startBrowser(): Promise<Browser> {
  // Several test files begin at once, and a page that is being built is none.
  await promisify(execFile)("flock", [buildPage, process.execPath, buildPage]);
  const [{ chromium }, { default: packed }] = await Promise.all([
    import("playwright-core"),
    import("@sparticuz/chromium"),
  ]);
  return chromium.launch({
    executablePath: await packed.executablePath(),
    // Root has no sandbox.
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
  });
}

export interface Tab {
  readonly page: Page;
  /** What the browser refused, and what was thrown or logged as an error. */
  readonly complaints: string[];
  /** What the page has loaded of its own files, compressed, in bytes. */
  loadedBytes(): Promise<number>;
  close(): Promise<void>;
}

export interface TabOptions {
  readonly path?: string;
  readonly locale?: string;
  readonly width?: number;
  readonly dark?: boolean;
  /** A script of what the browser is like, which runs before the page does. */
  readonly before?: string;
}

/** A machine with much else to do takes longer than the browser's own half minute; a test's own limit is twice this. */
const patienceMs = 120_000;

/** A tab as `scouts console` opens it, signed in: who leaves it before that loses its code. It is its user's to close. */
export async function openTab(browser: Browser, home: ConsoleHome, options: TabOptions = {}): Promise<Tab> {
  const { path = "/inbox", locale = "en", width = 1_000, dark = false, before = "" } = options;
  const context = await browser.newContext({
    locale,
    viewport: { width, height: 800 },
    colorScheme: dark ? "dark" : "light",
  });
  context.setDefaultTimeout(patienceMs);
  await context.addInitScript(before);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.text().includes("Content Security Policy"))
      complaints.push(message.text());
  });
  const loaded: Response[] = [];
  page.on("response", (answer) => {
    if (/\.(js|css)$/.test(answer.url())) loaded.push(answer);
  });
  await page.goto(`${home.served.origin}${path}#code=${home.code()}`);
  // Nothing is drawn before the code has been traded for a token.
  await page.locator("#page > *").first().waitFor({ state: "attached" });
  const loadedBytes = async () =>
    (await Promise.all(loaded.map((answer) => answer.body()))).reduce(
      (sum, body) => sum + gzipSync(body).byteLength,
      0,
    );
  return { page, complaints, loadedBytes, close: () => context.close() };
}

/** Resolves when a page has its heading, and nothing on it is being loaded any more. */
export async function loaded(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor();
  // Of several the first, until there is none.
  await page.locator("main :is(p.state[role=status], .card-empty)").first().waitFor({ state: "detached" });
}

/**
 * Answers what a page that is open asks for as `page.route` does, and resolves when that is in force. The browser says it is
 * before the page's own process knows: what a key asks for in between is neither intercepted nor reported.
 */
export async function intercept(page: Page, ...[address, answer, options]: Parameters<Page["route"]>): Promise<void> {
  await page.route(address, answer, options);
  let isInForce = false;
  await page.route("**/?intercepted", (route) => {
    isInForce = true;
    return route.fulfill();
  });
  while (!isInForce) await page.evaluate("fetch('/?intercepted').catch(() => undefined).then(() => undefined)");
}

/** Keeps the next answer of an address from its page until it is let go, as a slow line does. @param method of the request; any when left out */
export async function holdAnswer(page: Page, path: string, method?: string) {
  const [answered, isLetGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeld = false;
  await intercept(page, `**${path}`, async (route) => {
    if (isHeld || (method !== undefined && route.request().method() !== method)) return route.fallback();
    isHeld = true;
    const response = await route.fetch();
    answered.resolve();
    await isLetGo.promise;
    return route.fulfill({ response });
  });
  return {
    /** The device has answered, and the page does not know it. */
    answered: answered.promise,
    /** Resolves when the page has had that answer, or so many from it on. */
    async letGo(count = 1): Promise<void> {
      let answers = 0;
      const had = page.waitForResponse((response) => response.url().endsWith(path) && ++answers === count);
      isLetGo.resolve();
      await had;
    },
  };
}

/** Resolves when the page has been drawn as it is now. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

/** Whether the browser asks before the tab is loaded anew. It stays where it is when it does. */
export async function asksBeforeReload(page: Page): Promise<boolean> {
  const asked = page.waitForEvent("dialog").then(async (dialog) => {
    await dialog.dismiss();
    return dialog.type() === "beforeunload";
  });
  const reloaded = page.reload().then(
    () => false,
    () => true,
  );
  return Promise.race([asked, reloaded]);
}

/** Rules of WCAG 2.2, A and AA, that a page breaks, and where. */
export async function violationsOn(page: Page): Promise<string[]> {
  // As the browser's own console would: what the page's policy says is about the page.
  const session = await page.context().newCDPSession(page);
  const { result: known } = await session.send("Runtime.evaluate", { expression: "typeof axe" });
  if (known.value === "undefined") await session.send("Runtime.evaluate", { expression: axe.source });
  const expression = `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target }) => target).join(", ")))`;
  const { result } = await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  await session.detach();
  return Array.isArray(result.value) ? result.value.map(String) : [`axe did not answer: ${result.description}`];
}
