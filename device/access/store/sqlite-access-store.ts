import type { DatabaseSync } from "node:sqlite";
import { and, asc, desc, eq, gt, inArray, lt, lte, max, ne, sql } from "drizzle-orm";
import { type Database, drizzleOn } from "../../store/sqlite/sqlite.ts";
import { genesisHash } from "../audit/record.ts";
import type { AccessStore, AuditAnchors, AuditStore, RegistryStore, VersionStore } from "./access-store.ts";
import { contentTable } from "./content-table.ts";
import { audit, auditAnchors, journal, registry, summaries, versions } from "./schema.ts";

/** The {@link AccessStore} of one project in an open database. */
export function sqliteAccessStore(connection: DatabaseSync): AccessStore {
  const db = drizzleOn(connection);
  return {
    contents: contentTable(db),
    versions: versionTable(db),
    audit: auditTable(db),
    journal: {
      begin: (entry) => void db.insert(journal).values(entry).run(),
      end: (id) => void db.delete(journal).where(eq(journal.id, id)).run(),
      open: () => db.select().from(journal).orderBy(asc(journal.id)).all(),
    },
    registry: registryTable(db),
    summaries: {
      get: (path) => db.select().from(summaries).where(eq(summaries.path, path)).get(),
      put: (summary) =>
        void db.insert(summaries).values(summary).onConflictDoUpdate({ target: summaries.path, set: summary }).run(),
      clear: () => void db.delete(summaries).run(),
    },
    transaction: (work) =>
      connection.isTransaction ? work() : db.transaction(() => work(), { behavior: "immediate" }),
  };
}

function registryTable(db: Database): RegistryStore {
  // Asked for each file of a folder: to put these words together anew takes longer than to carry them out.
  const put = db
    .insert(registry)
    .values({
      path: sql.placeholder("path"),
      sizeBytes: sql.placeholder("sizeBytes"),
      hash: sql.placeholder("hash"),
      mtimeMs: sql.placeholder("mtimeMs"),
      fsVersion: sql.placeholder("fsVersion"),
      tags: sql.placeholder("tags"),
      sensitivity: sql.placeholder("sensitivity"),
      versionIds: sql.placeholder("versionIds"),
    })
    .onConflictDoUpdate({
      target: registry.path,
      set: {
        sizeBytes: sql`excluded.size_bytes`,
        hash: sql`excluded.hash`,
        mtimeMs: sql`excluded.mtime_ms`,
        fsVersion: sql`excluded.fs_version`,
        tags: sql`excluded.tags`,
        sensitivity: sql`excluded.sensitivity`,
        versionIds: sql`excluded.version_ids`,
      },
    })
    .prepare();
  return {
    get: (path) => db.select().from(registry).where(eq(registry.path, path)).get(),
    put: (entry) => void put.run({ ...entry }),
    remove: (path) => void db.delete(registry).where(eq(registry.path, path)).run(),
    list: () => db.select().from(registry).orderBy(asc(registry.path)).all(),
    clear: () => void db.delete(registry).run(),
  };
}

/** SQLite takes at most 32,766 parameters; a thousand at a time is as fast. */
const removedAtOnce = 1_000;

function versionTable(db: Database): VersionStore {
  const list = db
    .select()
    .from(versions)
    .where(eq(versions.path, sql.placeholder("path")))
    .orderBy(desc(versions.id))
    .limit(sql.placeholder("limit"))
    .prepare();
  return {
    add: (version) => void db.insert(versions).values(version).run(),
    list: (path, limit) => list.all({ path, limit }),
    get: (id) => db.select().from(versions).where(eq(versions.id, id)).get(),
    all: () => db.select().from(versions).orderBy(asc(versions.id)).all(),
    newest() {
      const ofEach = db
        .select({ id: max(versions.id) })
        .from(versions)
        .groupBy(versions.path);
      return db.select().from(versions).where(inArray(versions.id, ofEach)).orderBy(asc(versions.path)).all();
    },
    remove(ids) {
      for (let at = 0; at < ids.length; at += removedAtOnce) {
        db.delete(versions)
          .where(inArray(versions.id, ids.slice(at, at + removedAtOnce)))
          .run();
      }
    },
  };
}

/** A caller is named by its client, which may call itself anything. */
const mostNames = 200;
const nameIn = ({ name }: { readonly name: string }): string => name;

function auditTable(db: Database): AuditStore {
  const genesis: AuditAnchors = { baseSeq: 0, baseHash: genesisHash, headSeq: 0, headHash: genesisHash };
  const setAnchors = (anchors: AuditAnchors) => {
    db.insert(auditAnchors)
      .values({ onlyRow: 1, ...anchors })
      .onConflictDoUpdate({ target: auditAnchors.onlyRow, set: anchors })
      .run();
  };
  const anchors = (): AuditAnchors => {
    const { baseSeq, baseHash, headSeq, headHash } = db.select().from(auditAnchors).get() ?? genesis;
    return { baseSeq, baseHash, headSeq, headHash };
  };
  return {
    append(record) {
      db.insert(audit).values(record).run();
      setAnchors({ ...anchors(), headSeq: record.seq, headHash: record.hash });
    },
    last: () => db.select().from(audit).orderBy(desc(audit.seq)).limit(1).get(),
    read: (after, limit) =>
      db.select().from(audit).where(gt(audit.seq, after)).orderBy(asc(audit.seq)).limit(limit).all(),
    newest: ({ before, limit, caller, tool, session }) =>
      db
        .select()
        .from(audit)
        .where(
          and(
            lt(audit.seq, before),
            caller === undefined ? undefined : eq(audit.caller, caller),
            tool === undefined ? undefined : eq(audit.tool, tool),
            session === undefined ? undefined : eq(audit.session, session),
          ),
        )
        .orderBy(desc(audit.seq))
        .limit(limit)
        .all(),
    names: () => ({
      callers: db
        .selectDistinct({ name: audit.caller })
        .from(audit)
        .orderBy(asc(audit.caller))
        .limit(mostNames)
        .all()
        .map(nameIn),
      tools: db
        .selectDistinct({ name: audit.tool })
        .from(audit)
        .orderBy(asc(audit.tool))
        .limit(mostNames)
        .all()
        .map(nameIn),
    }),
    sessions: (limit) =>
      db
        .select({
          session: audit.session,
          caller: sql<string>`min(${audit.caller})`,
          begunAt: sql<number>`min(${audit.at})`,
          endedAt: sql<number>`max(${audit.at})`,
          calls: sql<number>`count(*)`,
          changes: sql<number>`sum(${audit.outcome} = 'ok' AND ${audit.files} LIKE '%"versionId":"%')`,
          // A tool of the person's is noted when it begins, and has gone well when its program says so.
          failures: sql<number>`sum(${audit.outcome} NOT IN ('ok', 'started', 'exit 0'))`,
        })
        .from(audit)
        .where(ne(audit.session, ""))
        .groupBy(audit.session)
        .orderBy(sql`max(${audit.seq}) DESC`)
        .limit(limit)
        .all(),
    anchors,
    dropBefore(next) {
      db.delete(audit).where(lte(audit.seq, next.baseSeq)).run();
      setAnchors(next);
    },
  };
}
