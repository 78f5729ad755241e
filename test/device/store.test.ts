import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { accessMigrations } from "../../device/access/open-access.ts";
import { DeviceError, isDeviceError } from "../../device/errors.ts";
import { decideProposal, newFrameId } from "../../device/store/decide.ts";
import { deviceMigrations } from "../../device/store/device-migrations.ts";
import {
  folderSnapshots,
  localScoutConfigs,
  projectFolderFiles,
  projects,
  scoutRunActions,
  scoutRuns,
} from "../../device/store/folder-schema.ts";
import { openDeviceStore, storePath } from "../../device/store/open.ts";
import {
  answers,
  cursors,
  deviceIdentity,
  knownScouts,
  outbox,
  proposalTombstones,
  scoutSuggestions,
  searchChanges,
  waitingScouts,
} from "../../device/store/schema.ts";
import { migrate } from "../../device/store/sqlite/migrate.ts";
import { asStoreError } from "../../device/store/sqlite/sqlite-errors.ts";
import { entityChanges, events, memory, notes, people, tasks, workFiles } from "../../device/store/work-schema.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { clientFrame } from "../../events/frames/frames.ts";
import { socketLimits } from "../../events/frames/limits.ts";
import { proposalId } from "../../events/ids.ts";
import { quick } from "../rounds.ts";
import { makeProposal } from "./fake-cloud.ts";
import { temporaryFolder, temporaryStore } from "./setting.ts";

const nextFrameId = () => newFrameId(systemTimeAndIds.newId);

/** SHA-256 of each released migration: a database out there has been through exactly these bytes. */
const released = {
  device: [
    "1d2ae28cacd57ddf375a844c02eb5d9e39e67dbe492f5d69c82ca43342402bab",
    "d08752a2896843918defa1989e9df4afb9f91ba237dafed47836362f34257b7f",
    "4b87cda99ac08316fcd0c58565317d33ea77b0315d9ddefafbf2a3908e76f648",
    "dfaf1c9b5c372958b0544a6c3a3a834907a21d5393d51d95bea8446ed804de5c",
    "4dcd1da5105fffcfd22537aa6278837bf604c807656ad974446071982b1bdf7b",
    "f4e2cbf51735b62954b726609ebc9ec92db2292d1f79b878c69ab412def735c1",
    "841ddf916b2b7b6c99b342751deb0abd9b88a0c8dc07d109b28f538bda5a67e0",
    "de52e83eba19d9ecf878c958590c422378975ae99c631547d1a20b9298776926",
    "f03be0be8b85a0526852a1d6788591c174cefe2acfa6e4ff02ef79caa2d1e5bd",
    "98f406644e052ce308bd0baaae203f7e8dc9283815f7c8181e915604d94e9d81",
    "7aa808b0456a48a275ec76387944b2d40a1cdcd7417871fbf55ef60f72ac0ca5",
    "250c21ad13e7417b1d670131cfb6231204c35d1f01245a8dd9099770af2ab33d",
    "3ccc1f13543bc9a77c8043af567a9971b51a9d8b79f7efd2b7f6ed1b7f55fff9",
    "322f39d1e8051cb7fe00f818e04bffa09c05c92c446e8812f7eab390bf99a58c",
    "ccdb9c41b50ad46b60f4004dcf8c80ef329f9a0053f4674dda1db866bdab881b",
    "9dd4f4b052046349c42d993ff1f9071a904d40f3218e2ef84ae0e603bd74f3fb",
    "43bb47bbbf3189656b8e6e8b7f9f71d8c9048f8459febf13693d18d80b1c28a2",
    "d3f35dd26e8835f2df8e0c2fc7ee66159131c9c6aae7b76ad560840be8826701",
    "60b59d5b60032d2790f458983c3ab435bb1566c2e01f452144c55fdec1a668d0",
    "200495ca44ad28b82262916c7735a85371af36aa4485b629ec3c00d368f4cbbe",
    "4f7fe2e993ae931a8daab2e9e7e236c267a68cd220178a5bee07ebfbbc32dcc7",
  ],
  access: [
    "64e19381499647b17da371b96a4674b264a258d0412f76ef607a8e833100a034",
    "b79ca19244b19820791535bb74bb25d4a482ced7dee7c684d9e967ee61221d22",
  ],
};

