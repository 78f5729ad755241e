import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { type ApprovalQuestion, approvalKinds, approvalReasons } from "../access/policy/approver.ts";
import type { HeldLocks } from "../store/held-locks.ts";
import { storeCall } from "../store/sqlite/sqlite-errors.ts";
import type { TimeAndIds } from "../time-and-ids.ts";

/** A person who has not answered by then is not there. */
export const answerWithinMs = 5 * 60_000;
/** What a person can look through; the rest is said to be missing. */
const longestDiff = 200_000;
/** Ended ones that are kept, to say how they ended. */
const keptEnded = 200;

export const approvalStates = ["waiting", "approved", "refused", "expired", "withdrawn"] as const;
/** Where a person answered. */
export const approvalPlaces = ["console", "command", "client"] as const;
export type ApprovalPlace = (typeof approvalPlaces)[number];

const row = z.object({
  id: z.string(),
  /** The folder, absolute. */
  root: z.string(),
  caller: z.string(),
  tool: z.string(),
  kind: z.enum(approvalKinds),
  action: z.string(),
  paths: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
  why: z.enum(approvalReasons),
  reason: z.string(),
  /** What would change, as a unified diff; null for what changes nothing, and when it has ended. */
  diff: z.string().nullable(),
  /** Characters of it that are too many to be shown. */
  diffLeftOut: z.number(),
  /** Milliseconds since the epoch, as all times. */
  askedAt: z.number(),
  until: z.number(),
  state: z.enum(approvalStates),
  endedAt: z.number().nullable(),
  endedBy: z.enum(approvalPlaces).nullable(),
});
export type Approval = z.infer<typeof row>;

const columns = `id, root, caller, tool, kind, action, paths, why, reason, diff, diff_left_out AS diffLeftOut,
  asked_at AS askedAt, until, state, ended_at AS endedAt, ended_by AS endedBy`;

/** What programs ask a person, answered from wherever that person is. */
export class ApprovalTable {
  readonly #db: DatabaseSync;
  readonly #parts: TimeAndIds & { readonly locks: HeldLocks };

  constructor(db: DatabaseSync, parts: TimeAndIds & { readonly locks: HeldLocks }) {
    this.#db = db;
    this.#parts = parts;
  }

  /** Asks. The returned function says that nobody waits for the answer any more, whatever it was. */
  ask(root: string, question: ApprovalQuestion): { readonly id: string; release(): void } {
    const { now, newId, locks } = this.#parts;
    const id = `apr_${newId()}`;
    const { kind, caller, tool, action, paths, why, reason, diff = null } = question;
    const shown = diff === null ? null : diff.slice(0, longestDiff).toWellFormed();
    const leftOut = (diff?.length ?? 0) - (shown?.length ?? 0);
    const askedAt = now();
    const release = locks.hold(id);
    try {
      storeCall(() => {
        this.#db
          .prepare("INSERT INTO approvals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', NULL, NULL)")
          .run(
            ...([id, root, caller, tool, kind, action, JSON.stringify(paths), why, reason] as const),
            ...([shown, leftOut, askedAt, askedAt + answerWithinMs] as const),
          );
        this.#db
          .prepare(
            `DELETE FROM approvals WHERE state != 'waiting' AND id NOT IN
               (SELECT id FROM approvals WHERE state != 'waiting' ORDER BY ended_at DESC LIMIT ?)`,
          )
          .run(keptEnded);
      });
    } catch (error) {
      release();
      throw error;
    }
    return { id, release };
  }

  /**
   * Ends what waits, once:
   *
   *     console: approve ──▶ UPDATE … WHERE state = 'waiting' ──▶ 1 row: it counts
   *     client:  refuse  ──────────▶ UPDATE … WHERE state = 'waiting' ──▶ 0 rows: it had ended, and how is told
   *
   * @returns whether it was this that ended it
   */
  end(id: string, state: Exclude<Approval["state"], "waiting">, by: ApprovalPlace | null): boolean {
    const { changes } = storeCall(() =>
      this.#db
        .prepare(
          "UPDATE approvals SET state = ?, ended_at = ?, ended_by = ?, diff = NULL WHERE id = ? AND state = 'waiting'",
        )
        .run(state, this.#parts.now(), by, id),
    );
    // What would have changed stands in the log before the database as well; where another reads, its next end cuts it.
    if (changes > 0) storeCall(() => this.#db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get());
    return Number(changes) === 1;
  }

  find(id: string): Approval | undefined {
    this.#endAbandoned();
    const found = storeCall(() => this.#db.prepare(`SELECT ${columns} FROM approvals WHERE id = ?`).get(id));
    return found === undefined ? undefined : row.parse(found);
  }

  /** Those whose id begins so: what waits first, then the latest first. */
  beginning(text: string): Approval[] {
    this.#endAbandoned();
    return this.#rows("substr(id, 1, length(?)) = ? ORDER BY state != 'waiting', id DESC", text, text);
  }

  /** What waits, the oldest first. */
  waiting(): Approval[] {
    this.#endAbandoned();
    return this.#rows("state = 'waiting' ORDER BY asked_at, id");
  }

  /** What has ended, the latest first. */
  ended(limit: number): Approval[] {
    return this.#rows(`state != 'waiting' ORDER BY ended_at DESC, id DESC LIMIT ${limit}`);
  }

  #rows(where: string, ...values: readonly string[]): Approval[] {
    const found = storeCall(() => this.#db.prepare(`SELECT ${columns} FROM approvals WHERE ${where}`).all(...values));
    return found.map((each) => row.parse(each));
  }

  /** A program that was killed waits for nothing, and nobody waits for longer than a person is waited for. */
  #endAbandoned(): void {
    const { now, locks } = this.#parts;
    for (const { id, until } of this.#rows("state = 'waiting'")) {
      if (until <= now()) this.end(id, "expired", null);
      else if (!locks.isHeld(id)) this.end(id, "withdrawn", null);
    }
  }
}
