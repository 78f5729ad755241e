import type { Browser } from "playwright-core";
import { onTestFinished } from "vitest";
import { openTab, type Tab, type TabOptions } from "./browser-page.ts";
import { type ConsoleHome, type HomeOptions, openConsole } from "./console-home.ts";

/** A console that is closed when the test is over. */
export async function startConsole(options: HomeOptions = {}): Promise<ConsoleHome> {
  const home = await openConsole(options);
  onTestFinished(() => home.close());
  return home;
}

/** A tab that is closed when the test is over. */
export async function startTab(browser: Browser, home: ConsoleHome, options: TabOptions = {}): Promise<Tab> {
  const tab = await openTab(browser, home, options);
  onTestFinished(() => tab.close());
  return tab;
}
