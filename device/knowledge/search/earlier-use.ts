import type { ProjectId } from "../../../events/ids.ts";
import { learnState } from "../../learn-state.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredAnswer } from "../../store/schema.ts";
import { folded } from "../../store/sqlite/folded-text.ts";
import { isEmptyWord } from "./index/empty-words.ts";
import { stemOf } from "./index/match-expression.ts";
import { parseQuery, type Query } from "./parse-query.ts";

/** Answers that are looked at, the newest. */
const mostLooked = 200;
/** A question has so much of an earlier one in common, of its own words, or nothing is learnt from that one. */
const leastShared = 0.5;
/** What a file gains by which all of a question was answered before. */
const mostGain = 0.3;

/** Why a file ranks higher than by what it says alone. */
export interface Gain {
  /** Of its score: 0.3 is 30 % more. */
  readonly share: number;
  /** The earlier question whose answer quoted it, and that answer's id. */
  readonly question: string;
  readonly answerId: string;
}

/**
 * Which files of a project earlier answers quoted, and on what questions: the next question like them ranks these files
 * higher. It rests on the answers that are kept, and is gone with them.
 */
export class EarlierUse {
  readonly #gains = new Map<string, Gain>();

  constructor(store: DeviceStore, projectId: ProjectId, query: Query) {
    const words = namingWords(query);
    if (words.size === 0) return;
    for (const answer of learntFrom(store, { projectId, limit: mostLooked })) {
      const asked = namingWords(parseQuery(answer.question));
      const shared = [...words].filter((word) => asked.has(word)).length / words.size;
      if (shared < leastShared) continue;
      const gain = { share: shared * mostGain, question: answer.question, answerId: answer.id };
      for (const path of quotedFiles(answer)) {
        if (gain.share > (this.#gains.get(path)?.share ?? 0)) this.#gains.set(path, gain);
      }
    }
  }

  /** What a file gains; undefined for one that no answer like this quoted. */
  gainOf(path: string): Gain | undefined {
    return this.#gains.get(path);
  }
}

/** A file that ranks higher, and the questions for which it does. */
export interface LearntFile {
  readonly projectId: ProjectId;
  readonly path: string;
  /** Newest first. */
  readonly questions: readonly string[];
}

/** What was learnt of files, those first that answered most. */
export function learntFiles(store: DeviceStore): LearntFile[] {
  const files = new Map<string, { projectId: ProjectId; path: string; questions: string[] }>();
  for (const answer of learntFrom(store, {})) {
    const { projectId, question } = answer;
    if (projectId === null) continue;
    for (const path of quotedFiles(answer)) {
      const key = `${projectId} ${path}`;
      const file = files.get(key) ?? { projectId, path, questions: [] };
      file.questions.push(question);
      files.set(key, file);
    }
  }
  return [...files.values()].toSorted((one, other) => other.questions.length - one.questions.length);
}

/** Answers that count, newest first; none where the person wants nothing learnt. */
function learntFrom(store: DeviceStore, filter: { projectId?: ProjectId; limit?: number }): StoredAnswer[] {
  const { isOn, sinceMs } = learnState(store, "files");
  return isOn ? store.answers.list(filter).filter(({ askedAt }) => askedAt > sinceMs) : [];
}

/** A search opens four files for every question; those that say something are named in the answer. */
const quotedFiles = ({ answer, files }: StoredAnswer): string[] => files.filter((path) => answer.includes(path));

function namingWords({ wanted }: Query): Set<string> {
  const tokens = wanted.flatMap(({ words }) => words.flatMap((word) => word.tokens));
  return new Set(tokens.filter((token) => !isEmptyWord(token)).map((token) => stemOf(folded(token)) ?? folded(token)));
}
