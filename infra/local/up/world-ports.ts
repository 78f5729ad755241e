import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import * as z from "zod";
import { LocalHomeError } from "../errors.ts";

const kept = z.object({ issuer: z.number().int() });

/** Below Linux's ephemeral range (32768…), so that no outgoing connection sits on it by chance. */
const lowest = 20_000;
const highest = 30_000;
const tries = 50;

/**
 * The port of this data folder's issuer. People are known by issuer and subject, so the issuer's address must be the same
 * at every start.
 */
export async function issuerPort(worldDir: string): Promise<number> {
  const path = join(worldDir, "ports.json");
  const known = read(path);
  if (known !== undefined) return known;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (!(await isFree(port))) continue;
    mkdirSync(worldDir, { recursive: true, mode: 0o700 });
    writeFileSync(path, JSON.stringify({ issuer: port }), { mode: 0o600 });
    return port;
  }
  throw new LocalHomeError("EADDRINUSE", `No free port was found between ${lowest} and ${highest}.`);
}

function read(path: string): number | undefined {
  try {
    return kept.parse(JSON.parse(readFileSync(path, "utf8"))).issuer;
  } catch {
    return undefined;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
