import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { agentName, type RunStatus, runStatus } from "../../events/frames/agents.ts";
import { projectId, type RunId, runId } from "../../events/ids.ts";
import { storeCall } from "../store/sqlite/sqlite-errors.ts";

/** Older runs go when newer ones come. */
const mostKept = 1_000;

const row = z.object({
  id: runId,
  agent: agentName,
  projectId: projectId.nullable(),
  /** Milliseconds since the epoch. */
  begunAt: z.number(),
  /** Null while it runs, and of one whose program was killed. */
  endedAt: z.number().nullable(),
  status: runStatus.nullable(),
  /** Why it did not end well. */
  code: z.string().nullable(),
  tokens: z.number(),
  calls: z.number(),
  /** The answer, where it was kept. */
  answerId: z.string().nullable(),
});
export type KeptRun = z.infer<typeof row>;

const columns = `id, agent, project_id AS projectId, begun_at AS begunAt, ended_at AS endedAt, status, code, tokens, calls,
  answer_id AS answerId`;

export interface RunEnding {
  readonly status: RunStatus;
  readonly code: string | null;
  readonly tokens: number;
  readonly calls: number;
  readonly answerId: string | null;
}

/** What agents did for this device: counts, times and codes. */
export class RunTable {
  readonly #db: DatabaseSync;
  readonly #now: () => number;

  constructor(db: DatabaseSync, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  begin({ id, agent, projectId: of }: Pick<KeptRun, "id" | "agent" | "projectId">): void {
    storeCall(() => {
      this.#db
        .prepare("INSERT INTO runs VALUES (?, ?, ?, ?, NULL, NULL, NULL, 0, 0, NULL)")
        .run(id, agent, of, this.#now());
      this.#db
        .prepare("DELETE FROM runs WHERE id NOT IN (SELECT id FROM runs ORDER BY begun_at DESC, id DESC LIMIT ?)")
        .run(mostKept);
    });
  }

  end(id: RunId, { status, code, tokens, calls, answerId }: RunEnding): void {
    storeCall(() =>
      this.#db
        .prepare(
          "UPDATE runs SET ended_at = ?, status = ?, code = ?, tokens = ?, calls = ?, answer_id = ? WHERE id = ?",
        )
        .run(this.#now(), status, code, tokens, calls, answerId, id),
    );
  }

  /** The latest first. */
  list(limit: number): KeptRun[] {
    const found = storeCall(() =>
      this.#db.prepare(`SELECT ${columns} FROM runs ORDER BY begun_at DESC, id DESC LIMIT ?`).all(limit),
    );
    return found.map((each) => row.parse(each));
  }
}
