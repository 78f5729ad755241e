import { existsSync } from "node:fs";
import process from "node:process";

/** Optional packages: the browser is a build for Linux, and large. */
const packages = ["playwright-core", "@sparticuz/chromium"];
const installed = new URL("../node_modules/", import.meta.url);

/** Whether tests that look at a home as a web page does can be run. */
export const hasBrowser =
  process.platform === "linux" && packages.every((name) => existsSync(new URL(`${name}/package.json`, installed)));