/** What a device of each version may have held, in that version's columns. */
const firstRows = `INSERT INTO scout_suggestions (id, scout_id, source_type, source_msg_ref, reason_code, triaged_at, proposed_at)
        VALUES ('sct_01JD0000000000000000000000.old', 'sct_01JD0000000000000000000000', 'gmail', 'old', 'personal', 1, 2);
      INSERT INTO device_identity (only_row, device_id, created_at) VALUES (1, 'dev_01JD0000000000000000000000', 3);
      INSERT INTO cursors (name, value, updated_at) VALUES ('proposals.resume', '7', 4);
      INSERT INTO outbox (id, type, frame, created_at) VALUES ('frm_01JD0000000000000000000000', 'bye', '{}', 5)`;
const secondRows = `${firstRows};
      INSERT INTO projects (id, name, created_at, folder_path) VALUES ('prj_01JD0000000000000000000000', 'old', 6, '/p');
      INSERT INTO project_folder_files (project_id, relative_path, ext, kind, size_bytes, mtime_ms, version)
        VALUES ('prj_01JD0000000000000000000000', 'a.md', 'md', 'text', 7, 8.5, 'v');
      INSERT INTO tasks (id, project_id, title, created_at, updated_at)
        VALUES ('tsk_01JD0000000000000000000000', 'prj_01JD0000000000000000000000', 'old', 9, 9);
      INSERT INTO local_scout_configs (project_id, rescan_every_ms, created_at)
        VALUES ('prj_01JD0000000000000000000000', 10, 11);
      INSERT INTO scout_runs (id, project_id, cause, started_at)
        VALUES ('run_01JD0000000000000000000000', 'prj_01JD0000000000000000000000', 'link', 12);
      INSERT INTO scout_run_actions (run_id, action, relative_path)
        VALUES ('run_01JD0000000000000000000000', 'added', 'a.md')`;
const thirdRows = `${secondRows};
      INSERT INTO folder_snapshots (project_id, basis, directories, left_out)
        VALUES ('prj_01JD0000000000000000000000', 'b', '[{"path":"","digest":"d","unwatched":[]}]',
          '{"byReason":{"symlink":1},"unsupported":{}}')`;
const fourthRows = `${thirdRows};
      INSERT INTO known_scouts (id, name, source_type, off_code, off_since)
        VALUES ('sct_01JD0000000000000000000000', 'Inbox', 'gmail', 'reauth', 13)`;
const fifthRows = `${fourthRows};
      INSERT INTO waiting_scouts (scout_id, code, since, items)
        VALUES ('sct_01JD0000000000000000000000', 'model_forbidden', 14, 3)`;
const sixthRows = `${fifthRows};
      INSERT INTO project_folder_files (project_id, relative_path, ext, kind, size_bytes, mtime_ms, version)
        VALUES ('prj_01JD0000000000000000000000', 'b.new', 'new', 'a kind of later', 1, 1, 'v')`;
const eighthRows = `${sixthRows};
      INSERT INTO scout_suggestions
        (id, scout_id, source_type, source_msg_ref, reason_code, triaged_at, proposed_at, metadata)
        VALUES ('sct_01JD0000000000000000000000.new', 'sct_01JD0000000000000000000000', 'gmail', 'new', 'personal', 0, 2,
          '{"sender":{"name":"Bea","address":"bea@example.org"},"relation":"to","threadRef":"t1","automatic":false}')`;
const ninthRows = `${eighthRows};
      INSERT INTO outbox (id, type, frame, created_at, not_before) VALUES ('frm_01JD0000000000000000000001', 'bye', '{}', 5, 6)`;
