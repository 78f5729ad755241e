import type { ProjectId } from "../../../events/ids.ts";
import type { DeviceStore } from "../../store/open.ts";
import { folded } from "../../store/sqlite/folded-text.ts";
import { isEmptyWord } from "./empty-words.ts";
import { stemOf } from "./match-expression.ts";
import { parseQuery, type Query } from "./parse-query.ts";

/** Answers that are looked at, the newest. */
const mostLooked = 200;
/** A question has so much of an earlier one in common, of its own words, or nothing is learnt from that one. */
const leastShared = 0.5;
/** What a file gains by which all of a question was answered before. */
const mostGain = 0.3;

/**
 * Which files of a project earlier answers quoted, and on what questions: the next question like them ranks these files
 * higher. It rests on the answers that are kept, and is gone with them.
 */
export class EarlierUse {
  readonly #gains = new Map<string, number>();

  constructor(store: DeviceStore, projectId: ProjectId, query: Query) {
    const words = namingWords(query);
    if (words.size === 0) return;
    for (const { question, answer, files } of store.answers.list({ projectId, limit: mostLooked })) {
      const asked = namingWords(parseQuery(question));
      const shared = [...words].filter((word) => asked.has(word)).length / words.size;
      if (shared < leastShared) continue;
      for (const path of files.filter((each) => answer.includes(each))) {
        this.#gains.set(path, Math.max(this.#gains.get(path) ?? 0, shared * mostGain));
      }
    }
  }

  /** What a file's score is multiplied by: 1 for one that no answer like this quoted. */
  factorOf(path: string): number {
    return 1 + (this.#gains.get(path) ?? 0);
  }
}

function namingWords({ wanted }: Query): Set<string> {
  const tokens = wanted.flatMap(({ words }) => words.flatMap((word) => word.tokens));
  return new Set(tokens.filter((token) => !isEmptyWord(token)).map((token) => stemOf(folded(token)) ?? folded(token)));
}
