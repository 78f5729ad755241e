import type { DatabaseSync } from "node:sqlite";
import { getTableName } from "drizzle-orm";
import type { TimeAndIds } from "../../time-and-ids.ts";
import type { Vault } from "../../vault/vault.ts";
import { projectFolderFiles } from "../folder-schema.ts";
import { drizzleOn } from "../sqlite/sqlite.ts";
import { storeCall } from "../sqlite/sqlite-errors.ts";
import { summedOnce } from "../sqlite/table-sums.ts";
import { unsynced } from "../sqlite/transaction.ts";
import { type AnswerTable, answerTable } from "./answers.ts";
import { type CursorTable, cursorTable } from "./cursors.ts";
import { type FolderSnapshotTable, folderSnapshotTable } from "./folder-snapshots.ts";
import { type IdentityTable, identityTable } from "./identity.ts";
import { type KnownScoutTable, knownScoutTable } from "./known-scouts.ts";
import { type LocalScoutTable, localScoutTable } from "./local-scouts.ts";
import { type FolderFileTable, folderFileTable } from "./manifest/folder-files.ts";
import { type ListedFileTable, listedFileTable } from "./manifest/listed-files.ts";
import { type Outbox, outboxTable } from "./outbox.ts";
import { type ProjectTable, projectTable } from "./projects.ts";
import { type ProposalTable, proposalTable } from "./proposals/proposals.ts";
import { type ScoutRunTable, scoutRunTable } from "./scout-runs.ts";
import { type SearchChangeTable, searchChangeTable } from "./search-changes.ts";
import { type WaitingScoutTable, waitingScoutTable } from "./waiting-scouts.ts";
import { type EntityTables, entityTables } from "./work/entities.ts";
import { type EntityChangeTable, entityChangeTable } from "./work/entity-changes.ts";
import { type WorkFileTable, workFileTable } from "./work/work-files.ts";
import { type WorkLookups, workLookups } from "./work/work-lookups.ts";

/** The tables of a device's database. */
export interface DeviceTables extends EntityTables {
  readonly identity: IdentityTable;
  readonly proposals: ProposalTable;
  readonly outbox: Outbox;
  readonly cursors: CursorTable;
  readonly knownScouts: KnownScoutTable;
  readonly projects: ProjectTable;
  readonly folderFiles: FolderFileTable;
  readonly listedFiles: ListedFileTable;
  readonly folderSnapshots: FolderSnapshotTable;
  readonly workLookups: WorkLookups;
  readonly entityChanges: EntityChangeTable;
  readonly workFiles: WorkFileTable;
  readonly localScouts: LocalScoutTable;
  readonly scoutRuns: ScoutRunTable;
  readonly searchChanges: SearchChangeTable;
  readonly answers: AnswerTable;
  readonly waitingScouts: WaitingScoutTable;
  /** Runs `work` as one transaction: all of it is durable when this returns, or none of it if it throws. */
  transaction<T>(work: () => T): T;
  /** The same for what would be made anew if it were missing: it need not outlast a power cut. */
  remakeable<T>(work: () => T): T;
}

/** @param connection to a database of the current version */
export function tablesOn(connection: DatabaseSync, { now, newId }: TimeAndIds, vault: Vault): DeviceTables {
  const db = drizzleOn(connection);
  const transaction = <T>(work: () => T): T =>
    connection.isTransaction ? work() : db.transaction(() => work(), { behavior: "immediate" });
  return {
    identity: identityTable(db, now, newId),
    proposals: proposalTable(db, now),
    outbox: outboxTable(db, now),
    cursors: cursorTable(db, now),
    knownScouts: knownScoutTable(db, now, transaction),
    projects: projectTable(db, now, transaction, newId),
    folderFiles: folderFileTable(db, now, (insert) =>
      storeCall(() => summedOnce(connection, getTableName(projectFolderFiles), insert)),
    ),
    listedFiles: listedFileTable(db),
    folderSnapshots: folderSnapshotTable(db),
    work: entityTables(db),
    workLookups: workLookups(db),
    entityChanges: entityChangeTable(db, now),
    workFiles: workFileTable(db),
    localScouts: localScoutTable(db, now),
    scoutRuns: scoutRunTable(db, now, transaction, newId),
    searchChanges: searchChangeTable(db),
    answers: answerTable(db, vault, { now, newId, transaction }),
    waitingScouts: waitingScoutTable(db, now),
    transaction,
    remakeable: (work) => unsynced(connection, () => transaction(work)),
  };
}