const tenthRows = `${ninthRows};
      INSERT INTO events (id, title, start, end, uid, created_at, updated_at)
        VALUES ('evt_01JD0000000000000000000000', 'Fair', '2026-11-27', '2026-11-28', 'u', 15, 15);
      INSERT INTO notes (id, title, created_at, updated_at) VALUES ('not_01JD0000000000000000000000', 'Paint', 16, 16);
      INSERT INTO people (id, name, created_at, updated_at) VALUES ('psn_01JD0000000000000000000000', 'Bea', 17, 17);
      INSERT INTO memory (id, fact, created_at, updated_at) VALUES ('mem_01JD0000000000000000000000', 'Tea', 18, 18);
      INSERT INTO entity_changes (kind, entity_id, after, changed_at)
        VALUES ('memory', 'mem_01JD0000000000000000000000', '{"fact":"Tea"}', 18);
      UPDATE scout_suggestions SET resolved_entity_type = 'memory', resolved_entity_id = 'mem_01JD0000000000000000000000'
        WHERE source_msg_ref = 'new'`;
const twelfthRows = `${tenthRows};
      UPDATE scout_suggestions SET round = 2, decided_elsewhere = 'rejected', entity_change = 1
        WHERE source_msg_ref = 'new';
      INSERT INTO proposal_tombstones (id, reason, closed_at, round, outcome)
        VALUES ('sct_01JD0000000000000000000000.far', 'resolved_elsewhere', 19, 3, 'approved')`;
const thirteenthRows = `${twelfthRows};
      UPDATE scout_suggestions SET category = 'task', priority = 'soon', payload = '{"title":"Paint"}'
        WHERE source_msg_ref <> 'old'`;
const seventeenthRows = `${thirteenthRows};
      UPDATE scout_suggestions SET model_after = 20, model_reader = 'mod_1', model_tries = 1 WHERE source_msg_ref = 'new'`;
/** What was known of the person's folder stood in one text up to here. */
const eighteenthRows = `${seventeenthRows};
      INSERT INTO cursors (name, value, updated_at) VALUES ('work.folder', '/notes', 21), ('work.files',
        '{"notes/Paint.md":{"file":"f","device":null,"note":"not_1"},"calendar.ics":{"file":"g","device":"h","copy":"c"}}', 22)`;
const nineteenthRows = `${seventeenthRows};
      INSERT INTO work_files (folder, name, file, note_id) VALUES ('/notes', 'notes/Paint.md', 'f', 'not_1');
      INSERT INTO work_files (folder, name, file, device, copy) VALUES ('/notes', 'calendar.ics', 'g', 'h', 'c')`;
const rowsOfVersion: Record<number, string> = {
  0: "",
  1: firstRows,
  2: secondRows,
  3: thirdRows,
  4: fourthRows,
  5: fifthRows,
  6: sixthRows,
  // Its sums are made when it is opened.
  7: sixthRows,
  8: eighthRows,
  9: ninthRows,
  10: tenthRows,
  11: tenthRows,
  12: twelfthRows,
  13: thirteenthRows,
  14: thirteenthRows,
  15: thirteenthRows,
  16: thirteenthRows,
  17: seventeenthRows,
  18: eighteenthRows,
  19: nineteenthRows,
  20: nineteenthRows,
  21: nineteenthRows,
};

const bea = { name: "Bea", address: "bea@example.org" };

function schemaOf(connection: DatabaseSync): unknown[] {
  return connection.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all();
}

function databaseOfVersion(version: number): string {
  const dataFolder = temporaryFolder();
  mkdirSync(path.dirname(storePath(dataFolder)), { recursive: true });
  const connection = new DatabaseSync(storePath(dataFolder));
  migrate(connection, deviceMigrations, version);
  connection.exec(rowsOfVersion[version] ?? "");
  connection.close();
  return dataFolder;
}

const currentVersion = deviceMigrations.files.length;

test.each([
  ["device", deviceMigrations],
  ["access", accessMigrations],
] as const)("released migrations are never edited, and none is left out (%s)", (kind, { folder, files }) => {
  const digests = files.map((name) =>
    createHash("sha256")
      .update(readFileSync(new URL(name, folder)))
      .digest("hex"),
  );
  expect(digests).toEqual(released[kind]);
  expect(readdirSync(folder).sort()).toEqual(files);
});

