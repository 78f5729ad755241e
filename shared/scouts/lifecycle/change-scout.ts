import { ScoutsError } from "../../../events/errors.ts";
import type { ChangeScoutRequest, ScoutResponse } from "../../../events/http/scouts.ts";
import type { SyncMessage } from "../../../events/queues.ts";
import { due } from "../../index-entries.ts";
import { ledgerKey } from "../../keys.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Queue } from "../../ports/queue.ts";
import { changeOf, type RowChange } from "../../ports/row-change.ts";
import type { Condition, Table } from "../../ports/table.ts";
import type { RingSealer } from "../../privacy/ring-sealer.ts";
import type { ConnectorRegistry } from "../connectors/connector.ts";
import { type DescribePorts, describeScout } from "../describe-scout.ts";
import { openProfile } from "../scout-profile.ts";
import {
  isAtWork,
  parseScoutRow,
  type ScoutProfile,
  type ScoutRow,
  type StoredScout,
  sealingContext,
  watchFacts,
} from "../scout-row.ts";
import { hintOrPoll } from "../sync/hint-or-poll.ts";
import { checkSchedule, nextPollAt } from "../sync/schedule.ts";

export interface ChangeScoutPorts extends DescribePorts {
  readonly ledger: Table;
  readonly connectors: ConnectorRegistry;
  readonly sync: Queue<SyncMessage>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/**
 * Changes what its owner may change about a scout, all of it or nothing.
 *
 * @throws scout_deleting, invalid_request (schedule), consent_incomplete (auto-trash without the right to it), conflict
 * (also when it is not as `was` says)
 */
export async function changeScout(
  ports: ChangeScoutPorts,
  row: ScoutRow,
  request: ChangeScoutRequest,
): Promise<ScoutResponse> {
  if (row.deleting) throw new ScoutsError("scout_deleting");
  if (request.was !== undefined) requireAsSeen(await describeScout(ports, row), request.was);
  if (request.autoTrash === true) await requireArchive(ports, row);
  const change = changeOf<StoredScout>(await changesOf(ports, row, request));
  if (!change.set && !change.remove) return describeScout(ports, row);
  const key = ledgerKey.scout(row.userId, row.scoutId);
  const changed = await ports.ledger.update(key, change, unchangedSince(row));
  if (!changed) throw new ScoutsError("conflict", { data: { scoutId: row.scoutId } });
  // What arrived meanwhile is listed from where the scout had stopped.
  if (row.paused && request.paused === false) await hintOrPoll(ports, row, "resumed");
  return describeScout(ports, parseScoutRow(changed));
}

/** Whoever changes what has become another meanwhile would undo somebody's change without knowing of it. */
function requireAsSeen(scout: ScoutResponse, was: NonNullable<ChangeScoutRequest["was"]>): void {
  const isOther =
    (was.name ?? scout.name) !== scout.name ||
    (was.purpose ?? scout.purpose) !== scout.purpose ||
    (was.schedule === undefined ? scout.schedule : was.schedule) !== scout.schedule ||
    (was.autoTrash ?? scout.autoTrash) !== scout.autoTrash ||
    (was.pauseAfterDays ?? scout.pauseAfterDays) !== scout.pauseAfterDays;
  if (isOther) throw new ScoutsError("conflict", { data: { scoutId: scout.id } });
}

/** Off by default, and on only where what it needs is granted: the person is asked for it when they turn it on. */
async function requireArchive({ connectors }: ChangeScoutPorts, row: ScoutRow): Promise<void> {
  const archive = connectors.get(row.sourceType)?.archive;
  if (!archive) throw new ScoutsError("invalid_request", { data: { where: "autoTrash" } });
  if (row.address === undefined) throw new ScoutsError("source_not_connected");
  if (!(await archive.granted(row))) throw new ScoutsError("consent_incomplete", { data: { for: "autoTrash" } });
}

async function changesOf(
  ports: ChangeScoutPorts,
  row: ScoutRow,
  request: ChangeScoutRequest,
): Promise<RowChange<StoredScout>> {
  const nowMs = ports.clock();
  const { autoTrash, paused, pauseAfterDays } = request;
  // Before it is asked when the scout is due: no schedule that is none says so.
  const schedule = request.schedule && checkSchedule(request.schedule, nowMs);
  const renamed = request.name !== undefined || request.purpose !== undefined;
  const dueAt = row.address === undefined ? undefined : nextLookAt(row, request, nowMs);
  return {
    set: {
      sealed: renamed ? await resealedProfile(await ports.vault(), row, request) : undefined,
      schedule: schedule || undefined,
      autoTrash: autoTrash || undefined,
      pauseAfterInactiveDays: pauseAfterDays ?? undefined,
      paused: paused || undefined,
      ...(dueAt === undefined ? {} : due.at("scout", row.scoutId, dueAt)),
    },
    remove: [
      ...(schedule === null ? (["schedule"] as const) : []),
      ...(pauseAfterDays === null ? (["pauseAfterInactiveDays"] as const) : []),
      ...(autoTrash === false ? (["autoTrash"] as const) : []),
      ...(paused === false ? (["paused"] as const) : []),
      // It may have been stopped meanwhile.
      ...(paused === false && row.paused ? watchFacts : []),
    ],
  };
}

/**
 * When a connected scout is to be looked at next, if the change bears on that: at once when it goes back to work, and when
 * it stops, for its watch is given up then.
 */
function nextLookAt(row: ScoutRow, request: ChangeScoutRequest, nowMs: number): number | undefined {
  const worked = isAtWork(row);
  const works = isAtWork({ ...row, paused: request.paused ?? row.paused });
  if (works !== worked) return nowMs;
  const schedule = request.schedule === undefined ? row.schedule : (request.schedule ?? undefined);
  return works && request.schedule !== undefined ? nextPollAt(schedule, nowMs) : undefined;
}

async function resealedProfile(sealer: RingSealer, row: ScoutRow, request: ChangeScoutRequest): Promise<string> {
  const profile = (await openProfile(sealer, row)).map(({ name, purpose, ...rest }) => {
    const changed: ScoutProfile = { ...rest, name: request.name ?? name, purpose: request.purpose ?? purpose };
    return JSON.stringify(changed);
  });
  return sealer.seal(profile, sealingContext(row, "profile"));
}

/** Two changes at once: the second to write has read what the first has overwritten, and is told so. */
function unchangedSince(row: ScoutRow): Condition {
  const same = (
    attribute: "paused" | "disabledCode" | "schedule" | "autoTrash" | "pauseAfterInactiveDays",
  ): Condition => {
    const value = row[attribute];
    return value === undefined ? { absent: [attribute] } : { path: [attribute], is: "=", value };
  };
  return {
    all: [
      { path: ["sealed"], is: "=", value: row.sealed },
      { absent: ["deleting"] },
      same("paused"),
      same("schedule"),
      same("autoTrash"),
      same("pauseAfterInactiveDays"),
      same("disabledCode"),
    ],
  };
}
