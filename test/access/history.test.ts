import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AuditRecord, auditHash } from "../../device/access/audit/record.ts";
import { replay } from "../../device/access/audit/replay.ts";
import { AuditTrail, verifyChain } from "../../device/access/audit/trail.ts";
import { FileAccess } from "../../device/access/file-access.ts";
import { accessPath, openProjectDatabase } from "../../device/access/open-access.ts";
import type { AccessStore } from "../../device/access/store/access-store.ts";
import { prune } from "../../device/access/versions/retention.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { memoryAccessStore } from "../memory/access-store.ts";
import { replacing } from "./in-memory-setting.ts";
import { setting, temporaryFolder } from "./setting.ts";

function sqliteStore(): AccessStore {
  const database = openProjectDatabase(temporaryFolder(), "/project");
  onTestFinished(() => database.close());
  return database.store;
}

const stores = [
  ["in memory", memoryAccessStore],
  ["in SQLite", sqliteStore],
] as const;

describe.each(stores)("history and audit %s", (_, makeStore) => {
  test("every change is a version with its parent, and rolling back is one as well", async () => {
    const { access, session, patch, text } = await setting({ f: "one\n" }, { store: makeStore() });
    await patch(replacing("f", "one", "two"));
    await patch(replacing("f", "two", "three"));
    const history = await access.call(session, "file_history", { path: "f" });
    const versions = history.ok ? history.result.versions : [];
    expect(versions.map(({ tool, sizeBytes, kept }) => [tool, sizeBytes, kept])).toEqual([
      ["apply_patch", 6, true],
      ["apply_patch", 4, true],
      ["observed", 4, true],
    ]);
    expect(versions[0]?.parentId).toBe(versions[1]?.id);
    expect(versions[0]?.beforeHash).toBe(versions[1]?.hash);
    const first = versions[2]?.id ?? "";
    expect(await access.call(session, "rollback", { path: "f", versionId: first })).toMatchObject({ ok: true });
    expect(await text("f")).toBe("one\n");
    expect(await access.call(session, "rollback", { path: "f", versionId: first })).toMatchObject({
      error: { code: "patch_empty" },
    });
    const diff = await access.call(session, "get_diff", { path: "f", v1: first, v2: versions[0]?.id });
    expect(diff).toMatchObject({ result: { diff: "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-one\n+three\n" } });
  });

  test("a deleted file comes back with its content and mode; a change by hand is a version too", async () => {
    const { access, session, files, patch } = await setting({}, { store: makeStore() });
    await files.write("run.sh", Buffer.from("#!/bin/sh\n"), { mode: 0o755 });
    await patch("*** Begin Patch\n*** Delete File: run.sh\n*** End Patch");
    const [observed] = access.kit.store.versions.all();
    await access.call(session, "rollback", { path: "run.sh", versionId: observed?.id });
    expect((await files.metadata("run.sh")).mode).toBe(0o755);
    await files.write("run.sh", Buffer.from("by hand\n"));
    await patch(replacing("run.sh", "by hand", "by model"));
    const tools = access.kit.store.versions.list("run.sh", 10).map(({ tool }) => tool);
    expect(tools).toEqual(["apply_patch", "observed", "rollback", "apply_patch", "observed"]);
  });

  test("a version of another file, or of none, is not known", async () => {
    const { access, session, patch } = await setting({ f: "a\n", g: "b\n" }, { store: makeStore() });
    const { versionId } = await patch(replacing("f", "a", "A"));
    for (const args of [
      { path: "g", versionId },
      { path: "f", versionId: `ver_${"0".repeat(26)}` },
    ]) {
      expect(await access.call(session, "rollback", args)).toMatchObject({ error: { code: "version_unknown" } });
    }
  });

  test("retention lets go of old versions and what does not fit, never of a file's newest", async () => {
    let now = 1_000;
    const store = makeStore();
    const { access, session, patch } = await setting({ f: "v0\n", g: "w0\n" }, { store, now: () => now });
    for (let round = 1; round <= 5; round++) {
      now += 1_000;
      await patch(replacing("f", `v${round - 1}`, `v${round}`));
    }
    await patch(replacing("g", "w0", "w1"));
    expect(prune(store, now, { maxAgeMs: 2_500, maxBytes: 1e9 }).versions).toBe(3);
    expect(prune(store, now, { maxAgeMs: 1e9, maxBytes: 0 }).versions).toBe(3);
    expect(
      store.versions
        .all()
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(["f", "g"]);
    expect(store.contents.totals().count).toBe(2);
    const history = await access.call(session, "file_history", { path: "f" });
    expect(history).toMatchObject({ result: { versions: [{ kept: true }] } });
  });

  test("every call is in the trail, contents by their hash, and the chain holds", async () => {
    const { access, session, patch } = await setting({ f: "a\n" }, { store: makeStore() });
    await access.call(session, "read_file", { path: "f" });
    await access.call(session, "write_file", { path: "f", content: "the content\n" });
    await patch(replacing("f", "absent", "x"));
    await access.call(session, "nonsense", { path: 1 });
    await access.call(session, "read_file", { wrong: true });
    const records = [...access.audit.records()];
    expect(records.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ["read_file", "ok"],
      ["write_file", "ok"],
      ["apply_patch", "no_match"],
      ["nonsense", "unknown_tool"],
      ["read_file", "invalid_arguments"],
    ]);
    expect(records[1]?.args).toMatchObject({ content: { chars: 12 } });
    expect(JSON.stringify(records)).not.toContain("the content");
    expect(records[1]?.files[0]?.versionId).toMatch(/^ver_/);
    expect(access.audit.verify()).toMatchObject({ ok: true, records: 5 });
  });

  test("replaying the trail gives the tree that is there", async () => {
    const random = seededRandom(5);
    const pick = (count: number) => Math.floor(random() * count);
    const store = makeStore();
    const { access, session, files, patch } = await setting({ "0": "x 0\n", "1": "x 1\n", "2": "x 2\n" }, { store });
    for (let step = 0; step < 60; step++) {
      const path = String(pick(5));
      const version = store.versions.list(path, 10)[pick(5)];
      if (step % 3 === 0 && version !== undefined) {
        await access.call(session, "rollback", { path, versionId: version.id });
      } else if (step % 5 === 0) await patch(`*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`);
      else {
        await access.call(session, "read_file", { path });
        await access.call(session, "write_file", { path, content: `step ${step}\n` });
      }
    }
    const replayed = replay(access.audit.records(), store.contents);
    expect(replayed.outsideChanges).toEqual([]);
    expect(replayed.missing).toEqual([]);
    expect(replayed.files.size).toBeGreaterThan(2);
    for (const [path, bytes] of replayed.files) {
      const there = (await files.exists(path)) ? Buffer.from(await files.read(path)) : null;
      expect(bytes === null ? null : Buffer.from(bytes)).toEqual(there);
    }
  });

  test("rotation moves records out and the chain goes on from them", async () => {
    const store = makeStore();
    const trail = new AuditTrail(store, () => 1);
    const event = {
      caller: "c",
      session: "s",
      tool: "t",
      args: {},
      decision: "none",
      outcome: "ok",
      files: [],
    } as const;
    for (let round = 0; round < 5; round++) trail.append(event);
    const exported = [...trail.export()].map((line): AuditRecord => JSON.parse(line));
    expect(trail.rotate(3)).toBe(3);
    trail.append(event);
    expect(trail.verify()).toMatchObject({ ok: true, records: 4 });
    expect(verifyChain([...exported.slice(0, 3), ...trail.records()])).toMatchObject({ ok: true, records: 7 });
  });

  test("P5: a replay after a rotation knows what the moved records did", async () => {
    const store = makeStore();
    const files = new InMemoryProjectFiles({ "a.md": "one\n", "b.md": "two\n" }, systemTimeAndIds);
    const access = new FileAccess({ ...systemTimeAndIds, files, store });
    await access.start();
    const session = access.openSession({ caller: "c", backend: "local" });
    const write = async (path: string, content: string) => {
      await access.call(session, "read_file", { path });
      expect(await access.call(session, "write_file", { path, content })).toMatchObject({ ok: true });
    };
    await write("a.md", "three\n");
    await write("b.md", "four\n");
    expect(access.audit.rotate(store.audit.anchors().headSeq)).toBeGreaterThan(0);
    await write("b.md", "five\n");
    expect(access.audit.rotate(store.audit.anchors().headSeq)).toBeGreaterThan(0);
    const { files: replayed, outsideChanges, missing } = replay(access.audit.records(), store.contents);
    expect(new Map([...replayed].map(([path, bytes]) => [path, Buffer.from(bytes ?? []).toString()]))).toEqual(
      new Map([
        ["a.md", "three\n"],
        ["b.md", "five\n"],
      ]),
    );
    expect([outsideChanges, missing]).toEqual([[], []]);
    expect(access.audit.verify()).toMatchObject({ ok: true });
  });
});

