import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { S3ProjectFiles } from "../../device/files/backends/s3/s3-project-files.ts";
import { ProjectFilesError } from "../../device/files/errors.ts";
import type { FileState } from "../../device/files/materialize/materialize-types.ts";
import { decide } from "../../device/files/materialize/three-way.ts";
import { removeAbandonedViews } from "../../device/files/materialize/view-directory.ts";
import type { ProjectFiles, WriteOptions } from "../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { rounds } from "../rounds.ts";
import { bytes, collect, expectCode, text } from "./expect-code.ts";
import { MemoryObjectStorage } from "./memory-object-storage.ts";

let temporaryRoot: string;
beforeEach(() => {
  temporaryRoot = mkdtempSync(join(tmpdir(), "files-views-"));
});
afterEach(() => rmSync(temporaryRoot, { recursive: true, force: true }));

async function contents(files: ProjectFiles): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for await (const { path } of files.walk({ ignoreRules: false, skipNames: [] }))
    all[path] = text(await files.read(path));
  return all;
}

describe("P2: syncing a view back", () => {
  it("keeps both versions when both sides changed a file", async () => {
    const files = new InMemoryProjectFiles({ "d/notes.md": "base" }, systemTimeAndIds);
    const view = await files.materialize({ temporaryRoot });
    writeFileSync(join(view.root, "d/notes.md"), "mine");
    await files.write("d/notes.md", bytes("theirs"));
    const { changes } = await view.close();
    expect(changes).toMatchObject([{ path: "d/notes.md", action: "conflict", reason: "both-changed" }]);
    const beside = changes[0]?.action === "conflict" ? changes[0].keptBeside : undefined;
    expect(beside).toMatch(/^d\/notes\.conflict-[0-9A-Za-z]{6}\.md$/);
    expect(await contents(files)).toEqual({ "d/notes.md": "theirs", [beside ?? ""]: "mine" });
  });

  it("tells the kinds of conflict apart and loses neither side", async () => {
    const files = new InMemoryProjectFiles({ a: "base", b: "base" }, systemTimeAndIds);
    const view = await files.materialize({ temporaryRoot });
    writeFileSync(join(view.root, "a"), "mine");
    rmSync(join(view.root, "b"));
    writeFileSync(join(view.root, "c"), "mine");
    await files.delete("a");
    await files.write("b", bytes("theirs"));
    await files.write("c", bytes("theirs"));
    const { changes } = await view.close();
    const reasons = changes.map((change) => [change.path, "reason" in change ? change.reason : change.action]);
    expect(Object.fromEntries(reasons)).toEqual({
      a: "changed-here-deleted-there",
      b: "deleted-here-changed-there",
      c: "both-created",
    });
    const after = Object.entries(await contents(files)).map(([path, content]) => [path.replace(/-.*/, ""), content]);
    expect(after.sort()).toEqual([
      ["a.conflict", "mine"],
      ["b", "theirs"],
      ["c", "theirs"],
      ["c.conflict", "mine"],
    ]);
  });

  it("plans the same changes without making them", async () => {
    const files = new InMemoryProjectFiles({ a: "1", b: "2", c: "3" }, systemTimeAndIds);
    const view = await files.materialize({ temporaryRoot });
    writeFileSync(join(view.root, "a"), "changed");
    rmSync(join(view.root, "b"));
    writeFileSync(join(view.root, "new"), "x");
    const plan = await view.plan();
    expect(plan.applied).toBe(false);
    expect(await contents(files)).toEqual({ a: "1", b: "2", c: "3" });
    const report = await view.close();
    expect(report.applied).toBe(true);
    expect(report.changes).toEqual(plan.changes);
    expect(await contents(files)).toEqual({ a: "changed", c: "3", new: "x" });
  });

  it("a file that became a directory, and the reverse", async () => {
    const files = new InMemoryProjectFiles({ file: "1", "dir/x": "2" }, systemTimeAndIds);
    const view = await files.materialize({ temporaryRoot });
    rmSync(join(view.root, "file"));
    rmSync(join(view.root, "dir"), { recursive: true });
    mkdirSync(join(view.root, "file"));
    writeFileSync(join(view.root, "file/inside"), "3");
    writeFileSync(join(view.root, "dir"), "4");
    await view.close();
    expect(await contents(files)).toEqual({ "file/inside": "3", dir: "4" });
  });

  it("keeps the view's version beside when the store cannot take it where it belongs", async () => {
    const files = new InMemoryProjectFiles({ x: "1" }, systemTimeAndIds);
    const view = await files.materialize({ temporaryRoot });
    mkdirSync(join(view.root, "d"));
    writeFileSync(join(view.root, "d/f.txt"), "mine");
    await files.write("d", bytes("a file by now"));
    const { changes } = await view.close();
    expect(changes).toMatchObject([{ path: "d/f.txt", action: "conflict", reason: "blocked" }]);
    expect(Object.values(await contents(files)).sort()).toEqual(["1", "a file by now", "mine"]);
  });

  it("does not follow links out of the view, nor take what a link replaced for deleted", async () => {
    const files = new InMemoryProjectFiles({ a: "1", "d/x": "2" }, systemTimeAndIds);
    const view = await files.materialize({ temporaryRoot });
    rmSync(join(view.root, "a"));
    renameSync(join(view.root, "d"), join(temporaryRoot, "moved"));
    symlinkSync("/etc/passwd", join(view.root, "a"));
    symlinkSync(join(temporaryRoot, "moved"), join(view.root, "d"));
    const { changes } = await view.close();
    expect(changes.map((change) => change.action)).toEqual(["skip", "skip"]);
    expect(await contents(files)).toEqual({ a: "1", "d/x": "2" });
  });

  it("carries permission changes, and a mode someone else changed stands", async () => {
    const files = new InMemoryProjectFiles({ a: "1", b: "1" }, systemTimeAndIds);
    const view = await files.materialize({ temporaryRoot });
    chmodSync(join(view.root, "a"), 0o755);
    await files.write("b", bytes("1"), { mode: 0o600 });
    await view.close();
    expect((await files.metadata("a")).mode).toBe(0o755);
    expect((await files.metadata("b")).mode).toBe(0o600);
  });

  it("leaves a file that is read-only as it is, and keeps the view's version beside it", async () => {
    const files = new InMemoryProjectFiles({}, systemTimeAndIds);
    await files.write("kept.txt", bytes("1"), { mode: 0o444 });
    const view = await files.materialize({ temporaryRoot });
    chmodSync(join(view.root, "kept.txt"), 0o644);
    writeFileSync(join(view.root, "kept.txt"), "2");
    const { changes } = await view.close();
    const [change] = changes;
    if (change?.action !== "conflict") throw new Error("no conflict");
    expect(await contents(files)).toEqual({ "kept.txt": "1", [change.keptBeside ?? ""]: "2" });
  });

  it("a failure surfaces, keeps the directory, and closing again finishes the work", async () => {
    const files = new FailingStore({ a: "1", b: "2" }, systemTimeAndIds);
    const view = await files.materialize({ temporaryRoot });
    writeFileSync(join(view.root, "a"), "new a");
    writeFileSync(join(view.root, "b"), "new b");
    files.failOn = "b";
    await expectCode(view.close(), "SyncFailed");
    expect(readFileSync(join(view.root, "b"), "utf8")).toBe("new b");
    files.failOn = undefined;
    await view.close();
    expect(await contents(files)).toEqual({ a: "new a", b: "new b" });
    expect(existsSync(view.root)).toBe(false);
  });

  it("a view whose directory vanished deletes nothing", async () => {
    const files = new InMemoryProjectFiles({ a: "1" }, systemTimeAndIds);
    const view = await files.materialize({ temporaryRoot });
    rmSync(view.root, { recursive: true });
    await expectCode(view.close(), "SyncFailed");
    expect(await contents(files)).toEqual({ a: "1" });
    await view.discard();
  });

  it("a change that lands between look and write is met again, not overwritten", async () => {
    const storage = new MemoryObjectStorage();
    const files = new S3ProjectFiles(storage, { bucket: "b", prefix: "" });
    const other = new S3ProjectFiles(storage, { bucket: "b", prefix: "" });
    await files.write("f", bytes("base"));
    const view = await files.materialize({ temporaryRoot });
    writeFileSync(join(view.root, "f"), "mine");
    const put = storage.put.bind(storage);
    let raced = false;
    storage.put = async (key, content, options) => {
      if (!raced) {
        raced = true;
        await other.write("f", bytes("theirs"));
      }
      return put(key, content, options);
    };
    const { changes } = await view.close();
    expect(changes).toMatchObject([{ action: "conflict", reason: "both-changed" }]);
    expect(Object.values(await contents(files)).sort()).toEqual(["mine", "theirs"]);
  });

  const pathArb = fc.constantFrom("a", "b", "d/x", "d/y", "e.txt");
  const editArb = fc.dictionary(pathArb, fc.option(fc.constantFrom("1", "2", "3")), { maxKeys: 5 });
  it("loses no change of either side, whatever both did", { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(pathArb, fc.constantFrom("0", "1"), { maxKeys: 5 }),
        editArb,
        editArb,
        async (base, here, there) => {
          const files = new InMemoryProjectFiles(base, systemTimeAndIds);
          const view = await files.materialize({ temporaryRoot });
          for (const [path, content] of Object.entries(here)) {
            if (content === null) rmSync(join(view.root, path), { force: true });
            else {
              mkdirSync(dirname(join(view.root, path)), { recursive: true });
              writeFileSync(join(view.root, path), content);
            }
          }
          for (const [path, content] of Object.entries(there)) {
            if (content !== null) await files.write(path, bytes(content));
            else if (await files.exists(path)) await files.delete(path);
          }
          const { changes } = await view.close();
          const after = await contents(files);
          for (const path of new Set([...Object.keys(base), ...Object.keys(here), ...Object.keys(there)])) {
            const was = base[path];
            const mine = path in here ? (here[path] ?? undefined) : was;
            const theirs = path in there ? (there[path] ?? undefined) : was;
            const conflict = changes.find((change) => change.path === path && change.action === "conflict");
            if (mine === was || mine === theirs) expect(after[path]).toBe(theirs);
            else if (theirs === was) expect(after[path]).toBe(mine);
            else {
              expect(after[path]).toBe(theirs);
              expect(conflict).toBeDefined();
              const beside = conflict?.action === "conflict" ? conflict.keptBeside : undefined;
              expect(beside === undefined ? undefined : after[beside]).toBe(mine);
            }
          }
          expect(existsSync(view.root)).toBe(false);
        },
      ),
      { numRuns: rounds(250) },
    );
  });

  it("decides every combination of base, view and store", () => {
    const state = (hash: string): FileState => ({ hash, mode: 0o644 });
    const [B, V, S] = [state("b"), state("v"), state("s")];
    const action = (base?: FileState, view?: FileState, store?: FileState) => decide(base, view, store).action;
    expect([
      action(B, B, B),
      action(B, B, S),
      action(B, B),
      action(B, V, V),
      action(B),
      action(undefined, V, V),
    ]).toEqual(Array(6).fill("keep"));
    expect([action(undefined, V), action(B, V, B), action(B, undefined, B)]).toEqual(["create", "update", "delete"]);
    expect([action(B, V, S), action(B, V), action(B, undefined, S), action(undefined, V, S)]).toEqual(
      Array(4).fill("conflict"),
    );
  });
});

