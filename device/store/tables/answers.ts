import { createHash } from "node:crypto";
import { and, desc, eq, isNotNull, isNull, lt, ne, notInArray } from "drizzle-orm";
import * as z from "zod";
import type { ProjectId } from "../../../events/ids.ts";
import type { TimeAndIds } from "../../time-and-ids.ts";
import type { Vault } from "../../vault/vault.ts";
import { type AnswerRow, answers, type StoredAnswer } from "../schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** What is kept: older answers go when newer ones come. */
const mostKept = 1_000;
/** Rows brought to another form in one transaction. */
const batch = 50;

export interface AnswerTable {
  /** Keeps an answer; the same answer to the same question takes the place of the earlier one, where that can be read. */
  add(answer: Omit<StoredAnswer, "id" | "digest" | "askedAt">): StoredAnswer;
  /** Those that can be read, newest first; of one project, of none (null), or of all. */
  list(filter?: { readonly projectId?: ProjectId | null; readonly limit?: number }): StoredAnswer[];
  /** @throws DeviceError `kept_locked`, `passphrase_wrong` when it cannot be read */
  find(id: string): StoredAnswer | undefined;
  remove(id: string): void;
  /** How many there are, encrypted ones too. */
  count(): number;
  /** @returns how many there were */
  clear(): number;
  /** Those of a project whose folder is not to be known any more. */
  forgetProject(id: ProjectId): void;
  /** Those of a project that rest on one of these files, as far as they can be read. */
  forgetFiles(id: ProjectId, paths: readonly string[]): void;
  /** How many are encrypted. */
  sealed(): number;
  /** Removes those that are encrypted. @returns how many there were */
  forgetSealed(): number;
  /** Has each be as it would be if it were kept now: encrypted or not. @throws DeviceError `kept_locked`, `passphrase_wrong` */
  renew(): void;
}

const content = z.object({ question: z.string(), answer: z.string(), files: z.array(z.string()) });
type Content = z.infer<typeof content>;

/**
 * The table over a database. Rows are encrypted while the vault is, and read with its key.
 *
 * @param transaction runs its work as one, or within the one that runs
 */
export function answerTable(
  db: Database,
  vault: Vault,
  { now, newId, transaction }: TimeAndIds & { readonly transaction: <T>(work: () => T) => T },
): AnswerTable {
  const { id, projectId, askedAt, sealed } = answers;
  const ofProject = (wanted: ProjectId | null | undefined) => {
    if (wanted === undefined) return undefined;
    return wanted === null ? isNull(projectId) : eq(projectId, wanted);
  };
  const newest = [desc(askedAt), desc(id)] as const;
  const rows = (wanted: ProjectId | null | undefined, limit: number): AnswerRow[] =>
    db
      .select()
      .from(answers)
      .where(ofProject(wanted))
      .orderBy(...newest)
      .limit(limit)
      .all();
  const read = ({ sealed: bytes, ...row }: AnswerRow): StoredAnswer =>
    bytes === null ? row : { ...row, ...content.parse(JSON.parse(vault.opened(bytes).toString("utf8"))) };
  const list: AnswerTable["list"] = ({ projectId: wanted, limit = -1 } = {}) => {
    const isLocked = vault.state === "locked";
    return rows(wanted, limit).flatMap((row) => (isLocked && row.sealed !== null ? [] : [read(row)]));
  };
  /** The columns that hold what was said. */
  const columnsOf = ({ question, answer, files }: Content, of: ProjectId | null, own: string) => {
    const sealer = vault.sealer();
    if (sealer === undefined) {
      return { question, answer, files, digest: digestOf({ projectId: of, question, answer }), sealed: null };
    }
    const bytes = vault.sealed(Buffer.from(JSON.stringify({ question, answer, files })), sealer);
    // A digest of what was said would say whether a guess is right.
    return { question: "", answer: "", files: [], digest: own, sealed: bytes };
  };
  const isSame = (row: StoredAnswer, other: Pick<StoredAnswer, "projectId" | "question" | "answer">) =>
    row.projectId === other.projectId && row.question === other.question && row.answer === other.answer;
  return {
    add: (answer) =>
      transaction(() => {
        for (const same of list({ projectId: answer.projectId }).filter((row) => isSame(row, answer))) {
          db.delete(answers).where(eq(id, same.id)).run();
        }
        const own = { id: `ans_${newId()}`, askedAt: now(), follows: answer.follows, projectId: answer.projectId };
        const row = { ...own, ...columnsOf(answer, answer.projectId, own.id) };
        db.insert(answers).values(row).run();
        const kept = db
          .select({ id })
          .from(answers)
          .orderBy(...newest)
          .limit(mostKept);
        db.delete(answers)
          .where(and(notInArray(id, kept), lt(askedAt, own.askedAt)))
          .run();
        return { ...own, ...answer, digest: row.digest };
      }),
    list,
    find(wanted) {
      const row = db.select().from(answers).where(eq(id, wanted)).get();
      return row && read(row);
    },
    remove: (wanted) => void db.delete(answers).where(eq(id, wanted)).run(),
    count: () => db.select({ id }).from(answers).all().length,
    clear: () => db.delete(answers).returning({ id }).all().length,
    forgetProject: (wanted) => void db.delete(answers).where(eq(projectId, wanted)).run(),
    forgetFiles: (wanted, paths) =>
      transaction(() => {
        const gone = new Set(paths);
        for (const row of list({ projectId: wanted })) {
          if (row.files.some((path) => gone.has(path))) db.delete(answers).where(eq(id, row.id)).run();
        }
      }),
    sealed: () => db.select({ id }).from(answers).where(isNotNull(sealed)).all().length,
    forgetSealed: () => db.delete(answers).where(isNotNull(sealed)).returning({ id }).all().length,
    renew() {
      const isOther = vault.sealer() === undefined ? isNotNull(sealed) : isNull(sealed);
      for (;;) {
        const others = db.select().from(answers).where(isOther).limit(batch).all();
        if (others.length === 0) return;
        transaction(() => {
          for (const row of others) {
            const columns = columnsOf(read(row), row.projectId, row.id);
            // Kept while the earlier one could not be read.
            db.delete(answers)
              .where(and(eq(answers.digest, columns.digest), ne(id, row.id)))
              .run();
            db.update(answers).set(columns).where(eq(id, row.id)).run();
          }
        });
      }
    },
  };
}

/** What two answers that say the same have in common. */
const digestOf = ({ projectId, question, answer }: Pick<StoredAnswer, "projectId" | "question" | "answer">): string =>
  createHash("sha256")
    .update(JSON.stringify([projectId, question, answer]))
    .digest("base64url");
