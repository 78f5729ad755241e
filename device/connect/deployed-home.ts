import path from "node:path";
import { DeviceError } from "../errors.ts";
import type { CloudApi } from "./cloud-api.ts";
import { type Credentials, readCredentials, writeCredentials } from "./credentials.ts";
import { localHome } from "./local-home.ts";
import { lockFile, staleLockMs } from "./lock-file.ts";
import { askToken, refusalOf } from "./oidc.ts";

/** A token is replaced this long before it ends: a request may take a while, and clocks differ. */
const renewBeforeMs = 60_000;

/**
 * The home a data folder is signed in to, with tokens that are renewed as needed.
 *
 * @throws DeviceError `login_needed`, here or when a token cannot be renewed any more; `issuer_unusable`
 */
export function deployedHome(dataFolder: string, now: () => number): CloudApi {
  const { apiUrl } = credentialsIn(dataFolder);
  let renewing: Promise<string> | undefined;
  return {
    apiUrl,
    auth: async () => {
      const known = credentialsIn(dataFolder);
      if (isFresh(known, now())) return known.accessToken;
      renewing ??= renew(dataFolder, now).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}

/** The home commands on a data folder are about: the one it is signed in to, else the one that runs on it. */
export function homeOf(dataFolder: string, now: () => number): CloudApi {
  if (readCredentials(dataFolder) !== undefined) return deployedHome(dataFolder, now);
  return localHome(dataFolder, () => performance.now());
}

/** A clock that has stepped back since would take a token for good that ended long ago. */
const isFresh = ({ expiresAt, issuedAt = 0 }: Credentials, nowMs: number): boolean =>
  expiresAt - renewBeforeMs > nowMs && issuedAt - renewBeforeMs <= nowMs;

function credentialsIn(dataFolder: string): Credentials {
  const found = readCredentials(dataFolder);
  if (found === undefined) throw new DeviceError("login_needed");
  return found;
}

/**
 * A refresh token is good once where the issuer rotates them, and using it again ends the sign-in: so processes of one
 * data folder take turns, and who comes second finds the new token in the file.
 */
async function renew(dataFolder: string, now: () => number): Promise<string> {
  const release = await lockFile(path.join(dataFolder, "device", "credentials.lock"));
  try {
    const known = credentialsIn(dataFolder);
    if (isFresh(known, now())) return known.accessToken;
    if (known.refreshToken === null) throw new DeviceError("login_needed");
    const { clientId: client_id, refreshToken: refresh_token, tokenEndpoint } = known;
    const form = { grant_type: "refresh_token", client_id, refresh_token };
    const answer = await askToken(tokenEndpoint, form, AbortSignal.timeout(staleLockMs / 2)).catch((error: unknown) => {
      if (refusalOf(error) !== "invalid_grant") throw error;
      throw new DeviceError("login_needed", { cause: error });
    });
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
