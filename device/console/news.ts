import type { Clock } from "../connection/clock.ts";
import type { Device } from "../connection/device.ts";
import type { DeviceEvents } from "../connection/events.ts";
import type { Rescans } from "../folders/indexer/rescans.ts";
import { proposalJson } from "../proposals/proposal-json.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";
import type { EventLog } from "./event-log.ts";

/** How often it is looked whether another process (the command line) has written. */
const foreignWriteCheckMs = 500;

export interface NewsSources {
  readonly device: Pick<Device, "events" | "state">;
  readonly store: DeviceStore;
  readonly clock: Clock;
  readonly rescans: Pick<Rescans, "onScan">;
}

/** Puts what the device tells, and what other processes do to its store, into the log. @returns what ends it */
export function gatherNews({ device, store, clock, rescans }: NewsSources, log: EventLog): () => void {
  const told = (proposal: StoredProposal) => log.add({ type: "proposal", proposal: proposalJson(proposal) });
  const scouts = () => log.add({ type: "scouts" });
  const state = ({ from, to }: DeviceEvents["state"][0]) => {
    if (from === "ready" || to === "ready") log.add({ type: "connection", online: to === "ready" });
  };
  device.events.on("proposal", told).on("categorized", told).on("closed", told).on("state", state);
  device.events.on("reauth", scouts).on("mended", scouts).on("health", scouts);
  const stopScans = rescans.onScan(scouts);
  const stopWatching = watchForeignWrites(store, clock, () => log.add({ type: "changed" }));
  return () => {
    stopWatching();
    stopScans();
    device.events.off("proposal", told).off("categorized", told).off("closed", told).off("state", state);
    device.events.off("reauth", scouts).off("mended", scouts).off("health", scouts);
  };
}

function watchForeignWrites(store: DeviceStore, clock: Clock, onWrite: () => void): () => void {
  let seen = store.foreignVersion();
  let cancel = () => {};
  const watch = () => {
    cancel = clock.after(foreignWriteCheckMs, () => {
      const version = store.foreignVersion();
      if (version !== seen) onWrite();
      seen = version;
      watch();
    });
  };
  watch();
  return () => cancel();
}
