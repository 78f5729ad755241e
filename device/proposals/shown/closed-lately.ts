import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import type { ClosedUndecided } from "../../store/tables/proposals/list.ts";

/** For how long it is said that proposals were closed undecided: as long again as they had waited. */
const saidMs = 30 * 86_400_000;

/**
 * What was closed of late because nobody had decided it for thirty days: a home that was away for longer closes all that
 * waits at its next start.
 */
export const closedLately = ({ proposals }: Pick<DeviceStore, "proposals">, nowMs: number): ClosedUndecided =>
  proposals.closedUndecided(nowMs - saidMs);

/** The same, each of them that can be opened again. */
export const reopenable = ({ proposals }: Pick<DeviceStore, "proposals">, nowMs: number): StoredProposal[] =>
  proposals.list({ statuses: ["expired"] }).filter(({ id, closedReason, resolvedAt }) => {
    const isOfLate = closedReason === "expired" && (resolvedAt ?? 0) >= nowMs - saidMs;
    return isOfLate && !proposals.isOfRemoved(id);
  });
