import { jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { ScoutsError } from "../../../../events/errors.ts";
import type { CompleteRequest, ConnectRequest } from "../../../../events/http/consent.ts";
import { deviceId, type ScoutId, scoutId, type UserId, userId } from "../../../../events/ids.ts";
import { expiry } from "../../../index-entries.ts";
import { sessionsKey } from "../../../keys.ts";
import type { Clock, NewId } from "../../../ports/clock.ts";
import type { Table } from "../../../ports/table.ts";
import { consentUrl, type GoogleOAuthOptions, modifyScope, readonlyScope } from "./oauth.ts";

/** How long a person may take to consent. */
export const consentLifeSeconds = 600;
const issuer = "scouts/gmail-consent";

export interface ConsentPorts {
  readonly stateKey: Uint8Array;
  readonly sessions: Table;
  readonly oauth: GoogleOAuthOptions;
  readonly redirectUri: string;
  readonly clock: Clock;
  readonly newId: NewId;
}

const claims = z.object({
  sub: userId,
  device: deviceId,
  scout: scoutId,
  port: z.number().int(),
  /** Whether auto-trash is to be possible, which the person was asked for then. */
  trash: z.boolean(),
  jti: z.string().length(26),
  exp: z.number(),
});
export type ConsentState = z.infer<typeof claims>;

/** What a consent asks for, and all of which must be granted. */
export function scopesOf({ trash }: Pick<ConsentState, "trash">): readonly string[] {
  return trash ? [readonlyScope, modifyScope] : [readonlyScope];
}

/** The address of Google's consent page for one scout, with a state that is signed and bound to person and device. */
export async function beginConsent(
  ports: ConsentPorts,
  user: UserId,
  scout: ScoutId,
  request: ConnectRequest,
): Promise<string> {
  const now = Math.floor(ports.clock() / 1000);
  const asked = { trash: request.autoTrash };
  const state = await new SignJWT({ device: request.deviceId, scout, port: request.loopbackPort, ...asked })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setSubject(user)
    .setJti(ports.newId())
    .setExpirationTime(now + consentLifeSeconds)
    .sign(ports.stateKey);
  const { codeChallenge } = request;
  return consentUrl(ports.oauth, { redirectUri: ports.redirectUri, state, codeChallenge, scopes: scopesOf(asked) });
}

/** @throws consent_invalid */
export async function readState(ports: Pick<ConsentPorts, "stateKey" | "clock">, state: string): Promise<ConsentState> {
  try {
    const options = { algorithms: ["HS256"], issuer, currentDate: new Date(ports.clock()) };
    const { payload } = await jwtVerify(state, ports.stateKey, options);
    return claims.parse(payload);
  } catch (cause) {
    throw new ScoutsError("consent_invalid", { cause });
  }
}

/**
 * Accepts what the device received on its loopback port, once, and only from the person and device that asked: the code
 * of a consent link sent to somebody else comes back to a device that does not hold the verifier and is not theirs.
 *
 * @throws consent_invalid
 */
export async function spendState(
  ports: ConsentPorts,
  user: UserId,
  scout: ScoutId,
  request: CompleteRequest,
): Promise<ConsentState> {
  const state = await readState(ports, request.state);
  if (state.sub !== user || state.scout !== scout || state.device !== request.deviceId) {
    throw new ScoutsError("consent_invalid");
  }
  const spent = { ...sessionsKey.consent(state.jti), ...expiry.of(state.jti, state.exp * 1000) };
  if (!(await ports.sessions.put(spent, { absent: ["pk"] }))) throw new ScoutsError("consent_invalid");
  return state;
}
