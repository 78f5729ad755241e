import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import * as z from "zod";
import { replaceFile } from "../../standins/replace-file.ts";
import { LocalHomeError } from "../errors.ts";

const identity = z.strictObject({ v: z.literal(1), issuer: z.url() });

/** Below Linux's ephemeral range (32768…), so that no outgoing connection sits on it by chance. */
const lowestPort = 20_000;
const highestPort = 30_000;
/** Where somebody listens on so many of them, the issuer listens elsewhere, as it does when its port is taken later. */
const mostDraws = 20;

export interface Identity {
  /** The `iss` of this home's tokens, kept with the data. People are known by it, wherever the issuer listens. */
  readonly issuer: string;
  /** Where it listens when nobody else does: its name is an address then, as OpenID Connect Discovery wants it. */
  readonly port: number;
}

/**
 * Who the people of this data folder belong to, made at the first start.
 *
 * @param random uniform in [0, 1)
 * @throws LocalHomeError `data_unusable` when it is of a version that kept no such file, damaged, or missing from a folder that has been used: a new one would
 * make a new person, who has none of what is there
 */
export async function readIdentity(worldDir: string, random: () => number = Math.random): Promise<Identity> {
  const path = join(worldDir, "identity.json");
  const known = read(path)?.issuer;
  if (known === undefined && existsSync(join(worldDir, "ports.json"))) throw fromBefore(worldDir);
  if (known === undefined && hasBeenUsed(worldDir)) {
    throw unusable(path, "is missing. It names the person to whom everything in this data folder belongs");
  }
  const issuer = known ?? `http://127.0.0.1:${await drawPort(random)}`;
  if (known === undefined) write(path, issuer);
  return { issuer, port: Number(new URL(issuer).port) };
}

/** One that nobody listens on: a name that is another's address could not be discovered, and no device could sign in. */
async function drawPort(random: () => number): Promise<number> {
  let port = 0;
  for (let drawn = 0; drawn < mostDraws; drawn += 1) {
    port = lowestPort + Math.floor(random() * (highestPort - lowestPort));
    if (await isFree(port)) break;
  }
  return port;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** Everything else is made after it. */
const hasBeenUsed = (worldDir: string): boolean =>
  [join(worldDir, "secrets.json"), join(worldDir, "issuer"), join(worldDir, "..", "cloud", "dynamodb")].some((file) =>
    existsSync(file),
  );

function read(path: string): z.infer<typeof identity> | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return identity.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    throw unusable(path, "is damaged", cause);
  }
}

function write(path: string, issuer: string): void {
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  replaceFile(path, `${JSON.stringify({ v: 1, issuer })}\n`);
}

/** Nothing was missing or damaged there: it is a home of another form. */
const fromBefore = (worldDir: string) =>
  new LocalHomeError(
    "data_unusable",
    `${join(worldDir, "..")} is the home of an earlier version of Scouts (of before 22 November 2026), which this one cannot ` +
      "go on with. Nothing in it is changed. Give another data folder with --data: your mail is judged anew there. What you decided and " +
      "wrote is still listed here (`scouts proposals list`, `scouts task list`).",
  );

const unusable = (path: string, how: string, cause?: unknown) =>
  new LocalHomeError(
    "data_unusable",
    `${path} ${how}. Restore it from a backup, or give another data folder with --data.`,
    cause === undefined ? {} : { cause },
  );