describe("the directory of a view", () => {
  it("is private and goes when the view is closed or discarded", async () => {
    const files = new InMemoryProjectFiles({ a: "1" }, systemTimeAndIds);
    const view = await files.materialize({ temporaryRoot });
    expect(statSync(dirname(view.root)).mode & 0o777).toBe(0o700);
    await view.discard();
    expect(await view.close()).toMatchObject({ applied: false });
    await using second = await files.materialize({ temporaryRoot });
    await second.close();
    expect(readdirSync(temporaryRoot)).toEqual([]);
  });

  it("holds part of the files when asked, and the rest is not touched", async () => {
    const files = new InMemoryProjectFiles({ "a.ts": "1", "b.md": "2", "big.ts": "x".repeat(100) }, systemTimeAndIds);
    const view = await files.materialize({ temporaryRoot, globs: ["*.ts"], maxFileBytes: 50 });
    expect(readdirSync(view.root)).toEqual(["a.ts"]);
    expect(view.leftOut).toEqual(["big.ts"]);
    rmSync(join(view.root, "a.ts"));
    await view.close();
    expect((await collect(files.walk())).map((entry) => entry.path)).toEqual(["b.md", "big.ts"]);
  });

  it("is refused and removed when the files are too much in all", async () => {
    const files = new InMemoryProjectFiles({ a: "x".repeat(60), b: "x".repeat(60) }, systemTimeAndIds);
    await expectCode(files.materialize({ temporaryRoot, maxTotalBytes: 100 }), "TooLarge");
    expect(readdirSync(temporaryRoot)).toEqual([]);
  });

  const program = `
    import { InMemoryProjectFiles } from ${JSON.stringify(new URL("../../device/files/backends/in-memory-project-files.ts", import.meta.url).href)};
    const view = await new InMemoryProjectFiles({ a: "1" }, { now: Date.now }).materialize({ temporaryRoot: process.argv[1] });
    console.log(view.root);
    if (process.argv[2] === "exit") process.exit(3);
    if (process.argv[2] === "throw") throw new Error("expected");
    setInterval(() => undefined, 1_000);
  `;
  const start = (how: string) =>
    spawn(process.execPath, ["--input-type=module", "-e", program, temporaryRoot, how], {
      stdio: ["ignore", "pipe", "ignore"],
    });

  it.each(["exit", "throw"])("goes with its process: %s", async (how) => {
    const child = start(how);
    await once(child, "exit");
    expect(readdirSync(temporaryRoot)).toEqual([]);
  });

  it("of a killed process goes at the next start; that of a living one stays", async () => {
    const child = start("wait");
    await once(child.stdout, "data");
    expect(await removeAbandonedViews(temporaryRoot, Date.now)).toBe(0);
    expect(readdirSync(temporaryRoot)).toHaveLength(1);
    child.kill("SIGKILL");
    await once(child, "exit");
    mkdirSync(join(temporaryRoot, "view-unsigned"));
    expect(await removeAbandonedViews(temporaryRoot, Date.now)).toBe(1);
    utimesSync(join(temporaryRoot, "view-unsigned"), 0, 0);
    expect(await removeAbandonedViews(temporaryRoot, Date.now)).toBe(1);
    expect(await removeAbandonedViews(join(temporaryRoot, "none"), Date.now)).toBe(0);
  });
});

class FailingStore extends InMemoryProjectFiles {
  failOn: string | undefined;

  override async write(path: string, content: Uint8Array, options?: WriteOptions): Promise<void> {
    if (path === this.failOn) throw new ProjectFilesError("StorageFailed", { path });
    await super.write(path, content, options);
  }
}
