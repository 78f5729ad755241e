import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { contentHash } from "../../device/files/content-hash.ts";
import { isProjectFilesError } from "../../device/files/errors.ts";

const rounds = 1_500;

describe.skipIf(process.platform !== "linux")("P5: a directory swapped for a link between check and use", () => {
  let outer: string;
  let attacker: ChildProcess;
  let files: FsProjectFiles;

  beforeEach(async () => {
    outer = mkdtempSync(join(tmpdir(), "files-swap-"));
    for (const directory of ["root/dir/sub", "outside/sub"]) mkdirSync(join(outer, directory), { recursive: true });
    writeFileSync(join(outer, "root/dir/file"), "inside");
    writeFileSync(join(outer, "outside/file"), "canary");
    writeFileSync(join(outer, "outside/only-there"), "canary");
    writeFileSync(join(outer, "root/dir/sub/file"), "inside");
    writeFileSync(join(outer, "outside/sub/file"), "canary");
    writeFileSync(join(outer, "outside/sub/only-there"), "canary");
    files = new FsProjectFiles(join(outer, "root"), { durable: false, ripgrep: false });
    const program = new URL("./swap-attacker.mjs", import.meta.url).pathname;
    attacker = spawn(process.execPath, [program, join(outer, "root"), join(outer, "outside")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    if (attacker.stdout !== null) await once(attacker.stdout, "data");
  });
  afterEach(async () => {
    attacker.stdin?.end();
    if (attacker.exitCode === null) await once(attacker, "exit");
    rmSync(outer, { recursive: true, force: true });
  });

  /** Runs each use often. Some must work and some be refused, or nothing was shown; other failures are thrown. */
  async function underAttack(...uses: ((round: number) => Promise<void>)[]): Promise<void> {
    const counts = { worked: 0, refused: 0 };
    for (let round = 0; round < rounds; round++) {
      for (const use of uses) {
        try {
          await use(round);
          counts.worked++;
        } catch (error) {
          if (!isProjectFilesError(error, "OutsideRoot", "NotFound", "NotADirectory", "Conflict")) throw error;
          counts.refused++;
        }
      }
      // Lets the attacker's swaps fall at other points.
      if (round % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(counts.worked).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
  }

  it("never leads a write, a rename or a deletion outside", async () => {
    await underAttack(
      (round) => files.write(`dir/new-${round}`, Buffer.from("w")),
      (round) => files.write("dir/file", Buffer.from(`w${round}`)),
      (round) => files.write(`dir/sub/a/${round}/b`, Buffer.from("w")),
      (round) => files.rename(`dir/new-${round}`, `dir/sub/old-${round}`),
      (round) => files.delete(`dir/sub/old-${round}`),
    );
    expect(readdirSync(join(outer, "outside")).sort()).toEqual(["file", "only-there", "sub"]);
    expect(readdirSync(join(outer, "outside/sub")).sort()).toEqual(["file", "only-there"]);
    expect(readFileSync(join(outer, "outside/file"), "utf8")).toBe("canary");
  });

  it("never leads a hash outside", async () => {
    const seen = new Set<string>();
    const hash = async (path: string) => void seen.add((await files.hash(path, 1_000)).hash);
    const read = async (path: string) => void seen.add(contentHash((await files.readHashed(path, 1_000)).bytes));
    await underAttack(
      () => hash("dir/file"),
      () => hash("dir/sub/file"),
      () => read("dir/sub/file"),
    );
    expect([...seen]).toEqual([contentHash(Buffer.from("inside"))]);
  });

  it("never leads a read, a listing, a walk or a search outside", async () => {
    const seen = new Set<string>();
    const read = async (path: string) => void seen.add(Buffer.from(await files.read(path)).toString());
    const list = async (path: string) => {
      for (const entry of await files.listDir(path)) seen.add(entry.path);
    };
    await underAttack(
      () => read("dir/file"),
      () => read("dir/sub/file"),
      () => list("dir/sub"),
    );
    for (let round = 0; round < rounds / 3; round++) {
      for await (const entry of files.walk()) seen.add(entry.path);
      for await (const match of files.grep("a", { syntax: "regex" })) seen.add(match.text);
    }
    for (const content of seen) expect(content.replace(/^(dir|aside-\d+)\/(sub\/)?/, "")).toMatch(/^(inside|file)$/);
  });
});
