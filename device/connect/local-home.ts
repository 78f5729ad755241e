import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { DeviceError } from "../errors.ts";
import type { CloudApi } from "./cloud-api.ts";

/** What a running home leaves in its data folder (infra/local/up/presence.ts). */
const presence = z.object({ v: z.literal(1), apiUrl: z.url(), tokenUrl: z.url(), clientId: z.string().min(1) });
const tokenAnswer = z.object({ access_token: z.string().min(1) });

const timeoutMs = 10_000;

/**
 * The HTTP API of the home that runs on a data folder, with tokens of its owner.
 *
 * @throws DeviceError `home_not_running`, here or when it is first asked
 */
export function localHome(dataFolder: string): CloudApi {
  const { apiUrl, tokenUrl, clientId } = read(path.join(dataFolder, "home.json"), dataFolder);
  let token: Promise<string> | undefined;
  return {
    apiUrl,
    auth: () => {
      token ??= fetchToken(tokenUrl, clientId, dataFolder);
      return token;
    },
  };
}

function read(file: string, dataFolder: string): z.infer<typeof presence> {
  try {
    return presence.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw notRunning(dataFolder, cause);
  }
}

/** RFC 6749 §4.4; the issuer of a local home asks its owner for no secret. */
async function fetchToken(tokenUrl: string, clientId: string, dataFolder: string): Promise<string> {
  try {
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId });
    const answer = await fetch(tokenUrl, { method: "POST", body, signal: AbortSignal.timeout(timeoutMs) });
    return tokenAnswer.parse(await answer.json()).access_token;
  } catch (cause) {
    // The word of a home that was killed is still there.
    throw notRunning(dataFolder, cause);
  }
}

function notRunning(dataFolder: string, cause: unknown): DeviceError {
  const sentence = `No home is running on ${dataFolder}; start one with \`scouts up\`.`;
  return new DeviceError("home_not_running", { sentence, cause });
}
