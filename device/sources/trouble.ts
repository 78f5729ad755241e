import { type ErrorCode, errorKinds } from "../../events/error-kinds.ts";
import { ScoutsError } from "../../events/errors.ts";
import type { ScoutHealth } from "../../events/health.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import type { ScoutId } from "../../events/ids.ts";
import type { UnreachedReason } from "../../events/sources/unreached.ts";
import { age } from "../age.ts";
import { asWord } from "../shell-words.ts";
import { vanishedCode } from "../store/tables/known-scouts.ts";
import { unreachedFor } from "./explained.ts";
import { type StateFacts, stateOf } from "./state.ts";

/** A scout that is switched off, as far as it is known. */
export interface Trouble {
  readonly id: ScoutId;
  readonly name: string | null;
  readonly offCode: ErrorCode;
  /** Milliseconds since the epoch. */
  readonly offSince: number | null;
}

/** What a person calls the scout in a command. */
export const wordFor = ({ id, name }: Pick<Trouble, "id" | "name">): string => asWord(name ?? id);

const causes: Partial<Record<ErrorCode, string>> = {
  reauth: "access to its source was withdrawn, or its password was changed",
  consent_incomplete: "access to its source was not granted in full",
  source_forbidden: "the source's administrator does not allow access",
  source_wants_password: "its source asks for a password, and feeds are read without one",
  source_gone: "its source is gone for good",
  source_in_use: "another scout of yours reads the same source by now, and two would propose everything twice",
  scout_not_found:
    "the home does not know it any more: removed from another device, or lost when the home was restored from an older copy",
  source_folder_unknown: "a folder it is to read was renamed or deleted at its source, or does not open",
};

const commands: Partial<Record<ErrorCode, "reconnect" | "remove">> = {
  reauth: "reconnect",
  consent_incomplete: "reconnect",
  source_forbidden: "reconnect",
  source_wants_password: "remove",
  source_gone: "remove",
  source_in_use: "remove",
  scout_not_found: "remove",
};

/** Why a scout is switched off, in a few words. */
export function causeOf(code: ErrorCode): string {
  return causes[code] ?? asClause(errorKinds[code].sentence);
}

const asClause = (sentence: string): string =>
  sentence.replace(/\.$/, "").replace(/^[A-Z]/, (first) => first.toLowerCase());

/** What to type to mend it. */
export const commandFor = (trouble: Pick<Trouble, "id" | "name" | "offCode">): string =>
  `scouts ${commands[trouble.offCode] ?? "health"} ${wordFor(trouble)}`;

/** What to type to mend it, and when. */
export function cureOf(trouble: Pick<Trouble, "id" | "name" | "offCode">): string {
  const command = commandFor(trouble);
  if (trouble.offCode === "scout_not_found") return `scouts add, to have it again; or, if you removed it, ${command}`;
  return trouble.offCode === "source_forbidden" ? `${command}, once the administrator has allowed it` : command;
}

/** One line with cause and cure. The name in it is as its owner wrote it. */
export function troubleLine(trouble: Trouble, nowMs: number): string {
  const { id, name, offCode, offSince } = trouble;
  const stood = offSince === null ? "now" : age(offSince, nowMs);
  const since = stood === "now" ? "reads nothing any more" : `has read nothing for ${stood}`;
  return `${name ?? id} ${since}: ${causeOf(offCode)}. To mend it: ${cureOf(trouble)}`;
}

/**
 * The scouts of a list that are switched off.
 *
 * @param known those this device knows to be off, and since when
 */
export function troublesIn(
  scouts: readonly Pick<ScoutResponse, "id" | "name" | "disabledCode" | "disabledAt">[],
  known: readonly Pick<Trouble, "id" | "offSince">[] = [],
): Trouble[] {
  return scouts.flatMap(({ id, name, disabledCode: offCode, disabledAt }) => {
    const offSince = disabledAt ?? known.find((each) => each.id === id)?.offSince ?? null;
    return offCode === null ? [] : [{ id, name, offCode, offSince }];
  });
}

/** Of the scouts that this device knows to be off, those that the home does not know. */
export const vanishedIn = <Known extends Pick<Trouble, "offCode">>(known: readonly Known[]): Known[] =>
  known.filter(({ offCode }) => offCode === vanishedCode);

