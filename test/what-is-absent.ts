import process from "node:process";
import type { TestProject } from "vitest/node";
import { hasBrowser } from "./browser.ts";
import { hasData } from "./data/published.ts";

/** Runs once, before all tests: says what is not on this machine, and what is skipped for that. */
export function setup({ config }: TestProject): void {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (!hasData) {
    say(
      "skipped: published test data is not there (../shared/data), so test/data and parts of test/hostile are not run",
    );
  }
  if (!hasBrowser && config.env["ROUNDS"] !== "quick") {
    say(
      "skipped: no browser is installed (the optional packages playwright-core and @sparticuz/chromium, for Linux), so",
    );
    say("         test/doors/every-port.test.ts does not look at a home as a web page does, and nobody at the console");
  }
}
