import type { DeviceId } from "../../events/ids.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { requireEncrypted } from "../connect/encrypted-address.ts";
import { DeviceSocket } from "../connection/socket.ts";
import { ticketedAddress } from "../connection/ticket.ts";
import { quoted } from "../errors/quoted.ts";
import { isDeviceError } from "../errors.ts";
import { upOn } from "../shell-words.ts";
import { type Check, checkClock } from "./checks.ts";
import { type Finding, found } from "./findings.ts";

const answerMs = 10_000;

/**
 * What can be looked at from here of the home a device belongs to: its health, its clock, the way to its socket.
 *
 * @param goneFrom the data folder of a home of this machine: that nobody answers means that it is gone
 */
export async function checkHome(apiUrl: string | URL, now: () => number, goneFrom?: string): Promise<Check[]> {
  const name = "home";
  const askedAtMs = now();
  try {
    const response = await fetch(new URL("health", withSlash(requireEncrypted(apiUrl))), {
      redirect: "error",
      signal: AbortSignal.timeout(answerMs),
    });
    await response.arrayBuffer();
    const tookMs = now() - askedAtMs;
    const { origin } = new URL(apiUrl);
    const home: Check = response.ok
      ? { name, state: "ok", ...found("home_ok", { origin, ms: tookMs }) }
      : { name, state: "fail", ...found("home_unwell", { origin, status: response.status }) };
    const theirs = Date.parse(response.headers.get("date") ?? "");
    return Number.isNaN(theirs) ? [home] : [home, checkClock(offsetMs(theirs, askedAtMs, tookMs))];
  } catch (error) {
    return [{ name, state: "fail", ...silent(error, apiUrl, goneFrom) }];
  }
}

function silent(error: unknown, apiUrl: string | URL, goneFrom: string | undefined): Finding {
  if (isDeviceError(error)) return found("home_refused", {}, { why: quoted(error) });
  const { origin } = new URL(apiUrl);
  return goneFrom === undefined
    ? found("home_unreachable", { origin })
    : found("home_gone", { origin, up: upOn(goneFrom) });
}

/**
 * By how much the cloud's clock is ahead. `Date` counts whole seconds (RFC 9110 §6.6.1) and was written somewhere between
 * question and answer: within that the clocks agree.
 */
export function offsetMs(theirsMs: number, askedAtMs: number, tookMs: number): number {
  const most = theirsMs + 999 - askedAtMs;
  const least = theirsMs - (askedAtMs + tookMs);
  if (least <= 0 && most >= 0) return 0;
  return least > 0 ? least : most;
}

/** Buys a ticket and opens a socket with it, and says nothing on it: no session begins. */
export async function checkSocket(home: CloudApi, deviceId: DeviceId): Promise<Check> {
  const name = "socket";
  let address: string;
  try {
    address = await ticketedAddress(home, deviceId, new AbortController().signal);
  } catch (error) {
    if (!isDeviceError(error)) return { name, state: "fail", ...found("socket_no_ticket") };
    const reason = String(error.data["cloudCode"] ?? error.code);
    const code = isDeviceError(error, "ticket_refused", "login_needed") ? "socket_refused" : "socket_unavailable";
    return { name, state: "fail", ...found(code, { reason }, { why: quoted(error) }) };
  }
  const { host } = new URL(address);
  const opened = await opens(address);
  return opened
    ? { name, state: "ok", ...found("socket_ok", { host }) }
    : { name, state: "fail", ...found("socket_stopped", { host }) };
}

function opens(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new DeviceSocket(address);
    const timer = setTimeout(() => socket.terminate(), answerMs);
    socket.on("open", () => {
      resolve(true);
      socket.close(1000);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}

function withSlash(url: URL): URL {
  return url.href.endsWith("/") ? url : new URL(`${url.href}/`);
}
