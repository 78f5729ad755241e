import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { type HomeAbout, homeAbout } from "../../events/health.ts";
import { DeviceError, isDeviceError } from "../errors.ts";
import { upOn } from "../shell-words.ts";
import type { CloudApi } from "./cloud-api.ts";
import { wasLost } from "./lost-connection.ts";

/** What a running home leaves in its data folder (infra/local/world/presence.ts), for the eyes of its owner only, beside
 * `check`, a CRC-32 of all the rest. */
const presence = z.object({
  v: z.literal(1),
  apiUrl: z.url(),
  tokenUrl: z.url(),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  consentUrl: z.url().optional(),
  aboutUrl: z.url().optional(),
  /** The home's process; absent where an earlier version wrote the file. */
  pid: z.number().optional(),
  /** Where it was written: the data folder, and the file's device and inode. Absent where an earlier version wrote it. */
  written: z.object({ folder: z.string(), file: z.string() }).optional(),
});
type Presence = z.infer<typeof presence>;
const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().default(3_600) });

const timeoutMs = 10_000;

/**
 * The HTTP API of the home that runs on a data folder, with tokens of its owner: of one that was started again, where that is.
 *
 * @param now milliseconds of a clock that never steps back
 * @throws DeviceError `home_not_running` (none runs there, or its file is damaged), here or when it is first asked
 */
export function localHome(dataFolder: string, now: () => number): CloudApi {
  const { apiUrl } = read(dataFolder);
  let lastUrl = apiUrl;
  let token: { readonly asked: Promise<Token>; text?: string; renewAtMs: number } | undefined;
  return {
    apiUrl,
    addressNow() {
      try {
        lastUrl = read(dataFolder).apiUrl;
      } catch (error) {
        // That none runs is said to who asks for a token.
        if (!isDeviceError(error)) throw error;
      }
      return lastUrl;
    },
    auth: async (refused) => {
      // Nobody waits for an API that went with its home; one that was killed has taken nothing back, and is tried again.
      read(dataFolder);
      if (refused !== undefined && token?.text === refused) token = undefined;
      if (token === undefined || now() >= token.renewAtMs) {
        token = { asked: renewed(dataFolder, now), renewAtMs: Number.POSITIVE_INFINITY };
      }
      const current = token;
      try {
        const { text, renewAtMs } = await current.asked;
        current.renewAtMs = renewAtMs;
        current.text = text;
        return text;
      } catch (error) {
        if (token === current) token = undefined;
        throw error;
      }
    },
  };
}

interface Token {
  readonly text: string;
  /** When half of its life is over. */
  readonly renewAtMs: number;
}

async function renewed(dataFolder: string, now: () => number): Promise<Token> {
  const { access_token: text, expires_in } = await fetchToken(dataFolder);
  return { text, renewAtMs: now() + (expires_in * 1_000) / 2 };
}

/**
 * Consents in the owner's name where the mailbox is the home's own: its page asks for the secret, which is sent to that
 * page and to no other.
 *
 * @returns false when the page is somebody else's, for the person to open
 */
export async function consentAtHome(dataFolder: string, page: string): Promise<boolean> {
  if (!existsSync(fileIn(dataFolder))) return false;
  const { consentUrl, clientSecret } = read(dataFolder);
  if (consentUrl === undefined || !page.startsWith(`${consentUrl}?`)) return false;
  const headers = { authorization: `Bearer ${clientSecret}` };
  const answer = await fetch(page, { headers, redirect: "follow", signal: AbortSignal.timeout(timeoutMs) });
  await answer.arrayBuffer();
  return true;
}

/** Longer than the home takes to ask its language model. */
const aboutTimeoutMs = 30_000;

/**
 * What the home that runs on a data folder says of itself: version, language model, queues. Undefined when none runs
 * there, or one that is too old to say.
 *
 * @param isModelAskedAnew whether the language model is asked also when it answered just now
 */