test("a new database is made with the schema that all migrations lead to (after a new one: run this file with -u)", async () => {
  const connection = new DatabaseSync(":memory:");
  migrate(connection, { folder: deviceMigrations.folder, files: deviceMigrations.files });
  const made = connection.prepare(
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
  );
  const note = "-- Written by test/device/store.test.ts from the migrations, never by hand.\n";
  const sql = made.all().map((row) => `${row["sql"]};\n`);
  await expect(note + sql.join("")).toMatchFileSnapshot(fileURLToPath(deviceMigrations.whole ?? ""));
});

test.each(Array.from({ length: currentVersion + 1 }, (_, version) => version))(
  "a database of version %i opens with the current schema and keeps its rows",
  (version) => {
    const dataFolder = databaseOfVersion(version);
    const store = temporaryStore(dataFolder);
    const fresh = new DatabaseSync(temporaryStore().path);
    const migrated = new DatabaseSync(store.path);
    expect(schemaOf(migrated)).toEqual(schemaOf(fresh));
    fresh.close();
    migrated.close();

    if (version === 0) return;
    expect(store.identity.get().deviceId).toBe("dev_01JD0000000000000000000000");
    const [old, newer] = store.proposals.list();
    expect(old).toMatchObject({ sourceMsgRef: "old", category: "unprocessed", status: "pending", metadata: null });
    // A home tells again what this device had before it knew the field: nothing is shown twice.
    expect(store.proposals.add([makeProposal(0, { id: old?.id ?? makeProposal(0).id })])).toEqual([]);
    expect(store.cursors.get("proposals.resume")).toEqual({ name: "proposals.resume", value: "7", updatedAt: 4 });
    expect(store.outbox.counts().waiting).toBe(version < 9 ? 1 : 2);

    if (version < 2) return;
    const [project] = store.projects.list();
    if (project === undefined) throw new Error("the project is gone");
    expect(project).toMatchObject({ name: "old", folderPath: "/p", folderLastScanStatus: "idle" });
    expect(store.folderFiles.list(project.id)[0]).toMatchObject({ relativePath: "a.md", mtimeMs: 8.5, summary: null });
    expect(store.work.task.list()).toMatchObject([{ title: "old", status: "open" }]);
    expect(store.localScouts.list()).toMatchObject([{ projectId: project.id, isEnabled: true, rescanEveryMs: 10 }]);
    const [run] = store.scoutRuns.list(project.id);
    expect(run && store.scoutRuns.actions(run.id)).toMatchObject([{ action: "added", relativePath: "a.md" }]);

    if (version < 3) return;
    expect(store.folderSnapshots.find(project.id)).toEqual({
      basis: "b",
      directories: [{ path: "", digest: "d", unwatched: [] }],
      leftOut: { byReason: { symlink: 1 }, unsupported: {} },
    });

    if (version < 4) return;
    expect(store.knownScouts.off()).toMatchObject([{ name: "Inbox", offCode: "reauth", offSince: 13 }]);

    if (version < 5) return;
    expect(store.waitingScouts.causes()).toEqual([{ code: "model_forbidden", since: 14, items: 3, scouts: 1 }]);

    if (version < 6) return;
    expect(store.folderFiles.list(project.id).map(({ kind }) => kind)).toEqual(["text", "a kind of later"]);

    if (version < 8) return;
    expect(newer?.metadata).toEqual({ sender: bea, relation: "to", threadRef: "t1", automatic: false });

    if (version < 13) expect(newer).toMatchObject({ category: "unprocessed", priority: "none", payload: null });
    else expect(newer).toMatchObject({ category: "task", priority: "soon", payload: { title: "Paint" } });

    if (version < 10) return;
    expect(store.work.event.list()).toMatchObject([{ title: "Fair", isAllDay: false, people: [], recurrence: [] }]);
    expect(store.work.note.list()).toMatchObject([{ title: "Paint", markdown: "" }]);
    expect(store.work.person.list()).toMatchObject([{ name: "Bea", addresses: [] }]);
    expect(store.work.memory.list()).toMatchObject([{ fact: "Tea", source: "" }]);
    expect(store.entityChanges.latest("memory", 2)).toMatchObject([{ after: { fact: "Tea" }, undoes: null }]);
    expect(newer).toMatchObject({ round: version < 12 ? 1 : 2, entityChange: 1 });

    if (version < 12) return;
    expect(newer).toMatchObject({ round: 2, decidedElsewhere: "rejected" });

    if (version < 18) return;
    expect(Object.fromEntries(store.workFiles.of("/notes"))).toEqual({
      "notes/Paint.md": { file: "f", device: null, noteId: "not_1", copy: null },
      "calendar.ics": { file: "g", device: "h", noteId: null, copy: "c" },
    });
    // An earlier version that still runs takes no file for a new note: it cannot read what it kept there.
    if (version === 18) expect(store.cursors.get("work.files")?.value).toBe('"work_files"');
  },
);

