import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { type ProjectId, projectId } from "../../../events/ids.ts";
import { DeviceError } from "../../errors.ts";
import { folderSnapshots, type Project, projectFolderFiles, projects } from "../folder-schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** Who scans, and how long it may be silent before it counts as stuck. */
export interface ScanHolder {
  /** Of one scan, never used again. */
  readonly holder: string;
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** How a scan ended, as the project remembers it. */
export type ScanEnd =
  | { readonly status: "idle"; readonly totalFiles: number }
  | { readonly status: "error"; readonly code: string; readonly sentence: string };

/** The projects of one device. Every method is one transaction unless it runs inside another. */
export interface ProjectTable {
  /** @throws DeviceError `project_exists` */
  add(name: string): Project;
  /** By name. */
  list(): Project[];
  /** Those that have a folder here, by name. */
  linked(): Project[];
  find(id: ProjectId): Project | undefined;
  findByName(name: string): Project | undefined;
  /** @throws DeviceError `project_unknown` */
  get(id: ProjectId): Project;
  /** Links a folder (absolute path); rows of another one are forgotten. @throws DeviceError `project_unknown` */
  link(id: ProjectId, folderPath: string): Project;
  /**
   * Links the same folder where it is now: the manifest stays, and the next scan reads every file again to see whether
   * it is what it was. @throws DeviceError `project_unknown`
   */
  relink(id: ProjectId, folderPath: string): Project;
  /** Forgets the folder and its manifest; a scan that runs is told when it next writes. */
  unlink(id: ProjectId): Project;
  /** @throws DeviceError `project_unknown`, `project_exists` */
  rename(id: ProjectId, name: string): Project;
  remove(id: ProjectId): void;
  /** Notes why a project has no folder, until it has one. */
  setTrouble(id: ProjectId, trouble: { readonly code: string; readonly sentence: string }): void;
  /**
   * Takes the right to scan. The project's state is `scanning` until {@link endScan}.
   * @param abandoned whether the scan that is recorded can be taken over
   * @throws DeviceError `project_unknown`, `folder_not_linked`, `scan_running`
   */
  beginScan(id: ProjectId, scan: ScanHolder, abandoned: (running: ScanHolder) => boolean): Project;
  /** False when the scan no longer holds the project. */
  extendScan(id: ProjectId, holder: string, until: number): boolean;
  /** False, and nothing done, when the scan no longer holds the project. */
  endScan(id: ProjectId, holder: string, end: ScanEnd): boolean;
  holdsScan(id: ProjectId, holder: string): boolean;
  setRulesHash(id: ProjectId, hash: string): void;
}

const noScan = { scanHolder: null, scanPid: null, scanUntil: null } as const;
const noError = { folderErrorCode: null, folderErrorSentence: null } as const;
const neverScanned = {
  ...noScan,
  ...noError,
  folderLastScanStatus: "idle",
  folderLastScannedAt: null,
  folderTotalFiles: 0,
  scanRulesHash: null,
} as const;

/** The scan a project says is going on. */
export function runningScan(project: Project): ScanHolder | undefined {
  const { scanHolder, scanPid, scanUntil } = project;
  if (project.folderLastScanStatus !== "scanning" || scanHolder === null) return undefined;
  return { holder: scanHolder, pid: scanPid ?? 0, until: scanUntil ?? 0 };
}

/**
 * The table over a database.
 *
 * @param now milliseconds since the epoch
 * @param transaction runs its work as one, or within the one that runs
 */
export function projectTable(
  db: Database,
  now: () => number,
  transaction: <T>(work: () => T) => T,
  newId: () => string,
): ProjectTable {
  const find = (id: ProjectId) => db.select().from(projects).where(eq(projects.id, id)).get();
  const get = (id: ProjectId) => {
    const found = find(id);
    if (found === undefined) throw new DeviceError("project_unknown", { data: { id } });
    return found;
  };
  const held = (id: ProjectId, holder: string) => and(eq(projects.id, id), eq(projects.scanHolder, holder));
  const forgetFiles = (id: ProjectId) => {
    db.delete(projectFolderFiles).where(eq(projectFolderFiles.projectId, id)).run();
    db.delete(folderSnapshots).where(eq(folderSnapshots.projectId, id)).run();
  };

  /** However far a scan came, so many are there. */
  const known = (id: ProjectId) => sql`(SELECT count(*) FROM ${projectFolderFiles} WHERE project_id = ${id})`;

  return {
    add(name) {
      const row = { id: projectId.parse(`prj_${newId()}`), name, createdAt: now() };
      const added = db.insert(projects).values(row).onConflictDoNothing().returning().get();
      if (added === undefined) throw new DeviceError("project_exists");
      return added;
    },

    list: () => db.select().from(projects).orderBy(asc(projects.name)).all(),
    linked: () => db.select().from(projects).where(isNotNull(projects.folderPath)).orderBy(asc(projects.name)).all(),
    find,
    findByName: (name) => db.select().from(projects).where(eq(projects.name, name)).get(),
    get,

    link(id, folderPath) {
      return transaction(() => {
        if (get(id).folderPath === folderPath) return get(id);
        forgetFiles(id);
        db.update(projects)
          .set({ ...neverScanned, folderPath })
          .where(eq(projects.id, id))
          .run();
        return get(id);
      });
    },

    relink(id, folderPath) {
      return transaction(() => {
        const { folderTotalFiles } = get(id);
        db.update(projectFolderFiles).set({ version: "" }).where(eq(projectFolderFiles.projectId, id)).run();
        db.update(projects)
          .set({ ...neverScanned, folderTotalFiles, folderPath })
          .where(eq(projects.id, id))
          .run();
        return get(id);
      });
    },

    unlink(id) {
      return transaction(() => {
        forgetFiles(id);
        db.update(projects)
          .set({ ...neverScanned, folderPath: null })
          .where(eq(projects.id, id))
          .run();
        return get(id);
      });
    },

    rename(id, name) {
      return transaction(() => {
        const other = db.select().from(projects).where(eq(projects.name, name)).get();
        if (other !== undefined && other.id !== id) throw new DeviceError("project_exists");
        db.update(projects).set({ name }).where(eq(projects.id, id)).run();
        return get(id);
      });
    },

    remove(id) {
      db.delete(projects).where(eq(projects.id, id)).run();
    },

    setTrouble(id, { code, sentence }) {
      db.update(projects)
        .set({ folderErrorCode: code, folderErrorSentence: sentence })
        .where(eq(projects.id, id))
        .run();
    },

    beginScan(id, { holder, pid, until }, abandoned) {
      return transaction(() => {
        const project = get(id);
        if (project.folderPath === null) throw new DeviceError("folder_not_linked", { data: { id } });
        const running = runningScan(project);
        if (running !== undefined && !abandoned(running)) throw new DeviceError("scan_running", { data: { id } });
        const scan = { scanHolder: holder, scanPid: pid, scanUntil: until, folderLastScanStatus: "scanning" } as const;
        db.update(projects).set(scan).where(eq(projects.id, id)).run();
        return get(id);
      });
    },

    extendScan: (id, holder, until) =>
      db.update(projects).set({ scanUntil: until }).where(held(id, holder)).run().changes > 0,

    endScan(id, holder, end) {
      const change =
        end.status === "idle"
          ? { ...noError, folderLastScannedAt: now(), folderTotalFiles: end.totalFiles }
          : { folderErrorCode: end.code, folderErrorSentence: end.sentence, folderTotalFiles: known(id) };
      const row = { ...noScan, folderLastScanStatus: end.status, ...change };
      return db.update(projects).set(row).where(held(id, holder)).run().changes > 0;
    },

    holdsScan: (id, holder) =>
      db.select({ id: projects.id }).from(projects).where(held(id, holder)).get() !== undefined,

    setRulesHash(id, hash) {
      db.update(projects).set({ scanRulesHash: hash }).where(eq(projects.id, id)).run();
    },
  };
}
