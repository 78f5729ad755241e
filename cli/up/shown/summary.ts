import type { ClosedUndecided } from "../../../device/store/tables/proposals/list.ts";
import { type ErrorCode, errorKinds } from "../../../events/error-kinds.ts";
import { counted } from "../../output/counted.ts";
import type { FolderTotals } from "../../projects/shown-rescans.ts";
import { hasReadAll } from "../drain.ts";
import { type ItemCounts, judged } from "../item-counts.ts";
import type { LocalSystem } from "../system.ts";
import type { NotLookedAt } from "./not-looked-at-text.ts";

/** What `scouts up --once --json` ends with. `messages = relevant + unjudged + spam + deadLettered + waiting + failed`. */
export interface Summary {
  /** Those that are watched. */
  readonly messages: number;
  readonly relevant: number;
  /** Shown to the person without a verdict. */
  readonly unjudged: number;
  readonly spam: number;
  /** Of the last three: since the home was started. */
  readonly judgedNow: number;
  /** Proposals in the device's own database. */
  readonly delivered: number;
  /** Proposals the cloud knows the device has stored, or the person has decided. */
  readonly acked: number;
  readonly deadLettered: number;
  /** Not judged, because the language model cannot be asked; some of them are not listed yet. */
  readonly waiting: number;
  /** Why, and since when. */
  readonly model: { readonly code: ErrorCode; readonly since: number } | null;
  readonly failed: number;
  /** Present when the mailbox's scout looks at nothing, and why (`scout_paused`, say): what `failed` counts waits for it. */
  readonly idle?: ErrorCode;
  readonly tokens: { readonly in: number; readonly out: number };
  readonly requests: Readonly<Record<"sqs" | "dynamodb" | "s3" | "websocket" | "gmail" | "model", number>>;
  readonly ms: number;
  /** Messages that are not watched: by where they lie, or by the choice that leaves them out. */
  readonly notLookedAt: NotLookedAt;
  /** Present when proposals were closed of late because nobody had decided them for thirty days. */
  readonly closedUndecided?: ClosedUndecided;
  /** Present when a folder was due for a rescan. */
  readonly folders?: FolderTotals;
}

/**
 * The numbers at the end of a run. Messages of the mailbox that have no row yet count as unfinished, but for those of
 * before the scout.
 *
 * @param startedAtMs and `nowMs` are milliseconds of one clock, whichever
 */
export function summaryOf(system: LocalSystem, counts: ItemCounts, startedAtMs: number, nowMs: number): Summary {
  const { world, home, store } = system;
  const { services } = home.requests();
  const { relevant, unjudged, spam, deadLettered, waiting, failed } = judged(counts);
  const { watched, aside } = world.mailbox.stats();
  const { model, idle } = counts;
  // What is gone from the mailbox by now has its row all the same.
  const listed = relevant + unjudged + spam + deadLettered + waiting + failed;
  const missing = system.isRemoved ? 0 : Math.max(0, watched - listed);
  // A scout sees what comes from its beginning on: the one before it saw the rest.
  const before = system.isMadeAnew && hasReadAll(system, counts) ? missing : 0;
  // A message without any row yet is unfinished business as well.
  const unlisted = missing - before;
  const messages = system.isRemoved ? 0 : listed + unlisted;
  return {
    messages,
    relevant,
    unjudged,
    spam,
    judgedNow: counts.judgedNow,
    delivered: Object.values(store.proposals.counts()).reduce((sum, count) => sum + count, 0),
    acked: counts.byStatus.delivered + counts.byStatus.acked,
    deadLettered,
    waiting: waiting + (model ? unlisted : 0),
    model: model ? { code: model.code, since: model.sinceMs } : null,
    failed: failed + (model ? 0 : unlisted),
    ...(idle && { idle }),
    tokens: counts.tokens,
    requests: {
      sqs: services["sqs"] ?? 0,
      dynamodb: services["dynamodb"] ?? 0,
      s3: services["s3"] ?? 0,
      websocket: services["websocket"] ?? 0,
      gmail: world.mailbox.requests(),
      model: world.modelRequests(),
    },
    ms: Math.round(nowMs - startedAtMs),
    notLookedAt: { ...aside, ...(before > 0 && { before }) },
  };
}

/** Whether all that is judged was judged since the home was started. */
export const isOfThisStart = ({ relevant, unjudged, spam, judgedNow }: Summary): boolean =>
  judgedNow === relevant + unjudged + spam;

/** What was judged in this start, and what became of all there is. */
export function judgedText(summary: Summary): string {
  const { messages, relevant, spam, judgedNow, ms } = summary;
  const became = `${relevant} worth your attention, ${spam} spam${restOf(summary)}.`;
  const inTime = `in ${(ms / 1000).toFixed(1)} s`;
  if (isOfThisStart(summary)) return `${counted(messages, "message")} ${inTime}: ${became}`;
  const fresh = judgedNow === 0 ? "No new message" : `${counted(judgedNow, "new message")} ${inTime}`;
  return `${fresh}. Of ${messages} in all: ${became}`;
}

/** What got no verdict, for the line that sums up. */
function restOf({ unjudged, waiting, deadLettered, failed }: Summary): string {
  const rest = [
    [unjudged, "shown without a verdict"],
    [waiting, "waiting for the model"],
    [deadLettered, "set aside"],
    [failed, "unfinished"],
  ] as const;
  return rest.map(([count, what]) => (count > 0 ? `, ${count} ${what}` : "")).join("");
}

/** What waits for a scout that looks at nothing, and why it does not; nothing where none does. */
export function waitsForScoutText({ failed, idle }: Summary): string | undefined {
  if (idle === undefined || failed === 0) return undefined;
  return `${counted(failed, "message waits", "messages wait")} for the mailbox's scout: ${errorKinds[idle].sentence} (${idle})`;
}

/** The sentence that says what is not as it should be, if anything. */
export function shortfall(summary: Summary): string | undefined {
  const { waiting, model, relevant, unjudged } = summary;
  if (waiting > 0) {
    const why = model ? ` ${errorKinds[model.code].sentence} (${model.code})` : "";
    return `${counted(waiting, "message waits", "messages wait")} for the language model, nothing is lost.${why}`;
  }
  const waitsForScout = waitsForScoutText(summary);
  if (waitsForScout !== undefined) return waitsForScout;
  if (summary.failed > 0) return `${counted(summary.failed, "message")} without a verdict yet.`;
  if (summary.delivered < relevant + unjudged) {
    return `${counted(relevant + unjudged - summary.delivered, "proposal")} not on the device yet.`;
  }
  return undefined;
}

/**
 * What to do where no message got a verdict. What waits, or is not done with, the next run takes up; what is shown without
 * a verdict, or was set aside, has had its tries and is judged only when somebody asks for it.
 */
export function nothingJudgedText({ unjudged, deadLettered, waiting, failed }: Summary): string {
  const tried = unjudged + deadLettered;
  if (tried === 0 || waiting + failed > 0)
    return "Nothing was judged. Once that is mended, run the same command again.";
  return `Nothing was judged, and this command does not try ${counted(tried, "message")} again. While a home runs (\`scouts up\`), \`scouts ops items list\` says why, and once that is mended \`scouts ops items redrive --all\` has them judged anew.`;
}