test("the typed schema and the migrations describe the same columns", () => {
  const connection = new DatabaseSync(temporaryStore().path);
  const tables = [
    ...[scoutSuggestions, proposalTombstones, outbox, cursors, deviceIdentity, knownScouts, waitingScouts],
    ...[projects, projectFolderFiles, folderSnapshots, localScoutConfigs, scoutRuns, scoutRunActions],
    ...[tasks, events, notes, people, memory, entityChanges, searchChanges, answers, workFiles],
  ];
  for (const table of tables) {
    const { name, columns } = getTableConfig(table);
    const typed = columns.map((column) => [column.name, column.getSQLType().toUpperCase(), column.notNull]);
    const real = connection
      .prepare('SELECT name, type, "notnull" FROM pragma_table_xinfo(?)')
      .all(name)
      .map((column) => [column["name"], column["type"], column["notnull"] === 1]);
    expect(typed.sort(), name).toEqual(real.sort());
  }
  connection.close();
});

test("a database of a newer version is refused and left as it is", () => {
  const dataFolder = databaseOfVersion(currentVersion);
  const connection = new DatabaseSync(storePath(dataFolder));
  connection.exec("PRAGMA user_version = 99");
  expect(() => openDeviceStore({ ...systemTimeAndIds, dataFolder })).toThrow(
    expect.objectContaining({ code: "store_newer" }),
  );
  expect(connection.prepare("PRAGMA user_version").get()).toEqual({ user_version: 99 });
  connection.close();
});

test("P5: folder and files are their owner's alone, also those SQLite adds", () => {
  const dataFolder = temporaryFolder();
  mkdirSync(path.join(dataFolder, "device"), { mode: 0o755 });
  const store = temporaryStore(dataFolder);
  store.transaction(() => store.cursors.set("x", "y"));

  const folder = path.dirname(store.path);
  const files = readdirSync(folder).sort();
  expect(files).toEqual(["device.sqlite", "device.sqlite-shm", "device.sqlite-wal", "device.sqlite.made"]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of files) expect(statSync(path.join(folder, file)).mode & 0o777, file).toBe(0o600);
});

test("bad places and files are told apart, in a sentence", () => {
  const folder = temporaryFolder();
  expect(() => openDeviceStore({ ...systemTimeAndIds, dataFolder: folder, mustExist: true })).toThrow(
    expect.objectContaining({ code: "store_missing" }),
  );

  writeFileSync(path.join(folder, "file"), "");
  expect(() => openDeviceStore({ ...systemTimeAndIds, dataFolder: path.join(folder, "file") })).toThrow(
    expect.objectContaining({ code: "folder_unusable" }),
  );

  mkdirSync(path.join(folder, "device"));
  writeFileSync(storePath(folder), "This is not a database. ".repeat(400));
  expect(() => openDeviceStore({ ...systemTimeAndIds, dataFolder: folder })).toThrow(
    expect.objectContaining({ code: "store_unreadable" }),
  );
});

test("P2: a database that has become empty, or is gone, is not taken for one that never was", () => {
  const folder = temporaryFolder();
  const options = { ...systemTimeAndIds, dataFolder: folder };
  const opened = () => {
    const store = openDeviceStore(options);
    store.close();
    return store.isMadeAnew;
  };
  expect([opened(), opened()]).toEqual([false, false]);

  writeFileSync(storePath(folder), "");
  expect(() => openDeviceStore(options)).toThrow(
    expect.objectContaining({ code: "store_unreadable", message: expect.stringContaining("is damaged (it is empty)") }),
  );
  expect(statSync(storePath(folder)).size).toBe(0);

  rmSync(storePath(folder));
  expect(() => openDeviceStore({ ...options, mustExist: true })).toThrow(
    expect.objectContaining({ code: "store_missing", message: expect.stringContaining("is gone. Restore it") }),
  );
  expect([opened(), opened()]).toEqual([true, false]);
});

