import type { EventEmitter } from "node:events";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import { listScouts } from "../../connect/list-scouts.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { DeviceEvents } from "../events.ts";
import type { AfterCommit } from "../window.ts";

type ScoutNews = Extract<ServerFrame, { type: "scout_reauth_required" | "scout_health" }>;

/** What the cloud says of a scout is kept, so that it is known while offline, and then told. */
export function noteScoutNews(frame: ScoutNews, store: DeviceStore, events: EventEmitter<DeviceEvents>): AfterCommit {
  if (frame.type === "scout_reauth_required") {
    const { scoutId, code, since: sinceMs } = frame;
    store.knownScouts.switchedOff(scoutId, code, sinceMs);
    return () => events.emit("reauth", { scoutId, code, sinceMs });
  }
  const { health } = frame;
  store.waitingScouts.note(health);
  if (health.disabledCode !== null) {
    store.knownScouts.switchedOff(health.scoutId, health.disabledCode, health.since ?? 0);
    return () => events.emit("health", health);
  }
  const was = store.knownScouts.mended(health.scoutId);
  return () => {
    if (was !== undefined) events.emit("mended", { scoutId: health.scoutId });
    events.emit("health", health);
  };
}

/**
 * Asks for all scouts, where this device knows of one that was off: nobody tells a device that was away that its person
 * has mended it from another one.
 *
 * @param signal aborted when the device is closed: its store may be then, too
 * @throws DeviceError when the store takes nothing; the next connection asks again
 */
export async function askAboutOffScouts(
  api: CloudApi,
  store: DeviceStore,
  events: EventEmitter<DeviceEvents>,
  signal: AbortSignal,
): Promise<void> {
  const before = store.knownScouts.off();
  if (before.length === 0) return;
  // Whatever keeps the list from coming, the next connection asks again.
  const scouts = await listScouts(api).catch(() => undefined);
  if (scouts === undefined || signal.aborted) return;
  store.knownScouts.replace(scouts);
  for (const { id } of before) {
    // One that is gone reads nothing either.
    if (store.knownScouts.find(id)?.offCode === null) events.emit("mended", { scoutId: id });
  }
}
