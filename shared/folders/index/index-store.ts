import { type FileName, fileName, type IndexId, type UserId } from "../../../events/ids.ts";
import { expiry } from "../../index-entries.ts";
import { sessionsKey, sessionsPrefix } from "../../keys.ts";
import { changeOf } from "../../ports/row-change.ts";
import type { Item, Table } from "../../ports/table.ts";
import { type FileRow, type IndexEnd, type IndexRow, indexLifeMs, parseFileRow, parseIndexRow } from "./index-row.ts";

/** The most a batch read takes. */
const readSize = 100;
const pageSize = 500;
/** Results are counted at most this often: one more count for so many files, and not in less than two seconds. */
const countEveryMsPerFile = 2;
const countEveryMs = 2_000;

export interface IndexTotals {
  readonly processed: number;
  readonly tokens: number;
  /** Prompts and models the results were made by. */
  readonly prompts: readonly string[];
  readonly models: readonly string[];
}

/**
 * Index sessions and the ends of their files, in Sessions. Totals are counted from the files' rows, so that nothing that
 * happens twice counts twice.
 */
export class IndexStore {
  readonly #sessions: Table;

  constructor(sessions: Table) {
    this.#sessions = sessions;
  }

  async get(user: UserId, index: IndexId, nowMs: number): Promise<IndexRow | undefined> {
    return parseIndexRow(await this.#sessions.get(sessionsKey.index(user, index)), nowMs);
  }

  /** @returns false when there is one of this id already */
  start(
    user: UserId,
    index: IndexId,
    row: Omit<IndexRow, "status" | "startedAt" | "processed" | "countedAt" | "expiresAt">,
    nowMs: number,
  ): Promise<boolean> {
    const { maxFiles, ...rest } = row;
    return this.#sessions.put(
      {
        ...sessionsKey.index(user, index),
        ...rest,
        ...(maxFiles === undefined ? {} : { maxFiles }),
        status: "open",
        startedAt: nowMs,
        ...expiry.of(index, nowMs + indexLifeMs),
      },
      { absent: ["pk"] },
    );
  }

  /** @returns false when it has ended already */
  async end(user: UserId, index: IndexId, status: IndexEnd): Promise<boolean> {
    const change = changeOf<IndexRow>({ set: { status } });
    const open = { path: ["status"], is: "=", value: "open" } as const;
    return (await this.#sessions.update(sessionsKey.index(user, index), change, open)) !== false;
  }

  /** The ends of those files that have one. */
  async files(user: UserId, index: IndexId, files: readonly FileName[]): Promise<Map<FileName, FileRow>> {
    const keys = files.map((file) => sessionsKey.indexedFile(user, index, file));
    const rows = new Map<FileName, FileRow>();
    for (let start = 0; start < keys.length; start += readSize) {
      for (const item of await this.#sessions.getMany(keys.slice(start, start + readSize))) {
        rows.set(fileOf(item), parseFileRow(item));
      }
    }
    return rows;
  }

  /**
   * Writes down how a file ended, unless that has been done.
   *
   * @returns how it did end, which is what everybody tells of it
   */
  async finish(
    user: UserId,
    index: IndexId,
    file: FileName,
    end: Omit<FileRow, "finishedAt" | "expiresAt">,
    nowMs: number,
  ): Promise<FileRow> {
    const key = sessionsKey.indexedFile(user, index, file);
    const written = Object.fromEntries(Object.entries(end).filter(([, value]) => value !== undefined));
    const item: Item = { ...key, ...written, finishedAt: nowMs, ...expiry.of(file, nowMs + indexLifeMs) };
    if (await this.#sessions.put(item, { absent: ["pk"] })) return parseFileRow(item);
    return parseFileRow((await this.#sessions.get(key)) ?? item);
  }

  async totals(user: UserId, index: IndexId): Promise<IndexTotals> {
    let processed = 0;
    let tokens = 0;
    const prompts = new Set<string>();
    const models = new Set<string>();
    let start: Item | undefined;
    do {
      const page = await this.#sessions.query({
        hash: sessionsKey.index(user, index).pk,
        prefix: sessionsPrefix.indexedFilesOf(index),
        limit: pageSize,
        consistent: true,
        ...(start ? { start } : {}),
      });
      for (const row of page.items.map(parseFileRow)) {
        processed += 1;
        tokens += row.tokens;
        if (row.prompt) prompts.add(row.prompt);
        if (row.model) models.add(row.model);
      }
      start = page.next;
    } while (start);
    return { processed, tokens, prompts: [...prompts].sort(), models: [...models].sort() };
  }

  /**
   * How many files have ended, for display: counted by one worker at a time, and the less often the more there are, so
   * that counting costs about as much as the files do.
   *
   * @returns undefined when it was counted a moment ago
   */
  async countProgress(user: UserId, index: IndexId, row: IndexRow, nowMs: number): Promise<number | undefined> {
    if (nowMs - row.countedAt < Math.max(countEveryMs, row.totalFiles * countEveryMsPerFile)) return undefined;
    const key = sessionsKey.index(user, index);
    const change = changeOf<IndexRow>({ set: { countedAt: nowMs } });
    const mine = row.countedAt === 0 ? { absent: ["countedAt"] as const } : before(row.countedAt);
    if (!(await this.#sessions.update(key, change, { all: [{ exists: ["pk"] }, mine] }))) return undefined;
    const { processed } = await this.totals(user, index);
    const more = { any: [{ absent: ["processed"] }, { path: ["processed"], is: "<", value: processed }] } as const;
    await this.#sessions.update(key, changeOf<IndexRow>({ set: { processed } }), { all: [{ exists: ["pk"] }, more] });
    return processed;
  }
}

const before = (countedAt: number) => ({ path: ["countedAt"], is: "=", value: countedAt }) as const;

function fileOf({ sk }: Item): FileName {
  return fileName.parse(sk.slice(sk.lastIndexOf("#") + 1));
}
