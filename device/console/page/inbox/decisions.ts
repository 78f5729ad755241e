import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiError, answerOf, api, type Proposal } from "../app/api.ts";
import { type EachOf, most, type Steps, undoAll } from "./bulk.ts";
import { proposalIsNow, refreshLists } from "./proposals.ts";

export type Outcome = "approved" | "rejected";

/** What a person does with proposals. */
type Done = Outcome | "snoozed" | "merged" | "assigned" | "muted" | "copied" | "saved" | "chosen";
/** How something was taken back; of a decision as the device says it (`UndoneBy`). */
type Back = "withdrawn" | "reopened" | "yielded" | "refused" | "removed" | "woken" | "heard";
/** What is said of proposals: also that something typed is kept, and that nothing can be taken back any more. */
export type What = Done | Back | "kept" | "late";

/** Proposals that something is done with together, and what one alone is called. */
export interface Meant {
  readonly ids: readonly string[];
  /** A stranger's words; null where it is more than one. */
  readonly subject: string | null;
}

/** What is said of proposals for a while. */
interface Notice extends Meant {
  readonly what: What;
  /** Until when they are out of sight, milliseconds since the epoch. */
  readonly untilMs?: number | undefined;
}

/** What has become of what was taken back. */
export interface Undone extends EachOf {
  readonly what: Back;
}

/** How far something is that is done with more than fit one request. It changes while that is done. */
interface Progress {
  readonly total: number;
  done: number;
  /** The rest is to stay as it is. */
  isStopped: boolean;
  /** Those that stayed so; undefined until it is over. */
  left?: readonly string[];
}

/** The last thing that was done: while it can be taken back, or what went wrong with it. */
export interface LastDecision extends Notice {
  /** Resolves when the device has kept it; with nothing where there was nothing to keep. */
  readonly kept: Promise<EachOf | undefined>;
  /** Takes `ids` back; none where there is nothing to take back. */
  readonly undo: ((ids: readonly string[], steps: Steps) => Promise<Undone>) | undefined;
  readonly error?: Error;
  readonly progress?: Progress | undefined;
}

/** How long it is said what was done, where the device says nothing of it. */
const saidForMs = 10_000;
/** What leaves a list of what waits. */
const leaving: readonly What[] = ["approved", "rejected", "snoozed", "merged"];

let decided: readonly LastDecision[] = [];
const listeners = new Set<() => void>();

function change(next: readonly LastDecision[]): void {
  decided = next;
  for (const listener of listeners) listener();
}

/** What is said of others; what is said of none is outdated by whatever is said next. */
const without = (ids: readonly string[]) =>
  decided.filter((each) => each.ids.length > 0 && !each.ids.some((id) => ids.includes(id)));
/** Proposals that are being taken back: what is asked for once more meanwhile would fail on what is done already. */
const returning = new Set<string>();
const end = (decision: LastDecision): void => change(decided.filter((each) => each !== decision));

const progressOf = (ids: readonly string[]): Progress | undefined =>
  ids.length > most ? { total: ids.length, done: 0, isStopped: false } : undefined;

const stepsOf = (progress: Progress | undefined): Steps => ({
  done(count) {
    if (progress === undefined) return;
    progress.done = count;
    change([...decided]);
  },
  isStopped: () => progress?.isStopped ?? false,
});

/** Leaves what has not been asked for yet of something that is done with many as it is. */
export function stop({ progress }: LastDecision): void {
  if (progress === undefined) return;
  progress.isStopped = true;
  change([...decided]);
}

/** Those it was done with: what was refused may be another tab's decision, and is not ours to take back. */
function doneOf(ids: readonly string[], { refused = [], left = [] }: Partial<EachOf> = {}): readonly string[] {
  const not = new Set([...refused.map(({ id }) => id), ...left]);
  return ids.filter((id) => !not.has(id));
}

