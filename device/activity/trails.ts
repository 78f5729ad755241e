import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProjectId } from "../../events/ids.ts";
import type { AuditRecord } from "../access/audit/record.ts";
import { AuditTrail, type AuditVerdict, verifyChain } from "../access/audit/trail.ts";
import { accessPath, hasProjectDatabase, openProjectDatabase, type ProjectDatabase } from "../access/open-access.ts";
import type { AccessStore, AuditSession, AuditWanted } from "../access/store/access-store.ts";
import { deviceRoot } from "../actions/device-trail.ts";
import { DeviceError, isDeviceError } from "../errors.ts";
import { lastPlaceOf } from "../files/place/folder-place.ts";
import type { DeviceStore } from "../store/open.ts";
import { storeCall } from "../store/sqlite/sqlite-errors.ts";

/** The device's own trail, or that of a project's folder. */
export type TrailId = ProjectId | "device";

/** A record and the trail it stands in. */
export interface TrailRecord {
  readonly trail: TrailId;
  readonly record: AuditRecord;
}

export interface TrailSession extends AuditSession {
  readonly trail: TrailId;
}

/** Where a page begins: the lowest number that was shown of each trail. */
export type TrailPlaces = Readonly<Record<string, number>>;

export type TrailFilter = Pick<AuditWanted, "caller" | "tool" | "session"> & { readonly trail?: TrailId | undefined };

interface Opened {
  readonly root: string;
  readonly database: ProjectDatabase;
}

/** A trail whose database cannot be read, and why. */
export interface UnreadableTrail {
  readonly id: TrailId;
  readonly name: string | null;
  readonly path: string;
  readonly error: DeviceError;
}

/** So many records are proven before others have their turn. */
const provenAtOnce = 1_000;

/**
 * The audit trails of this device and of its linked folders, kept open while somebody may look at them. What reads all of them
 * leaves out one that cannot be read, and {@link Trails.unreadable} names it; what reads one throws as it is thrown.
 */
export class Trails {
  readonly #store: DeviceStore;
  readonly #now: () => number;
  readonly #opened = new Map<TrailId, Opened>();
  readonly #unreadable = new Map<TrailId, DeviceError>();

