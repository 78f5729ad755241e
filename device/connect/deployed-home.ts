import path from "node:path";
import { isDiskFull } from "../errors/disk-full.ts";
import { DeviceError } from "../errors.ts";
import { notWritable, orUnusable } from "../or-unusable.ts";
import { waitForFileLock } from "../store/held-locks.ts";
import type { CloudApi } from "./cloud-api.ts";
import { type Credentials, keepRoomFor, readCredentials, writeCredentials } from "./credentials.ts";
import { homeFolderOf } from "./devices/home-folder.ts";
import { localHome } from "./local-home.ts";
import { askToken, refusalOf } from "./oidc.ts";

/** A token is replaced this long before it ends: a request may take a while, and clocks differ. */
const renewBeforeMs = 60_000;
/** An issuer that has not answered by then is asked again later. */
const renewWithinMs = 15_000;
/** Each of several processes may have to find out that the issuer does not answer. */
const mostWaitMs = 4 * renewWithinMs;
/** Earlier versions kept others off by the file `credentials.lock`, which they removed: a lock on that would end with it. */
const lockIn = (dataFolder: string) => path.join(dataFolder, "device", "sign-in.lock");

/**
 * The home a data folder is signed in to, with tokens that are renewed as needed.
 *
 * @throws DeviceError `login_needed`, here or when a token cannot be renewed any more, or the folder is signed in to another home by
 * then; `issuer_unusable`, `store_busy`
 */
export function deployedHome(dataFolder: string, now: () => number): CloudApi {
  const { apiUrl } = credentialsIn(dataFolder);
  let renewing: Promise<string> | undefined;
  return {
    apiUrl,
    auth: async (refused) => {
      const known = credentialsFor(apiUrl, dataFolder);
      if (isGood(known, now(), refused)) return known.accessToken;
      renewing ??= renew(apiUrl, dataFolder, now, refused).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}

/**
 * The home commands on a data folder are about: the one it is signed in to, else the one on this machine that it is a device of.
 *
 * @throws DeviceError `home_not_running`, `credentials_unreadable`, `folder_unusable`
 */
export function homeOf(dataFolder: string, now: () => number): CloudApi {
  if (readCredentials(dataFolder) !== undefined) return deployedHome(dataFolder, now);
  return localHome(homeFolderOf(dataFolder), () => performance.now());
}

/** A clock that has stepped back since would take a token for good that ended long ago. */
const isFresh = ({ expiresAt, issuedAt = 0 }: Credentials, nowMs: number): boolean =>
  expiresAt - renewBeforeMs > nowMs && issuedAt - renewBeforeMs <= nowMs;

/** One that was refused is none, unless it is so young that another would be refused as well: the issuer is not asked for ever. */
const isGood = (known: Credentials, nowMs: number, refused: string | undefined): boolean =>
  isFresh(known, nowMs) && (known.accessToken !== refused || nowMs - (known.issuedAt ?? 0) < renewBeforeMs);

function credentialsIn(dataFolder: string): Credentials {
  const found = readCredentials(dataFolder);
  if (found === undefined) throw new DeviceError("login_needed");
  return found;
}

/** A token is for its own home alone, whatever the person has signed in to since. @throws DeviceError `login_needed` */
function credentialsFor(apiUrl: string, dataFolder: string): Credentials {
  const found = credentialsIn(dataFolder);
  if (found.apiUrl === apiUrl) return found;
  const sentence = `This data folder is signed in to ${found.apiUrl} by now, and this program still talks to ${apiUrl}; start it again.`;
  throw new DeviceError("login_needed", { sentence });
}

/**
 * What comes of a refresh token that is good once has to be kept: where nothing can be written, it is not used.
 *
 * @returns to be called before that is written
 * @throws DeviceError `store_full`, `folder_unusable`
 */
function roomFor(dataFolder: string, known: Credentials): () => void {
  const folder = path.join(dataFolder, "device");
  return orUnusable(folder, notWritable(folder), () => {
    try {
      return keepRoomFor(dataFolder, known);
    } catch (cause) {
      throw isDiskFull(cause) ? new DeviceError("store_full", { cause }) : cause;
    }
  });
}

/**
 * A refresh token is good once where the issuer rotates them, and using it again ends the sign-in: so processes of one
 * data folder take turns, and who comes second finds the new token in the file. Who signs in or out does not wait for
 * that: what they have left is not written over.
 */
async function renew(
  apiUrl: string,
  dataFolder: string,
  now: () => number,
  refused: string | undefined,
): Promise<string> {
  const release = await waitForFileLock(lockIn(dataFolder), mostWaitMs);
  if (release === undefined) {
    const sentence =
      "Another program of this data folder has been renewing the sign-in for a minute; end it if it is stuck, or try again.";
    throw new DeviceError("store_busy", { sentence });
  }
  try {
    const known = credentialsFor(apiUrl, dataFolder);
    if (isGood(known, now(), refused)) return known.accessToken;
    if (known.refreshToken === null) throw new DeviceError("login_needed");
    const { clientId: client_id, refreshToken: refresh_token, tokenEndpoint } = known;
    const form = { grant_type: "refresh_token", client_id, refresh_token };
    const giveBack = roomFor(dataFolder, known);
    const answer = await askToken(tokenEndpoint, form, AbortSignal.timeout(renewWithinMs))
      .catch((error: unknown) => {
        if (refusalOf(error) !== "invalid_grant") throw error;
        throw new DeviceError("login_needed", { cause: error });
      })
      .finally(giveBack);
    const meanwhile = credentialsFor(apiUrl, dataFolder);
    if (meanwhile.refreshToken !== refresh_token) return meanwhile.accessToken;
    writeCredentials(dataFolder, {
      ...known,
      accessToken: answer.access_token,
      expiresAt: now() + answer.expires_in * 1_000,
      issuedAt: now(),
      refreshToken: answer.refresh_token ?? known.refreshToken,
    });
    return answer.access_token;
  } finally {
    release();
  }
}
