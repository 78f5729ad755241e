import type { ProjectId } from "../../events/ids.ts";
import { severalCalled } from "../errors/several-called.ts";
import { DeviceError } from "../errors.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredAnswer } from "../store/schema.ts";

/** One question and its answer, as a run that goes on from them is told. */
export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

/** What a run is told of what came before, at most; the newest of it. */
const mostExchanges = 4;
const mostCharacters = 12_000;

/** The beginning of an id that names an answer at least. */
const shortestPrefix = 8;

/**
 * The answer a person goes on from: by its id or how that begins, else the latest, of a project where one is named.
 *
 * @throws DeviceError `answer_unknown`, `kept_locked`, `passphrase_wrong`, `usage` when several are meant
 */
export function answerNamed(store: DeviceStore, named: string | undefined, projectId?: ProjectId): StoredAnswer {
  const locked = store.answers.sealed() > 0 ? store.vault.lockedBy() : undefined;
  if (locked !== undefined) throw locked;
  if (named === undefined) {
    const [latest] = store.answers.list({ ...(projectId !== undefined && { projectId }), limit: 1 });
    if (latest === undefined) throw new DeviceError("answer_unknown");
    return latest;
  }
  const exact = store.answers.find(named);
  if (exact !== undefined) return exact;
  const found = named.length < shortestPrefix ? [] : store.answers.list().filter(({ id }) => id.startsWith(named));
  const [only, another] = found;
  if (another !== undefined) {
    throw severalCalled("answers", named, found);
  }
  if (only === undefined) throw new DeviceError("answer_unknown", { data: { id: named } });
  return only;
}

/** What was said up to an answer, oldest first, as far as a run is told of it. */
export function conversationUpTo(store: DeviceStore, last: StoredAnswer): Exchange[] {
  const exchanges: Exchange[] = [];
  let characters = 0;
  for (let at: StoredAnswer | undefined = last; at !== undefined && exchanges.length < mostExchanges; ) {
    const { question, answer, follows }: StoredAnswer = at;
    characters += question.length + answer.length;
    if (exchanges.length > 0 && characters > mostCharacters) break;
    exchanges.unshift({ question, answer: answer.slice(0, mostCharacters).toWellFormed() });
    at = follows === null ? undefined : store.answers.find(follows);
  }
  return exchanges;
}