  constructor(store: DeviceStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Those there are, the device's first; `name` is null for it. One that cannot be read is among them. */
  list(): { readonly id: TrailId; readonly name: string | null }[] {
    const linked = this.#store.projects.linked();
    const named = [{ id: "device" as const, name: null }, ...linked.map(({ id, name }) => ({ id, name }))];
    return named.filter(({ id }) => this.#pathOf(id) !== undefined);
  }

  /** Those that could not be read when they were last looked at. */
  unreadable(): UnreadableTrail[] {
    // Which projects there are is asked of the store: of an idle device this was a tenth of all it did.
    if (this.#unreadable.size === 0) return [];
    return this.list().flatMap(({ id, name }) => {
      const [error, path] = [this.#unreadable.get(id), this.#pathOf(id)];
      return error === undefined || path === undefined ? [] : [{ id, name, path, error }];
    });
  }

  /** Records of all trails in one order, the newest first, and where the next page begins. */
  page(filter: TrailFilter, places: TrailPlaces, limit: number): { records: TrailRecord[]; next: TrailPlaces | null } {
    const { trail: only, ...wanted } = filter;
    const found = this.#ofEach((audit, id) =>
      only !== undefined && id !== only
        ? []
        : audit
            .newest({ ...wanted, before: places[id] ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 })
            .map((record): TrailRecord => ({ trail: id, record })),
    );
    const inOrder = found.toSorted((a, b) => b.record.at - a.record.at || b.record.seq - a.record.seq);
    const records = inOrder.slice(0, limit);
    if (inOrder.length <= limit) return { records, next: null };
    const next: Record<string, number> = { ...places };
    for (const { trail, record } of records) next[trail] = record.seq;
    return { records, next };
  }

  /** Who called and with which tools, over all trails. */
  names(): { readonly callers: readonly string[]; readonly tools: readonly string[] } {
    const all = this.#ofEach((audit) => [audit.names()]);
    const merged = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())].toSorted();
    return { callers: merged(all.map(({ callers }) => callers)), tools: merged(all.map(({ tools }) => tools)) };
  }

  /** Sessions of all trails by their last call, the latest first. */
  sessions(limit: number): TrailSession[] {
    return this.#ofEach((audit, id) => audit.sessions(limit).map((session) => ({ ...session, trail: id })))
      .toSorted((a, b) => b.endedAt - a.endedAt)
      .slice(0, limit);
  }

  /** As `scouts audit verify`, in turns: a long trail keeps nobody waiting. @throws DeviceError `project_unknown` */
  async verify(id: TrailId): Promise<AuditVerdict> {
    const { store } = this.#known(id).database;
    const { baseSeq, baseHash, headSeq, headHash } = store.audit.anchors();
    let [seq, hash] = [baseSeq, baseHash];
    while (seq < headSeq) {
      const records = store.audit
        .read(seq, Math.min(provenAtOnce, headSeq - seq))
        .filter((each) => each.seq <= headSeq);
      const verdict = verifyChain(records, seq, hash);
      if (!verdict.ok) return verdict;
      if (verdict.records === 0) return { ok: false, seq: seq + 1, reason: "cut off" };
      seq += verdict.records;
      hash = verdict.headHash;
      await nextTurn();
    }
    if (hash !== headHash) return { ok: false, seq: seq + 1, reason: "cut off" };
    return { ok: true, records: headSeq - baseSeq, headHash };
  }

  /** As `scouts audit export`: a record a line. @throws DeviceError `project_unknown` */
  export(id: TrailId): Generator<string> {
    return new AuditTrail(this.#known(id).database.store, this.#now).export();
  }

  /** Another text after another connection has written, or when a trail cannot be read any more. */
  version(): string {
    return [
      ...this.#ofEach((_audit, id) => [`${id} ${this.#known(id).database.foreignVersion()}`]),
      ...this.unreadable().map(({ id, error }) => `${id} ${error.code}`),
    ].join();
  }

  close(): void {
    for (const { database } of this.#opened.values()) database.close();
    this.#opened.clear();
  }

  /** What is read of each trail, one after the other; nothing of those that cannot be read. */
  #ofEach<T>(read: (audit: AccessStore["audit"], id: TrailId) => readonly T[]): T[] {
    return this.list().flatMap(({ id }) => {
      try {
        const found = storeCall(() => read(this.#known(id).database.store.audit, id));
        this.#unreadable.delete(id);
        return found;
      } catch (error) {
        if (!isDeviceError(error)) throw error;
        this.#unreadable.set(id, error);
        this.#forget(id);
        return [];
      }
    });
  }

  #known(id: TrailId): Opened {
    const opened = this.#open(id);
    if (opened === undefined) throw new DeviceError("project_unknown", { data: { id } });
    return opened;
  }

  #open(id: TrailId): Opened | undefined {
    const root = this.#rootOf(id);
    const known = this.#opened.get(id);
    if (known?.root === root) return known;
    this.#forget(id);
    const { dataFolder } = this.#store;
    if (root === undefined || !hasProjectDatabase(dataFolder, root)) return undefined;
    const opened = { root, database: openProjectDatabase(dataFolder, root) };
    this.#opened.set(id, opened);
    return opened;
  }

  #forget(id: TrailId): void {
    this.#opened.get(id)?.database.close();
    this.#opened.delete(id);
  }

  /** Of the database; undefined where there is none. */
  #pathOf(id: TrailId): string | undefined {
    const root = this.#rootOf(id);
    const { dataFolder } = this.#store;
    return root !== undefined && hasProjectDatabase(dataFolder, root) ? accessPath(dataFolder, root) : undefined;
  }

  #rootOf(id: TrailId): string | undefined {
    if (id === "device") return deviceRoot;
    const folder = this.#store.projects.find(id)?.folderPath ?? undefined;
    return folder === undefined ? undefined : lastPlaceOf(folder);
  }
}
