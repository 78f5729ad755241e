import { deviceId as deviceIdSchema, type UserId } from "../../events/ids.ts";
import type { TicketHolder } from "../../shared/devices/ticket.ts";
import type { Ended } from "./process.ts";
import { SeededRandom } from "./random.ts";
import type { Simulation } from "./simulation.ts";

/** What a run in virtual time is asked for: its clock, and tickets for its devices. */
export interface VirtualWorld {
  readonly sim: Simulation;
  readonly devices: readonly { readonly userId: UserId }[];
  readonly cloud: { ticket(holder: TicketHolder): Promise<Ended<string>> };
}

/**
 * Runs `work` with the process's own clock, randomness and HTTP client replaced by the simulation's: ids are made with
 * the first two and the device asks for its ticket with the third. Everything is put back at the end.
 */
export async function inVirtualTime<T>(world: () => VirtualWorld, seed: number, work: () => Promise<T>): Promise<T> {
  const real = { now: Date.now, fetch: globalThis.fetch };
  const drawn = { step: -1, random: new SeededRandom(seed) };
  Date.now = () => world().sim.nowMs;
  globalThis.fetch = (_url, init) => askForTicket(world(), init);
  Object.defineProperty(globalThis.crypto, "getRandomValues", {
    configurable: true,
    value: (bytes: Uint8Array) => {
      // Drawn afresh for every step: a monotonic ULID factory left over from an earlier run draws less than a new one.
      const { steps } = world().sim;
      if (steps !== drawn.step) Object.assign(drawn, { step: steps, random: new SeededRandom(seed * 7919 + steps) });
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = drawn.random.int(0, 255);
      return bytes;
    },
  });
  try {
    return await work();
  } finally {
    Date.now = real.now;
    globalThis.fetch = real.fetch;
    Reflect.deleteProperty(globalThis.crypto, "getRandomValues");
  }
}

/** `POST /api/v1/device/tickets`; the bearer token is the user's id, as if the gateway had checked it. */
async function askForTicket(world: VirtualWorld, init: RequestInit | undefined): Promise<Response> {
  const bearer = new Headers(init?.headers).get("authorization") ?? "";
  const device = world.devices.find(({ userId }) => bearer === `Bearer ${userId}`);
  const { deviceId } = JSON.parse(String(init?.body));
  if (!device) throw new TypeError("fetch failed");
  const ended = await world.cloud.ticket({ userId: device.userId, deviceId: deviceIdSchema.parse(deviceId) });
  if (ended.how !== "done") throw new TypeError("fetch failed");
  const body = { ticket: ended.value, expiresInSeconds: 30, socketUrl: "ws://127.0.0.1:1/" };
  return { ok: true, status: 201, headers: new Headers(), json: async () => body } as Response;
}