export async function askAboutHome(dataFolder: string, isModelAskedAnew = false): Promise<HomeAbout | undefined> {
  try {
    const { aboutUrl, clientSecret } = read(dataFolder);
    if (aboutUrl === undefined) return undefined;
    // Who brings no secret is answered at once: a home that hangs keeps nobody for as long as a model may take.
    const sign = await fetch(aboutUrl, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    await sign.arrayBuffer();
    const headers = { authorization: `Bearer ${clientSecret}` };
    const address = isModelAskedAnew ? `${aboutUrl}?model=anew` : aboutUrl;
    const answer = await fetch(address, { headers, redirect: "error", signal: AbortSignal.timeout(aboutTimeoutMs) });
    const about = homeAbout.safeParse(await answer.json());
    return about.success ? about.data : undefined;
  } catch {
    // No file, nobody there, or no answer in time: whichever it is, no home says anything.
    return undefined;
  }
}

const fileIn = (dataFolder: string) => path.join(dataFolder, "home.json");

/** Whether a home that runs, or was killed, has left word of itself here; what came along with a copy of its folder is none. */
export function hasNotice(dataFolder: string): boolean {
  if (!existsSync(fileIn(dataFolder))) return false;
  const found = checked(readFileSync(fileIn(dataFolder), "utf8"));
  return found === undefined || !isCopied(dataFolder, found);
}

function read(dataFolder: string): Presence {
  let text: string;
  try {
    text = readFileSync(fileIn(dataFolder), "utf8");
  } catch (cause) {
    throw notRunning(dataFolder, cause);
  }
  const found = checked(text);
  if (found !== undefined) {
    if (isCopied(dataFolder, found)) throw notRunning(dataFolder, undefined);
    return found;
  }
  const sentence =
    `${fileIn(dataFolder)} is damaged. Stop the home that runs there and start it again with \`${upOn(dataFolder)}\`: ` +
    "it writes the file anew.";
  throw new DeviceError("home_not_running", { sentence });
}

/**
 * Whether the file came along when the data folder of a running home was copied: what is asked on the copy is not that home's
 * to answer. A folder that was moved has the same file, and on some file systems (FAT) only the path tells that it is.
 */
function isCopied(dataFolder: string, { written }: Presence): boolean {
  if (written === undefined || written.folder === realpathSync(dataFolder)) return false;
  const { dev, ino } = statSync(fileIn(dataFolder), { bigint: true });
  return written.file !== `${dev}:${ino}`;
}

/** Undefined for what no home has written. Not the error of JSON or zod: it may quote the secret. */
function checked(text: string): Presence | undefined {
  try {
    const { check, ...content } = z.looseObject({ check: z.number() }).parse(JSON.parse(text));
    return check === crc32(JSON.stringify(content)) ? presence.parse(content) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** RFC 6749 §4.4. The file is read anew: a home that was started again has another secret and may have another port. */
async function fetchToken(dataFolder: string): Promise<z.infer<typeof tokenAnswer>> {
  const { tokenUrl, clientId, clientSecret, pid } = read(dataFolder);
  try {
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
    });
    const answer = await fetch(tokenUrl, { method: "POST", body, signal: AbortSignal.timeout(timeoutMs) });
    return tokenAnswer.parse(await answer.json());
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "TimeoutError") throw hanging(dataFolder, pid, cause);
    if (wasLost(cause)) throw refusing(dataFolder, pid, cause);
    // The word of a home that was killed is still there.
    throw notRunning(dataFolder, cause);
  }
}

function notRunning(dataFolder: string, cause: unknown): DeviceError {
  const sentence = `No home is running on ${dataFolder}; start one with \`${upOn(dataFolder)}\`.`;
  return new DeviceError("home_not_running", { sentence, cause });
}

/** A home that may open no more files takes no connection, and another cannot be started beside it. */
function refusing(dataFolder: string, pid: number | undefined, cause: unknown): DeviceError {
  const sentence = `The home on ${dataFolder}${processText(pid)} takes no connection: it is ending, or has as many files and connections open as it may. Try again; if that lasts, see what it has said, end it and start it again with \`${upOn(dataFolder)}\`.`;
  return new DeviceError("home_not_running", { sentence, cause });
}

const processText = (pid: number | undefined): string => (pid === undefined ? "" : ` (process ${pid})`);

/** Somebody takes the connection and says nothing: the home is still there, and another cannot be started beside it. */
function hanging(dataFolder: string, pid: number | undefined, cause: unknown): DeviceError {
  const sentence = `The home on ${dataFolder}${processText(pid)} has not answered within ${timeoutMs / 1_000} s: it hangs, or this machine is busy. Try again; if that lasts, end it and start it again with \`${upOn(dataFolder)}\`.`;
  return new DeviceError("home_not_running", { sentence, cause });
}