/** Whether it is still being done with many. */
export const isGoingOn = ({ progress, error }: LastDecision): boolean =>
  error === undefined && progress !== undefined && progress.left === undefined;

// What a tab that is closed has not asked for is never asked for.
addEventListener("beforeunload", (event) => {
  if (decided.some(isGoingOn)) event.preventDefault();
});

/** Says something of proposals for a while; what leads somewhere stays until it is closed. */
export function say(notice: Notice): void {
  const said: LastDecision = { ...notice, kept: Promise.resolve(undefined), undo: undefined };
  change([...without(notice.ids), said]);
  if (notice.what !== "late") setTimeout(() => end(said), saidForMs);
}

/** Decisions of the last seconds, oldest first. */
export const useLastDecisions = (): readonly LastDecision[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => decided,
  );

/** What its person has decided and lists may still hold. */
export const decidedIds = (decisions: readonly LastDecision[]): ReadonlySet<string> =>
  new Set(decisions.flatMap(({ ids, what, error }) => (error === undefined && leaving.includes(what) ? ids : [])));

/** Proposals as something is done with them together. */
export const meant = (proposals: readonly Pick<Proposal, "id" | "rawSubject">[]): Meant => ({
  ids: proposals.map(({ id }) => id),
  subject: proposals.length === 1 ? (proposals[0]?.rawSubject ?? "") : null,
});

/** Takes a decision back, with what it made. @throws ApiError */
export async function undoOne(id: string): Promise<Undone> {
  const { proposal, by } = await answerOf(api.proposals[":id"].decision.$delete({ param: { id } }));
  return { what: by, proposals: [proposal], refused: [] };
}

/** The same of several. @throws ApiError */
export const undoSeveral = async (ids: readonly string[], steps: Steps): Promise<Undone> => ({
  what: "withdrawn",
  ...(await undoAll(ids, steps)),
});

/** What can still be taken back though the tab does not remember it: it was loaded anew, or another one has decided. */
export function recall(held: readonly { readonly proposal: Proposal; readonly undoableMs: number }[]): void {
  for (const { proposal, undoableMs } of held) {
    const { id, status } = proposal;
    if (status !== "approved" && status !== "rejected") continue;
    if (decided.some(({ ids }) => ids.includes(id))) continue;
    const known = { ...meant([proposal]), what: status, kept: Promise.resolve(undefined), undo: () => undoOne(id) };
    change([...decided, known]);
    setTimeout(() => end(known), undoableMs);
  }
}

