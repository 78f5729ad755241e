import { createHash } from "node:crypto";
import { and, desc, eq, isNull, lt, notInArray, sql } from "drizzle-orm";
import type { ProjectId } from "../../../events/ids.ts";
import { answers, type StoredAnswer } from "../schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** What is kept: older answers go when newer ones come. */
const mostKept = 1_000;

export interface AnswerTable {
  /** Keeps an answer; the same answer to the same question takes the place of the earlier one. */
  add(answer: Omit<StoredAnswer, "id" | "digest" | "askedAt">): StoredAnswer;
  /** Newest first; of one project, of none (null), or of all. */
  list(filter?: { readonly projectId?: ProjectId | null; readonly limit?: number }): StoredAnswer[];
  find(id: string): StoredAnswer | undefined;
  remove(id: string): void;
  /** @returns how many there were */
  clear(): number;
  /** Those of a project whose folder is not to be known any more. */
  forgetProject(id: ProjectId): void;
  /** Those of a project that rest on one of these files. */
  forgetFiles(id: ProjectId, paths: readonly string[]): void;
}

export function answerTable(
  db: Database,
  now: () => number,
  transaction: <T>(work: () => T) => T,
  newId: () => string,
): AnswerTable {
  const { id, projectId, digest, askedAt } = answers;
  const ofProject = (wanted: ProjectId | null | undefined) => {
    if (wanted === undefined) return undefined;
    return wanted === null ? isNull(projectId) : eq(projectId, wanted);
  };
  const newest = [desc(askedAt), desc(id)] as const;
  const list: AnswerTable["list"] = ({ projectId: wanted, limit = -1 } = {}) =>
    db
      .select()
      .from(answers)
      .where(ofProject(wanted))
      .orderBy(...newest)
      .limit(limit)
      .all();
  return {
    add: (answer) =>
      transaction(() => {
        const row = { ...answer, id: `ans_${newId()}`, digest: digestOf(answer), askedAt: now() };
        db.delete(answers).where(eq(digest, row.digest)).run();
        const added = db.insert(answers).values(row).returning().get();
        const kept = db
          .select({ id })
          .from(answers)
          .orderBy(...newest)
          .limit(mostKept);
        db.delete(answers)
          .where(and(notInArray(id, kept), lt(askedAt, row.askedAt)))
          .run();
        return added;
      }),
    list,
    find: (wanted) => db.select().from(answers).where(eq(id, wanted)).get(),
    remove: (wanted) => void db.delete(answers).where(eq(id, wanted)).run(),
    clear: () => db.delete(answers).returning({ id }).all().length,
    forgetProject: (wanted) => void db.delete(answers).where(eq(projectId, wanted)).run(),
    forgetFiles: (wanted, paths) =>
      transaction(() => {
        const gone = new Set(paths);
        for (const row of list({ projectId: wanted })) {
          if (row.files.some((path) => gone.has(path))) db.delete(answers).where(sql`${id} = ${row.id}`).run();
        }
      }),
  };
}

/** What two answers that say the same have in common. */
const digestOf = ({ projectId, question, answer }: Pick<StoredAnswer, "projectId" | "question" | "answer">): string =>
  createHash("sha256")
    .update(JSON.stringify([projectId, question, answer]))
    .digest("base64url");
