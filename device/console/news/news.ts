import type { ProjectId } from "../../../events/ids.ts";
import type { Clock } from "../../connection/clock.ts";
import type { Device } from "../../connection/device.ts";
import type { DeviceEvents } from "../../connection/events.ts";
import { isDeviceError } from "../../errors.ts";
import type { RescanProgress } from "../../folders/indexer/rescan-project.ts";
import type { Rescans } from "../../folders/indexer/rescans.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { localTimeAt } from "../../work/dates/zone.ts";
import { shownProposal } from "../inbox/shown.ts";
import type { EventLog } from "./event-log.ts";

const progressEveryMs = 500;
/** How often it is looked whether another process (the command line) has written, or anybody changed the person's work. */
const writeCheckMs = 500;
/** How often it is looked whether the time has changed something. */
const timeCheckMs = 10_000;

export interface NewsSources {
  readonly device: Pick<Device, "events" | "state">;
  readonly store: DeviceStore;
  readonly clock: Clock;
  readonly rescans: Pick<Rescans, "onScan" | "onProgress">;
  /** The IANA zone of the person. */
  readonly zone: () => string;
}

/** Puts what the device tells, and what other processes do to its store, into the log. @returns what ends it */
export function gatherNews({ device, store, clock, rescans, zone }: NewsSources, log: EventLog): () => void {
  const told = (row: StoredProposal) =>
    log.add({ type: "proposal", proposal: shownProposal(row, { nowMs: clock.now(), zone: zone() }) });
  const scouts = () => log.add({ type: "scouts" });
  const state = ({ from, to }: DeviceEvents["state"][0]) => {
    if (from === "ready" || to === "ready") log.add({ type: "connection", online: to === "ready" });
  };
  device.events.on("proposal", told).on("categorized", told).on("closed", told).on("conflict", told);
  device.events.on("state", state);
  device.events.on("reauth", scouts).on("mended", scouts).on("health", scouts);
  const stopScans = rescans.onScan(scouts);
  const stopProgress = rescans.onProgress(
    seldom(clock, (project, scan: RescanProgress) => log.add({ type: "scan", project, scan })),
  );
  const stopWatching = watch(store.foreignVersion, clock, () => log.add({ type: "changed" }));
  // Whoever changes it: a tab, a decision, the person's folder.
  const stopWork = watch(store.entityChanges.newest, clock, () => log.add({ type: "work" }));
  const stopTime = watchTime({ store, clock, zone }, () => log.add({ type: "changed" }));
  return () => {
    stopWatching();
    stopWork();
    stopTime();
    stopScans();
    stopProgress();
    device.events.off("proposal", told).off("categorized", told).off("closed", told).off("conflict", told);
    device.events.off("state", state);
    device.events.off("reauth", scouts).off("mended", scouts).off("health", scouts);
  };
}

/** Passes on how far a scan is: each new phase, and of one phase no more often than an eye follows. */
function seldom(clock: Clock, tell: (project: ProjectId, scan: RescanProgress) => void) {
  let last: { readonly project: ProjectId; readonly phase: string; readonly atMs: number } | undefined;
  return (project: ProjectId, scan: RescanProgress) => {
    const atMs = clock.now();
    const isSame = last?.project === project && last.phase === scan.phase;
    if (isSame && last !== undefined && atMs - last.atMs < progressEveryMs) return;
    last = { project, phase: scan.phase, atMs };
    tell(project, scan);
  };
}

/** Looks at a number until it is stopped, and tells when it is another one. */
function watch(read: () => number, clock: Clock, onChange: () => void): () => void {
  let seen = read();
  return every(writeCheckMs, clock, () => {
    const now = read();
    if (now !== seen) onChange();
    seen = now;
  });
}

/** Tells what nobody does: a day begins where the person is, and what was snoozed is to be shown again. */
function watchTime(
  { store, clock, zone }: Pick<NewsSources, "store" | "clock" | "zone">,
  onChange: () => void,
): () => void {
  const look = () => ({
    day: localTimeAt(clock.now(), zone()).slice(0, 10),
    wakesAtMs: store.proposals.snoozed().nextMs,
  });
  let seen = look();
  return every(timeCheckMs, clock, () => {
    const now = look();
    const isAwake = seen.wakesAtMs !== null && seen.wakesAtMs <= clock.now();
    if (isAwake || now.day !== seen.day) onChange();
    seen = now;
  });
}

function every(ms: number, clock: Clock, look: () => void): () => void {
  let cancel = () => {};
  const next = () => {
    cancel = clock.after(ms, () => {
      next();
      try {
        look();
      } catch (error) {
        // What cannot be read now is seen at the next look; whoever needs it meanwhile is told why they cannot have it.
        if (!isDeviceError(error)) throw error;
      }
    });
  };
  next();
  return () => cancel();
}
