import type { ErrorCode } from "../../events/errors.ts";
import { errorBody, ticketResponse } from "../../events/http.ts";
import type { DeviceId } from "../../events/ids.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { DeviceError, isDeviceError } from "../errors.ts";
import { longestWaitMs, ticketMs } from "./timing.ts";

const loopbackHosts = ["127.0.0.1", "[::1]", "localhost"];

/** Refuses to send a token or a ticket in the clear to another machine. */
export function requireEncrypted(address: string | URL): URL {
  const url = new URL(address);
  if (url.protocol === "https:" || url.protocol === "wss:") return url;
  const plain = url.protocol === "http:" || url.protocol === "ws:";
  if (plain && loopbackHosts.includes(url.hostname)) return url;
  throw new DeviceError("address_insecure", { data: { host: url.hostname } });
}

/** `Retry-After` in seconds (RFC 9110 §10.2.3), at most an hour; its date form is ignored. */
function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get("retry-after"));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, longestWaitMs) : 0;
}

async function refusal(response: Response): Promise<DeviceError> {
  const body = errorBody.safeParse(await response.json().catch(() => undefined));
  const cloudCode: ErrorCode | null = body.success ? body.data.error.code : null;
  const code = response.status === 429 || response.status >= 500 ? "ticket_unavailable" : "ticket_refused";
  return new DeviceError(code, {
    data: { status: response.status, cloudCode, retryAfterMs: retryAfterMs(response) },
  });
}

/** `POST /api/v1/device/tickets`: a ticket opens one socket within 30 s. */
async function requestTicket(apiUrl: string | URL, token: string, deviceId: DeviceId, signal: AbortSignal) {
  const base = requireEncrypted(apiUrl);
  const url = new URL("api/v1/device/tickets", base.href.endsWith("/") ? base : `${base.href}/`);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ deviceId }),
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(ticketMs)]),
    });
    if (!response.ok) throw await refusal(response);
    return ticketResponse.parse(await response.json());
  } catch (error) {
    throw isDeviceError(error) ? error : new DeviceError("ticket_unavailable", { cause: error });
  }
}

/**
 * The address of one socket, with a new ticket in its query string: browsers cannot set headers on a WebSocket. `auth` is
 * asked for a token anew.
 *
 * @throws DeviceError `ticket_refused` (4xx), `ticket_unavailable` (429, 5xx, no answer; `data.retryAfterMs`),
 * `address_insecure`; what `auth` throws, or `auth_failed` when that is no DeviceError
 */
export async function ticketedAddress({ apiUrl, auth }: CloudApi, deviceId: DeviceId, signal: AbortSignal) {
  const token = await auth().catch((cause: unknown) => {
    throw isDeviceError(cause) ? cause : new DeviceError("auth_failed", { cause });
  });
  const { socketUrl, ticket } = await requestTicket(apiUrl, token, deviceId, signal);
  const url = requireEncrypted(socketUrl);
  url.searchParams.set("ticket", ticket);
  return url.href;
}
