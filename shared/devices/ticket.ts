import { jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import { type DeviceId, deviceId, type UserId, userId } from "../../events/ids.ts";
import { expiry } from "../index-entries.ts";
import { sessionsKey } from "../keys.ts";
import type { Clock, NewId } from "../ports/clock.ts";
import type { Table } from "../ports/table.ts";

/** Long enough to open a socket, short enough to be worth nothing in a log. */
export const ticketLifeSeconds = 30;
/** Functions' clocks differ. */
const skewSeconds = 60;
const issuer = "scouts/device-tickets";

const claims = z.object({
  sub: userId,
  device: deviceId,
  jti: z.string().length(26),

  exp: z.number(),
});

export interface TicketHolder {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
}

/** Makes the ticket a device presents on `$connect`: browsers cannot set headers there, and API Gateway checks no JWT. */
export async function issueTicket(key: Uint8Array, holder: TicketHolder, clock: Clock, newId: NewId): Promise<string> {
  const now = Math.floor(clock() / 1000);
  return new SignJWT({ device: holder.deviceId })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setSubject(holder.userId)
    .setJti(newId())
    .setIssuedAt(now)
    .setExpirationTime(now + ticketLifeSeconds)
    .sign(key);
}

/**
 * Checks a ticket and spends it: the conditional write of its id lets it through once, whatever is replayed.
 *
 * @throws ticket_invalid, ticket_spent
 */
export async function spendTicket(
  key: Uint8Array,
  ticket: string,
  sessions: Table,
  clock: Clock,
): Promise<TicketHolder> {
  const { sub, device, jti, exp } = await verified(key, ticket, clock);
  const fresh = await sessions.put({ ...sessionsKey.ticket(jti), ...expiry.of(jti, exp * 1000) }, { absent: ["pk"] });
  if (!fresh) throw new ScoutsError("ticket_spent");
  return { userId: sub, deviceId: device };
}

async function verified(key: Uint8Array, token: string, clock: Clock): Promise<z.infer<typeof claims>> {
  try {
    const options = { algorithms: ["HS256"], issuer, currentDate: new Date(clock()) };
    const { payload } = await jwtVerify(token, key, options);
    const ticket = claims.parse(payload);
    if (ticket.exp > clock() / 1000 + ticketLifeSeconds + skewSeconds)
      throw new RangeError("issued by a clock that has stepped back since");
    return ticket;
  } catch (cause) {
    throw new ScoutsError("ticket_invalid", { cause });
  }
}
