import { readFileSync } from "node:fs";
import * as z from "zod";

const manifest = z.object({ version: z.string() });

/** The version in package.json. */
export function programVersion(): string {
  return manifest.parse(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))).version;
}
