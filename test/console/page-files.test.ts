import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, test } from "vitest";
import type { ConsoleEnvironment } from "../../device/console/entrance/doors.ts";
import { pageFiles } from "../../device/console/page-files.ts";
import { temporaryFolder } from "../device/setting.ts";

function build(folder: string, name: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), `<script src="/assets/${name}.js"></script>`);
  writeFileSync(join(folder, "assets", `${name}.js`), `"${name}"`);
}

test("a page that is built anew under a running program stays whole for its tabs", async () => {
  const folder = temporaryFolder();
  build(folder, "old");
  const app = new Hono<ConsoleEnvironment>().get("/*", pageFiles(folder));
  const get = async (path: string) => (await app.request(path)).text();
  expect(await get("/inbox")).toContain("/assets/old.js");
  build(folder, "new");
  expect(await get("/inbox")).toContain("/assets/old.js");
  expect(await get("/assets/old.js")).toBe('"old"');
  expect((await app.request("/assets/new.js")).status).toBe(404);
  rmSync(folder, { recursive: true });
  expect(await get("/")).toContain("/assets/old.js");
});