/** A scout at work whose looks at its source fail. */
export interface Failing {
  readonly id: ScoutId;
  readonly name: string;
  readonly sourceType: string;
  readonly code: ErrorCode;
  /** Why the source was not reached, with what it answered, where that is known. */
  readonly reason?: UnreachedReason | undefined;
  readonly status?: number | undefined;
  /** When the first look failed and when the next is due, where that is known; milliseconds since the epoch. */
  readonly since: number | null;
  readonly nextAt: number | null;
  /** The folders that are not there, where that was asked. */
  readonly missing?: readonly string[];
}

/** The scouts of a list whose looks fail. */
export function failingIn(
  scouts: readonly (StateFacts & Pick<ScoutResponse, "id" | "name" | "sourceType" | "nextRunAt">)[],
): Failing[] {
  return scouts.flatMap((scout) => {
    const { state, since, code } = stateOf(scout);
    const { id, name, sourceType, nextRunAt: nextAt } = scout;
    const { reason, status } = scout.failing ?? {};
    return state === "failing" && code !== null ? [{ id, name, sourceType, code, reason, status, since, nextAt }] : [];
  });
}

/** What to type to have a scout read other folders: all of them are named. */
export const foldersCommandFor = (scout: Pick<Failing, "id" | "name">): string =>
  `scouts reconnect ${wordFor(scout)} --folder INBOX --folder …`;

/** Why the looks fail, as exactly as that is known. */
export const whyFailing = ({ code, reason, status }: Pick<Failing, "code" | "reason" | "status">) =>
  reason === undefined ? new ScoutsError(code) : unreachedFor(reason, status);

/** The same in a few words. */
export function causeOfFailing(failing: Pick<Failing, "code" | "reason" | "status">): string {
  if (failing.code === "reauth") return "its sign-in was refused, in passing or because its password was changed";
  return failing.reason === undefined ? causeOf(failing.code) : asClause(whyFailing(failing).message);
}

/** One line with cause, cure and when it is tried again. */
export function failingLine(failing: Failing, nowMs: number): string {
  const { id, name, code, since, nextAt } = failing;
  const stood = since === null ? "now" : age(since, nowMs);
  if (code === "source_folder_unknown") return foldersLine(failing, stood === "now" ? "" : ` for ${stood}`);
  const fails =
    stood === "now" ? "could not look at its source" : `has not been able to look at its source for ${stood}`;
  const waits = nextAt === null ? "now" : age(nowMs, nextAt);
  const again = waits === "now" ? "Tried again in a moment" : `Tried again in ${waits}`;
  const told = `${name} ${fails}: ${causeOfFailing(failing)} (${code}). ${again}, or at once: scouts run ${wordFor({ id, name })}`;
  if (code === "reauth") return `${told}. If its password was changed: scouts reconnect ${wordFor({ id, name })}`;
  return hasMoved(failing) ? `${told}. ${movedCure(failing)}` : told;
}

const ofAddress: ReadonlySet<string> = new Set([
  "missing",
  "denied",
  "source_no_feed",
  "source_leads_round",
  "source_items_change",
]);

/** Whether it may be that a feed is somewhere else now: a feed at another address is another scout's. */
export const hasMoved = ({ sourceType, code, reason }: Failing): boolean =>
  sourceType === "feed" && ofAddress.has(reason ?? code);

const movedCure = (failing: Failing): string =>
  `If it is at another address now: scouts add feed URL, then scouts remove ${wordFor(failing)}`;

/** The same of one that reads on without some of its folders. */
function foldersLine({ id, name, code, missing = [] }: Failing, stood: string): string {
  const which = missing.length === 0 ? "one of its folders" : `its ${missing.join(", ")}`;
  const ask = missing.length === 0 ? `Which: scouts health ${wordFor({ id, name })}. ` : "";
  const why = "renamed or deleted at its source, or it does not open";
  return `${name} has not found ${which}${stood}: ${why} (${code}). ${ask}To name all it is to read: ${foldersCommandFor({ id, name })}`;
}

/** The sentences of every code in a scout's health, for whoever shows it. */
export function sentencesIn(health: ScoutHealth): Partial<Record<ErrorCode, string>> {
  const { disabledCode, watch, failures, backlog, waiting, damaged } = health;
  const backlogCodes = Object.keys(errorKinds).filter((code): code is ErrorCode => Object.hasOwn(backlog.byCode, code));
  const ofRows: ErrorCode[] = damaged === undefined ? [] : ["row_damaged"];
  const codes = [disabledCode, watch.failureCode, failures.code, waiting?.code ?? null, ...backlogCodes, ...ofRows];
  return Object.fromEntries(codes.flatMap((code) => (code === null ? [] : [[code, errorKinds[code].sentence]])));
}
