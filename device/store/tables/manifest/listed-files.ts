import { and, asc, count, eq, getTableColumns, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { ManifestKind } from "../../../../events/frames/folders.ts";
import type { ProjectId } from "../../../../events/ids.ts";
import { type KeptState, keptStateOf } from "../../../folders/manifest/kept-state.ts";
import { projectFolderFiles as table } from "../../folder-schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";

/** What a list of files is narrowed to. */
export interface ListedFilter {
  /** All where it is absent. */
  readonly kinds?: readonly ManifestKind[] | undefined;
  /** Folded words, each of which is in the path. */
  readonly words: readonly string[];
}

/** A row of a manifest that can be named without its path: its number is its own for as long as the file is known. */
export type ListedFile = typeof table.$inferSelect;

/** A folder in a folder, and how many files are in and below it. */
export interface ListedFolder {
  readonly name: string;
  readonly files: number;
}

/** Where a part of a list begins, and how long it is. */
export interface ListedRange {
  readonly from: number;
  readonly limit: number;
}

/** Parts of manifests, as lists show them. Order is by path, byte by byte; folders end without a slash, the topmost is "". */
export interface ListedFileTable {
  page(projectId: ProjectId, filter: ListedFilter, range: ListedRange): ListedFile[];
  count(projectId: ProjectId, filter: ListedFilter): number;
  byNumber(projectId: ProjectId, number: number): ListedFile | undefined;
  byPath(projectId: ProjectId, path: string): ListedFile | undefined;
  /** The folders directly in a folder that hold files the filter lets through. */
  folders(projectId: ProjectId, folder: string, filter: ListedFilter): ListedFolder[];
  /** Files directly in a folder. */
  filesIn(projectId: ProjectId, folder: string, filter: ListedFilter, range: ListedRange): ListedFile[];
  countIn(projectId: ProjectId, folder: string, filter: ListedFilter): number;
  /** How many files stand how. */
  states(projectId: ProjectId): Partial<Record<KeptState, number>>;
}

const columns = getTableColumns(table);

/** The files of projects as lists show them, in the order of their paths (by code points). */
export function listedFileTable(db: Database): ListedFileTable {
  const select = () => db.select(columns).from(table);
  const counted = (where: SQL | undefined) => db.select({ n: count() }).from(table).where(where).get()?.n ?? 0;
  return {
    page: (projectId, filter, { from, limit }) =>
      select().where(passing(projectId, filter)).orderBy(asc(table.relativePath)).limit(limit).offset(from).all(),

    count: (projectId, filter) => counted(passing(projectId, filter)),

    byNumber: (projectId, number) =>
      select()
        .where(and(eq(table.projectId, projectId), eq(table.id, number)))
        .get(),

    byPath: (projectId, path) =>
      select()
        .where(and(eq(table.projectId, projectId), eq(table.relativePath, path)))
        .get(),

    folders(projectId, folder, filter) {
      const rest = below(folder);
      const name = sql<string>`substr(${rest}, 1, instr(${rest}, '/') - 1)`;
      return db
        .select({ name, files: count() })
        .from(table)
        .where(and(passing(projectId, filter), inside(folder), sql`instr(${rest}, '/') > 0`))
        .groupBy(sql`1`)
        .orderBy(sql`1`)
        .all();
    },

    filesIn: (projectId, folder, filter, { from, limit }) =>
      select()
        .where(and(passing(projectId, filter), directlyIn(folder)))
        .orderBy(asc(table.relativePath))
        .limit(limit)
        .offset(from)
        .all(),

    countIn: (projectId, folder, filter) => counted(and(passing(projectId, filter), directlyIn(folder))),

    states(projectId) {
      const { kind, skipReason, summaryHash, contentHash } = table;
      const isMissing = sql<number>`${summaryHash} IS NULL`;
      const isSame = sql<number>`${summaryHash} IS ${contentHash}`;
      const sorts = db
        .select({ kind, skipReason, isMissing, isSame, n: count() })
        .from(table)
        .where(eq(table.projectId, projectId))
        .groupBy(kind, skipReason, isMissing, isSame)
        .all();
      const states: Partial<Record<KeptState, number>> = {};
      for (const { n, isMissing: none, isSame: same, ...sort } of sorts) {
        // A file of its sort.
        const hash = none ? null : "one";
        const state = keptStateOf({ ...sort, summaryHash: hash, contentHash: same ? hash : "another" });
        states[state] = (states[state] ?? 0) + n;
      }
      return states;
    },
  };
}

const passing = (projectId: ProjectId, { kinds, words }: ListedFilter) =>
  and(
    eq(table.projectId, projectId),
    kinds && inArray(table.kind, [...kinds]),
    words.length === 0 ? undefined : sql`holds_words(${words.join("\n")}, ${table.relativePath}) = 1`,
  );

/** A range of the index: "0" is the character behind "/". */
const inside = (folder: string) =>
  folder === "" ? undefined : and(gt(table.relativePath, `${folder}/`), lt(table.relativePath, `${folder}0`));

/** What of a path lies below a folder. SQLite counts characters where JavaScript counts units, so it measures the folder itself. */
const below = (folder: string) =>
  folder === "" ? sql`${table.relativePath}` : sql`substr(${table.relativePath}, length(${folder}) + 2)`;

const directlyIn = (folder: string) => and(inside(folder), sql`instr(${below(folder)}, '/') = 0`);