/** What a person makes of proposals. It is shown at once, and taken back when the device refuses. */
export function useDecisions() {
  const client = useQueryClient();
  const failed = (decision: LastDecision, ids: readonly string[]) => (error: Error) => {
    change([...without(ids), { ...decision, ids, error }]);
    // Another tab may have been first: then it is another proposal than the one that is shown.
    for (const id of ids) void client.invalidateQueries({ queryKey: ["proposal", id] });
    void refreshLists(client);
  };

  /** Says why something could not be done where nothing that has asked for it is there to say so. */
  const failedLate = (notice: Notice, error: Error): void =>
    failed({ ...notice, kept: Promise.resolve(undefined), undo: undefined }, notice.ids)(error);

  /** Shows proposals as they are now, and says why some were refused. @returns what was done; undefined where nothing was */
  function settle(decision: LastDecision, { proposals, refused, left = [] }: EachOf): LastDecision | undefined {
    for (const proposal of proposals) proposalIsNow(client, proposal);
    const { progress } = decision;
    if (progress !== undefined) {
      progress.left = left;
      change([...decided]);
    }
    const [first] = refused;
    if (first === undefined && left.length === 0) return decision;
    const ids = doneOf(decision.ids, { refused, left });
    const done = ids.length > 0 ? { ...decision, ids } : undefined;
    // The others can be taken back as before, unless that was asked for already.
    if (decided.includes(decision)) change(decided.flatMap((each) => (each === decision ? (done ?? []) : each)));
    if (first === undefined) return done;
    const { progress: _, ...alone } = decision;
    const ofRefused = refused.map(({ id }) => id);
    failed(ofRefused.length === 1 ? alone : { ...alone, subject: null }, ofRefused)(new ApiError(first.why, 409));
    return done;
  }

  /** Shows that something is done, then what became of it: those that were refused say why. */
  async function perform(decision: LastDecision, asked: Promise<EachOf>): Promise<boolean> {
    change([...without(decision.ids), decision]);
    try {
      const each = await asked;
      const done = settle(decision, each);
      if (done !== undefined) setTimeout(() => end(done), each.undoableMs ?? saidForMs);
      return done === decision;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failed(decision, decision.ids)(error);
      return false;
    }
  }

  /** Does something with as many as there are: it is shown how far that is, and it can be stopped. */
  function performMany(
    of: Meant,
    { what, undo, untilMs }: Pick<LastDecision, "what" | "undo" | "untilMs">,
    ask: (steps: Steps) => Promise<EachOf>,
  ) {
    const progress = progressOf(of.ids);
    const kept = ask(stepsOf(progress));
    void perform({ ...of, what, untilMs, kept, undo, progress }, kept);
  }

  function decide(proposal: Proposal, outcome: Outcome): void {
    const { id, revision } = proposal;
    const json = outcome === "approved" ? { outcome, seen: revision } : { outcome };
    const kept = answerOf(api.proposals[":id"].decision.$put({ param: { id }, json })).then(
      ({ proposal: now, undoableMs }): EachOf => ({ proposals: [now], refused: [], undoableMs }),
    );
    void perform({ ...meant([proposal]), what: outcome, kept, undo: () => undoOne(id) }, kept);
  }

  /** Takes something back, and says how. */
  async function takeBack({ ids, subject }: Meant, back: NonNullable<LastDecision["undo"]>): Promise<void> {
    const progress = progressOf(ids);
    const asked: LastDecision = {
      ids,
      subject,
      what: "withdrawn",
      kept: Promise.resolve(undefined),
      undo: undefined,
      progress,
    };
    if (progress !== undefined) change([...without(ids), asked]);
    try {
      const undone = await back(ids, stepsOf(progress));
      const isAll = settle(asked, undone) === asked;
      if (isAll) say({ ids, subject, what: undone.what });
      if (undone.proposals.length === 0) void refreshLists(client);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failed(asked, ids)(error);
    }
  }

  /** Takes the last decision back, or says that it is too late for that. */
  async function undo(): Promise<void> {
    const last = decided.findLast(({ error, undo: back }) => error === undefined && back !== undefined);
    if (last?.undo === undefined) {
      say({ ids: [], subject: null, what: "late" });
      return;
    }
    end(last);
    stop(last);
    // On a slow line the undoing would overtake the decision. One that failed says so itself.
    const ids = await last.kept.then(
      (each) => doneOf(last.ids, each),
      () => [],
    );
    if (ids.length > 0) await takeBack({ ...last, ids }, last.undo);
  }

  function returnOne(proposal: Proposal, back: () => Promise<Undone>): void {
    const { id } = proposal;
    if (returning.has(id)) return;
    returning.add(id);
    void takeBack(meant([proposal]), back).finally(() => returning.delete(id));
  }

  /** Takes back what was decided, however long ago: what the cloud knows of is open again on every device. */
  const undecide = (proposal: Proposal): void => returnOne(proposal, () => undoOne(proposal.id));

  /** Opens what was decided again, here or elsewhere; what it has become stays. */
  const reopen = (proposal: Proposal): void =>
    returnOne(proposal, async () => {
      const { proposal: now } = await answerOf(api.proposals[":id"].reopen.$post({ param: { id: proposal.id } }));
      return { what: "reopened", proposals: [now], refused: [] };
    });

  return { decide, perform, performMany, undo, undecide, reopen, failed: failedLate, dismiss: end };
}