test("SQLite's result codes become the device's", () => {
  const code = (errcode: number) => {
    const error = asStoreError(Object.assign(new Error("x"), { errcode }));
    return isDeviceError(error) ? error.code : undefined;
  };
  // 266, 778, 1034: what was to be read, written, flushed; 522, 8458: too little was there, and no sound file system.
  expect([266, 778, 1034].map(code)).toEqual(["store_disk", "store_disk", "store_disk"]);
  expect([5, 261, 13, 4874, 11, 26, 522, 8458, 14, 8, 19].map(code)).toEqual([
    "store_busy",
    "store_busy",
    "store_full",
    "store_full",
    "store_unreadable",
    "store_unreadable",
    "store_unreadable",
    "store_unreadable",
    "store_closed",
    "store_closed",
    undefined,
  ]);
});

test("a transaction that fails leaves nothing behind", () => {
  const store = temporaryStore();
  const attempt = () =>
    store.transaction(() => {
      store.proposals.add([makeProposal(1)]);
      throw new Error("no");
    });
  expect(attempt).toThrow("no");
  expect(store.proposals.list()).toEqual([]);
});

test("P2: a proposal is stored once for ever, whatever comes later under its id", () => {
  const store = temporaryStore();
  expect(store.proposals.add([makeProposal(1), makeProposal(1)])).toHaveLength(1);
  decideProposal(store, makeProposal(1).id, "rejected", nextFrameId);
  expect(store.proposals.add([makeProposal(1, { rawSubject: "other" })])).toEqual([]);
  expect(store.proposals.list()).toMatchObject([{ rawSubject: "Subject 1", status: "rejected" }]);
});

test("P3: a decision sets status and time and leaves one frame for the cloud, nothing more", () => {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder, now: () => 4_000 });
  const [before] = store.proposals.add([makeProposal(1), makeProposal(2)]);
  const decided = decideProposal(store, makeProposal(1).id, "approved", nextFrameId);

  expect(decided).toEqual({ ...before, status: "approved", resolvedAt: 4_000 });
  const frames = store.outbox.waiting(10).map(({ text }) => JSON.parse(text));
  expect(frames).toEqual([
    {
      type: "scout_proposal_resolved",
      id: expect.stringMatching(/^frm_/),
      proposalId: makeProposal(1).id,
      round: 1,
      outcome: "approved",
    },
  ]);
  store.close();
});

test("a decision on what is unknown or decided is refused with its code and leaves no frame", () => {
  const store = temporaryStore();
  store.proposals.add([makeProposal(1)]);
  decideProposal(store, makeProposal(1).id, "approved", nextFrameId);
  const again = () => decideProposal(store, makeProposal(1).id, "rejected", nextFrameId);
  const unknown = () => decideProposal(store, makeProposal(9).id, "rejected", nextFrameId);

  expect(again).toThrow(
    expect.objectContaining({ code: "proposal_decided", message: expect.stringContaining("approved") }),
  );
  expect(unknown).toThrow(expect.objectContaining({ code: "proposal_unknown" }));
  expect(store.outbox.counts()).toEqual({ waiting: 1, refused: 0 });
});

test("a decision that cannot be told to the cloud is not made", () => {
  const store = temporaryStore();
  store.proposals.add([makeProposal(1)]);
  const put = () => {
    throw new DeviceError("store_full");
  };
  expect(() =>
    decideProposal({ ...store, outbox: { ...store.outbox, put } }, makeProposal(1).id, "approved", nextFrameId),
  ).toThrow();
  expect(store.proposals.counts()).toMatchObject({ pending: 1, approved: 0 });
});

