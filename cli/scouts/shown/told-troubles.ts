import type { CloudApi } from "../../../device/connect/cloud-api.ts";
import { listScouts } from "../../../device/connect/list-scouts.ts";
import type { Device } from "../../../device/connection/device.ts";
import { isDeviceError } from "../../../device/errors.ts";
import { troubleLine } from "../../../device/sources/trouble.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import { isScoutsError } from "../../../events/errors.ts";
import type { ScoutId } from "../../../events/ids.ts";
import { printable } from "../../output/printable.ts";

interface Parts {
  readonly device: Device;
  readonly store: DeviceStore;
  readonly api: CloudApi;
}

export interface TroubleNews {
  /** One line with cause and cure. */
  readonly line: string;
  readonly scoutId: ScoutId;
  readonly code: string;
}

/**
 * Tells, in a program that stays, of each scout that is switched off, once, and of each that works again. Keeps what the
 * device knows of its scouts up to date, names included.
 */
export function tellTroubles(
  { device, store, api }: Parts,
  now: () => number,
  tell: { off(news: TroubleNews): void; mended(line: string, scoutId: ScoutId): void },
): void {
  const told = new Set<ScoutId>();

  const tellOff = () => {
    for (const scout of store.knownScouts.off()) {
      if (told.has(scout.id)) continue;
      told.add(scout.id);
      tell.off({ line: printable(troubleLine(scout, now())), scoutId: scout.id, code: scout.offCode });
    }
  };
  const isOpen = () => device.state !== "idle" && device.state !== "closing";
  const refresh = async () => {
    await untilNextTime(async () => {
      const scouts = await listScouts(api);
      if (isOpen()) store.knownScouts.replace(scouts);
    });
    await untilNextTime(async () => {
      if (isOpen()) tellOff();
    });
  };
  const notifyRecovered = (id: ScoutId) => {
    if (!told.delete(id)) return;
    tell.mended(`${printable(store.knownScouts.find(id)?.name ?? id)} reads its source again.`, id);
  };

  // Who begins to listen late has missed that it is connected.
  if (device.state === "ready") void refresh();
  device.events.on("ready", () => void refresh());
  device.events.on("reauth", () => void refresh());
  device.events.on("mended", ({ scoutId }) => notifyRecovered(scoutId));
  // Mended by another process on this data folder, which has noted it already.
  device.events.on("health", ({ scoutId, disabledCode }) => {
    if (disabledCode === null) notifyRecovered(scoutId);
  });
}

/** What is known, or told, already has to do until the next connection where home or store do not answer. */
async function untilNextTime(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDeviceError(error) && !isScoutsError(error)) throw error;
  }
}
