import { isScoutsError } from "../../events/errors.ts";
import { ticketResponse } from "../../events/http/device.ts";
import type { DeviceId } from "../../events/ids.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { requireEncrypted } from "../connect/encrypted-address.ts";
import { DeviceError, isDeviceError } from "../errors.ts";
import { ticketMs } from "./timing.ts";

/**
 * The address of one socket, with a new ticket in its query string: browsers cannot set headers on a WebSocket. `auth` is
 * asked for a token anew.
 *
 * @throws DeviceError `ticket_refused` (4xx), `ticket_unavailable` (429, 5xx, no answer; `data.retryAfterMs`),
 * `address_insecure`; what `auth` throws, or `auth_failed` when that is no DeviceError
 */
export async function ticketedAddress({ auth, ...home }: CloudApi, deviceId: DeviceId, signal: AbortSignal) {
  const tokenOf = (refused?: string) =>
    auth(refused).catch((cause: unknown) => {
      throw isDeviceError(cause) ? cause : new DeviceError("auth_failed", { cause });
    });
  // What an issuer takes is no time of the home's.
  const token = await tokenOf();
  const api: CloudApi = { ...home, auth: async (refused) => (refused === undefined ? token : tokenOf(refused)) };
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ticketMs)]);
  const asked = askCloud(api, "POST", "/api/v1/device/tickets", ticketResponse, { deviceId }, limited);
  const { socketUrl, ticket } = await asked.catch((error: unknown) => {
    throw asTicketError(error);
  });
  const url = requireEncrypted(socketUrl);
  url.searchParams.set("ticket", ticket);
  return url.href;
}

function asTicketError(error: unknown): unknown {
  if (!isScoutsError(error) && !isDeviceError(error, "request_refused")) return error;
  const status = isScoutsError(error) ? error.kind.status : Number(error.data["status"] ?? 503);
  const code = status === 429 || status >= 500 ? "ticket_unavailable" : "ticket_refused";
  const data = { status, cloudCode: isScoutsError(error) ? error.code : null, ...error.data };
  return new DeviceError(code, { data, cause: error });
}
