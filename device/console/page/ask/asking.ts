import { useSyncExternalStore } from "react";
import type { AskEnd, AskLine, AskStep } from "../../ask/contract.ts";
import { ApiError } from "../app/api.ts";
import { typedTexts } from "../form/typed-texts.ts";
import { ask, type Question } from "./ask-stream.ts";

/** A question while it is answered, and until another one is asked. */
export interface Asking {
  readonly question: Question;
  readonly text: string;
  readonly steps: readonly AskStep[];
  /** The home is out of reach. */
  readonly isLost: boolean;
  /** `slow`: nothing new has come for long; `silent`: the device says nothing at all. */
  readonly pace: "well" | "slow" | "silent";
  readonly state: "asked" | "answered" | "cancelled" | "failed";
  readonly end: AskEnd | null;
  readonly error: Error | null;
}

/** The device sends a line every fifteen seconds at least. */
const silentMs = 40_000;
const slowMs = 20_000;
/** Steps that are shown: the last ones. */
const mostSteps = 200;
/** Answers whose evidence this tab remembers. */
const mostEnds = 50;

let asked: ReadonlyMap<string, Asking> = new Map();
const cancels = new Map<string, AbortController>();
const ends = new Map<string, Pick<Asking, "end" | "steps">>();
const listeners = new Set<() => void>();

function put(scope: string, asking: Asking | undefined): void {
  const next = new Map(asked);
  if (asking === undefined) next.delete(scope);
  else next.set(scope, asking);
  asked = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

// A question ends with its tab, and nothing of it is kept.
addEventListener("beforeunload", (event) => {
  if ([...asked.values()].some(({ state }) => state === "asked")) event.preventDefault();
});

/** What is being asked in a scope: a project, or everything. It goes on while other pages are looked at. */
export const useAsking = (scope: string): Asking | undefined => useSyncExternalStore(subscribe, () => asked.get(scope));

/** How an answer came about, when it did in this tab. */
export const endOf = (answerId: string) => ends.get(answerId);

/** A question as it is typed. */
interface TypedQuestion {
  readonly text: string;
  /** What goes along, one a line. */
  readonly attached: string;
}

const questions = typedTexts<TypedQuestion>(({ text, attached }) => [text, attached]);

/** What was typed in a scope and not asked yet; it is kept nowhere else. */
export const typedIn = (scope: string): TypedQuestion => questions.of(scope) ?? { text: "", attached: "" };
export const keepTyped = (scope: string, typed: TypedQuestion): void =>
  questions.keep(scope, typed.text.trim() === "" && typed.attached.trim() === "" ? undefined : typed);

/** Ends what is asked there. Nothing happens when nothing is. */
export function cancelAsking(scope: string): void {
  cancels.get(scope)?.abort();
}

/** Lets go of what is shown of an answer that has ended. */
export function forgetAsking(scope: string): void {
  if (asked.get(scope)?.state !== "asked") put(scope, undefined);
}

/** Asks, one question in a scope at a time. */
export async function beginAsking(scope: string, question: Question): Promise<void> {
  if (asked.get(scope)?.state === "asked") return;
  const cancel = new AbortController();
  cancels.set(scope, cancel);
  let now: Asking = {
    question,
    text: "",
    steps: [],
    isLost: false,
    pace: "well",
    state: "asked",
    end: null,
    error: null,
  };
  const change = (part: Partial<Asking>) => {
    now = { ...now, ...part };
    put(scope, now);
  };
  change({});
  const pace = watchPace((state) => change({ pace: state }));
  try {
    await ask(question, cancel.signal, (line) => {
      pace.heard(line.type !== "beat");
      if (line.type !== "beat") change(changeBy(now, line));
    });
    if (now.state === "asked") change({ state: "cancelled" });
  } catch (error) {
    // The page goes away with the tab's sign-in, and with it what leads back to the question.
    if (error instanceof ApiError && error.status === 401)
      keepTyped(scope, { text: question.text, attached: (question.attachments ?? []).join("\n") });
    if (cancel.signal.aborted) change({ state: "cancelled" });
    else change({ state: "failed", error: error instanceof Error ? error : new Error(String(error)) });
  } finally {
    pace.stop();
    change({ pace: "well" });
    cancels.delete(scope);
    remember(now);
  }
}

function changeBy({ text, steps }: Asking, line: Exclude<AskLine, { type: "beat" }>): Partial<Asking> {
  const heard = { pace: "well" } as const;
  if (line.type === "text") return { ...heard, text: line.kind === "append" ? text + line.text : line.text };
  if (line.type === "step") return { ...heard, steps: [...steps, line.step].slice(-mostSteps) };
  if (line.type === "connection") return { ...heard, isLost: line.state === "lost" };
  if (line.type === "failed") return { ...heard, state: "failed", error: new ApiError(line.error, 0) };
  const { status } = line.end;
  const state = status === "completed" ? "answered" : status === "cancelled" ? "cancelled" : "failed";
  return { ...heard, state, end: line.end };
}

function remember({ end, steps }: Asking): void {
  if (end?.answerId == null) return;
  ends.set(end.answerId, { end, steps });
  const [oldest] = ends.keys();
  if (ends.size > mostEnds && oldest !== undefined) ends.delete(oldest);
}

/** Says when nothing new comes, and when nothing comes at all. */
function watchPace(onPace: (pace: "slow" | "silent") => void) {
  let slow = setTimeout(() => onPace("slow"), slowMs);
  let silent = setTimeout(() => onPace("silent"), silentMs);
  return {
    heard(isNews: boolean) {
      clearTimeout(silent);
      silent = setTimeout(() => onPace("silent"), silentMs);
      if (!isNews) return;
      clearTimeout(slow);
      slow = setTimeout(() => onPace("slow"), slowMs);
    },
    stop() {
      clearTimeout(slow);
      clearTimeout(silent);
    },
  };
}