describe("verification finds whatever was done to the trail", () => {
  function trailOfSix() {
    const [data, root] = [temporaryFolder(), "/project"];
    const database = openProjectDatabase(data, root);
    onTestFinished(() => database.close());
    const trail = new AuditTrail(database.store, () => 1);
    for (let round = 1; round <= 6; round++) {
      trail.append({
        caller: `c${round}`,
        session: "s",
        tool: "t",
        args: { round },
        decision: "none",
        outcome: "ok",
        files: [],
      });
    }
    const raw = new DatabaseSync(accessPath(data, root));
    onTestFinished(() => raw.close());
    return { trail, raw };
  }

  test.each<[string, string, number]>([
    ["a field altered", "UPDATE audit SET caller = 'x' WHERE seq = 3", 3],
    ["an argument altered", "UPDATE audit SET args = '{\"round\":9}' WHERE seq = 2", 2],
    ["a time altered", "UPDATE audit SET at = 2 WHERE seq = 6", 6],
    ["the first record removed", "DELETE FROM audit WHERE seq = 1", 1],
    ["a record removed", "DELETE FROM audit WHERE seq = 4", 4],
    ["the newest records removed", "DELETE FROM audit WHERE seq > 4", 5],
    [
      "a record removed and the gap closed",
      "DELETE FROM audit WHERE seq = 3; UPDATE audit SET seq = seq - 1 WHERE seq > 3",
      3,
    ],
    [
      "two records swapped",
      "UPDATE audit SET seq = 99 WHERE seq = 2; UPDATE audit SET seq = 2 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = 99",
      2,
    ],
    ["all records removed", "DELETE FROM audit", 1],
  ])("%s", (_, sql, seq) => {
    const { trail, raw } = trailOfSix();
    expect(trail.verify()).toMatchObject({ ok: true, records: 6 });
    raw.exec(sql);
    expect(trail.verify()).toMatchObject({ ok: false, seq });
  });

  test("a record altered together with its own hash", () => {
    const { trail, raw } = trailOfSix();
    const third = [...trail.records()][2];
    if (third === undefined) throw new TypeError("six records were made");
    raw.prepare("UPDATE audit SET caller = 'x', hash = ? WHERE seq = 3").run(auditHash({ ...third, caller: "x" }));
    expect(trail.verify()).toMatchObject({ ok: false, seq: 4 });
  });
});

test("a diff beyond its time is longer, still true, and says so", async () => {
  const random = seededRandom(9);
  const text = () => Array.from({ length: 20_000 }, () => `${Math.floor(random() * 50)}\n`).join("");
  const files = new InMemoryProjectFiles({ f: text() }, systemTimeAndIds);
  const access = new FileAccess({ ...systemTimeAndIds, files, store: memoryAccessStore(), diffTimeMs: -1 });
  await access.start();
  const session = access.openSession({ caller: "m", backend: "review" });
  await access.call(session, "write_file", { path: "f", content: `${"x\n".repeat(9)}`, mode: "append" });
  await files.write("f", Buffer.from(text()));
  const diff = await access.call(session, "get_diff", { path: "f" });
  expect(JSON.stringify(diff)).toContain("took too long");
});
