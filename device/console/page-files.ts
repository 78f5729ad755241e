import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { MiddlewareHandler } from "hono";
import type { ConsoleEnvironment } from "./entrance/doors.ts";

const built = fileURLToPath(new URL("./page/dist", import.meta.url));
const indexPath = "/index.html";
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
const notBuilt =
  "The console's page has not been built. Run `npm run build` in the checkout; `npm ci` does it as well.\n";

/**
 * The page as Vite has built it, by its own list of files: no address leads anywhere else. It is held as it was when the program began
 * (2 MB): a page that is built anew under a running program names files of other names, speaks to another API, and would stay blank.
 */
export function pageFiles(folder = built): MiddlewareHandler<ConsoleEnvironment> {
  const files = new Map(existsSync(folder) ? filesIn(folder) : []);
  return async (c) => {
    if (!files.has(indexPath)) return c.text(notBuilt, 503);
    const named = files.get(c.req.path);
    // Every other address is one of the page's own routes, and an id in it may hold dots.
    const file = named ?? (c.req.path.startsWith("/assets/") ? undefined : files.get(indexPath));
    if (file === undefined) return c.text("There is nothing at this address.\n", 404);
    return c.body(file.bytes, 200, { "content-type": file.type });
  };
}

interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

function filesIn(folder: string): [string, PageFile][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [
      `/${relative(folder, file).split(sep).join("/")}`,
      { bytes: readFileSync(file), type: types[extname(file)] ?? "application/octet-stream" },
    ]);
}