test("the outbox keeps one waiting frame per key, and takes the next once that is gone", () => {
  const store = temporaryStore();
  const { id } = makeProposal(1);
  const ack = () => ({ type: "scout_proposal_ack" as const, id: nextFrameId(), proposalId: id, round: 1 });
  const put = () => store.outbox.put(ack(), { subject: id, dedupeKey: `ack:${id}` });
  put();
  put();
  const [first] = store.outbox.waiting(10);
  expect(store.outbox.counts().waiting).toBe(1);

  store.outbox.refused([first?.id ?? nextFrameId()], "proposal_not_found");
  put();
  expect(store.outbox.counts()).toEqual({ waiting: 1, refused: 1 });
});

test("refused frames are kept for a month", () => {
  const dataFolder = temporaryFolder();
  let nowMs = 1_000;
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder, now: () => nowMs });
  const frame = { type: "bye" as const, id: nextFrameId() };
  store.outbox.put(frame);
  store.outbox.refused([frame.id], "forbidden");
  nowMs += 29 * 24 * 3_600_000;
  store.outbox.prune();
  expect(store.outbox.counts().refused).toBe(1);
  nowMs += 2 * 24 * 3_600_000;
  store.outbox.prune();
  expect(store.outbox.counts().refused).toBe(0);
  store.close();
});

test("the longest frame about a proposal fits a socket frame; one that is not valid never enters the outbox", () => {
  const store = temporaryStore();
  const longest = proposalId.parse(`sct_01JD0000000000000000000000.${"r".repeat(128)}`);
  const decision = {
    type: "scout_proposal_resolved",
    proposalId: longest,
    round: 1_000_000,
    outcome: "approved",
  } as const;
  store.outbox.put({ ...decision, id: nextFrameId() });
  expect(Buffer.byteLength(store.outbox.waiting(1)[0]?.text ?? "")).toBeLessThan(socketLimits.frameBytes);

  const proposalIds = Array.from({ length: socketLimits.acksPerFrame }, () => longest);
  const acks = { type: "scout_proposals_ack", id: nextFrameId(), proposalIds };
  expect(Buffer.byteLength(JSON.stringify(clientFrame.parse(acks)))).toBeLessThan(socketLimits.frameBytes);

  expect(() => store.outbox.put({ type: "proposals_pull", id: nextFrameId(), limit: 51 })).toThrow();
  expect(store.outbox.counts().waiting).toBe(1);
});

test.skipIf(quick)("two processes write at once: nothing fails, nothing is lost", async () => {
  const dataFolder = temporaryFolder();
  const store = temporaryStore(dataFolder);
  store.proposals.add(Array.from({ length: 200 }, (_, n) => makeProposal(n)));
  const script = `
    import { openDeviceStore } from ${JSON.stringify(new URL("../../device/store/open.ts", import.meta.url).href)};
    import { decideProposal, newFrameId } from ${JSON.stringify(new URL("../../device/store/decide.ts", import.meta.url).href)};
    import { systemTimeAndIds } from ${JSON.stringify(new URL("../../device/time-and-ids.ts", import.meta.url).href)};
    const store = openDeviceStore({ dataFolder: ${JSON.stringify(dataFolder)}, mustExist: true, ...systemTimeAndIds });
    process.stdout.write("open");
    for (let n = 0; n < 200; n += 2) decideProposal(store, "${makeProposal(0).scoutId}.msg-" + n, "approved", () => newFrameId(systemTimeAndIds.newId));
    store.close();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  for (let n = 1; n < 200; n += 2) {
    decideProposal(store, makeProposal(n).id, "rejected", nextFrameId);
    await new Promise(setImmediate);
  }
  expect(await ended).toEqual([0, null]);

  expect(store.proposals.counts()).toEqual({ pending: 0, approved: 100, rejected: 100, expired: 0 });
  expect(store.outbox.counts().waiting).toBe(200);
});

test("a writing of another process is noticed, one's own is not", () => {
  const dataFolder = temporaryFolder();
  const [store, other] = [temporaryStore(dataFolder), temporaryStore(dataFolder)];
  const before = store.foreignVersion();
  store.cursors.set("a", "1");
  expect(store.foreignVersion()).toBe(before);
  other.cursors.set("a", "2");
  expect(store.foreignVersion()).not.toBe(before);
});
