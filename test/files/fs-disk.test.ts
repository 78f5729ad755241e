import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { contentHash } from "../../device/files/content-hash.ts";
import { bytes, collect, expectCode, text } from "./expect-code.ts";

const isWindows = process.platform === "win32";

/** What a descriptor of this process is open on; nothing when it was closed meanwhile. */
function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}

describe.skipIf(isWindows).each([{ pins: true }, { pins: false }])("files on a real disk, pins: $pins", ({ pins }) => {
  let outer: string;
  let root: string;
  let files: FsProjectFiles;
  const at = (path: string) => join(root, path);

  beforeEach(() => {
    outer = mkdtempSync(join(tmpdir(), "files-disk-"));
    root = join(outer, "root");
    for (const directory of ["root/dir", "outside", "root-evil"])
      mkdirSync(join(outer, directory), { recursive: true });
    writeFileSync(join(outer, "outside/secret"), "canary");
    writeFileSync(join(outer, "root-evil/secret"), "canary");
    files = new FsProjectFiles(root, { pins });
  });
  afterEach(() => rmSync(outer, { recursive: true, force: true }));

  it.each([
    ["a relative link to a directory outside", "../outside", "link/secret"],
    ["an absolute link outside", "/etc", "link/passwd"],
    ["a link to a sibling with the same prefix", "../root-evil", "link/secret"],
    ["a link up and down again", "dir/../../outside", "link/secret"],
    ["a dangling link outside", "../outside/none", "link"],
    ["a link to the root's parent", "..", "link/outside/secret"],
    ["a loop", "link", "link/x"],
  ])("CVE-2025-53109: refuses %s for every use", async (_, target, path) => {
    symlinkSync(target, at("link"));
    const attempts = [
      files.read(path),
      files.write(path, bytes("x")),
      files.metadata(path),
      files.exists(path),
      files.canonical(path),
      files.write("link/new/file", bytes("x")),
      files.grep("canary", { paths: [path] }),
    ];
    for (const attempt of attempts) await expectCode(attempt, "OutsideRoot");
    writeFileSync(at("mine"), "x");
    if (path !== "link") await expectCode(files.rename("mine", "link/moved"), "OutsideRoot");
    expect(readFileSync(join(outer, "outside/secret"), "utf8")).toBe("canary");
    expect(existsSync(join(outer, "outside/none"))).toBe(false);
  });

  it.each([0, 3, 256 * 1024, 256 * 1024 + 1, 700_000])(
    "calls a file of %d bytes in one opening what it is called in two",
    async (size) => {
      await files.write("dir/f", Buffer.alloc(size, "ab\n"));
      const metadata = await files.metadata("dir/f");
      const bytes = await files.read("dir/f");
      const hash = contentHash(bytes);
      expect(await files.hash("dir/f", size)).toEqual({ hash, readBytes: size, metadata });
      const { bytes: hashed, ...told } = await files.readHashed("dir/f", size);
      expect(told).toEqual({ hash, readBytes: size, metadata });
      // Byte by byte, as `toEqual` compares them, it takes seconds.
      expect(Buffer.compare(hashed, bytes)).toBe(0);
      if (size === 0) return;
      await expectCode(files.hash("dir/f", size - 1), "TooLarge");
      await expectCode(files.readHashed("dir/f", size - 1), "TooLarge");
    },
  );

  it("does not write over what another program wrote to a file of several names in between", async () => {
    writeFileSync(at("a"), "as it was seen");
    linkSync(at("a"), at("b"));
    const { version } = await files.metadata("a");
    const writing = files.write("a", bytes("mine"), { ifVersion: version });
    // It has been looked at, and not been opened yet.
    writeFileSync(at("b"), "theirs, meanwhile");
    await expectCode(writing, "Conflict");
    expect(readFileSync(at("a"), "utf8")).toBe("theirs, meanwhile");
  });

  it("hashes no directory, nothing that is not there and nothing through a link", async () => {
    await files.write("dir/f", Buffer.from("f"));
    symlinkSync("f", at("dir/file-link"));
    symlinkSync("dir", at("link"));
    for (const look of [files.hash.bind(files), files.readHashed.bind(files)]) {
      await expectCode(look("dir", 10), "NotAFile");
      await expectCode(look("dir/none", 10), "NotFound");
      for (const path of ["dir/file-link", "link/f"]) await expectCode(look(path, 10), "OutsideRoot", "NotADirectory");
    }
  });

  it("follows links that stay inside and says where they lead", async () => {
    writeFileSync(at("dir/f"), "old");
    symlinkSync("dir", at("relative"));
    symlinkSync(at("dir/f"), at("absolute"));
    symlinkSync("../dir/new", at("dir/to-new"));
    expect(text(await files.read("relative/f"))).toBe("old");
    await files.write("absolute", bytes("new"));
    await files.write("dir/to-new", bytes("made"));
    expect(readFileSync(at("dir/f"), "utf8")).toBe("new");
    expect(readFileSync(at("dir/new"), "utf8")).toBe("made");
    expect(lstatSync(at("absolute")).isSymbolicLink()).toBe(true);
    expect(await files.canonical("relative/f")).toBe("dir/f");
    expect(await files.canonical("relative/none/x")).toBe("dir/none/x");
  });

  it("deletes and moves the link, not what it points at", async () => {
    symlinkSync("../outside/secret", at("link"));
    await files.rename("link", "dir/moved");
    expect(lstatSync(at("dir/moved")).isSymbolicLink()).toBe(true);
    await files.delete("dir/moved");
    expect(readFileSync(join(outer, "outside/secret"), "utf8")).toBe("canary");
  });

  it("keeps hard links and modes", async () => {
    writeFileSync(at("one"), "old");
    linkSync(at("one"), at("two"));
    chmodSync(at("one"), 0o754);
    await files.write("one", bytes("a longer text"));
    expect(readFileSync(at("two"), "utf8")).toBe("a longer text");
    await files.write("two", bytes("s"));
    expect(readFileSync(at("one"), "utf8")).toBe("s");
    expect(statSync(at("one")).mode & 0o7777).toBe(0o754);
    expect(statSync(at("one")).nlink).toBe(2);
  });

  it("an interrupted reader sees the old file or the new one: the name changes in one step", async () => {
    writeFileSync(at("f"), "old");
    const before = statSync(at("f")).ino;
    await files.write("f", bytes("new"));
    expect(statSync(at("f")).ino).not.toBe(before);
    await files.walk();
    expect((await files.listDir("")).map((entry) => entry.path)).toEqual(["dir", "f"]);
  });

  it("walks past links, loops, pipes, odd names and files that vanish, and counts them", async () => {
    symlinkSync("..", at("dir/up"));
    symlinkSync("../outside", at("out"));
    execFileSync("mkfifo", [at("pipe")]);
    if (process.platform === "linux") {
      writeFileSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.of(0xff)]), "x");
    }
    writeFileSync(at(".scouts-tmp-123"), "half");
    for (const name of ["a", "b", "dir/c", "z"]) writeFileSync(at(name), "");
    mkdirSync(at("late"));
    writeFileSync(at("late/x"), "");
    const walk = files.walk({ withMetadata: true });
    const paths: string[] = [];
    for await (const entry of walk) {
      paths.push(entry.path);
      if (entry.path === "a") rmSync(at("late"), { recursive: true });
    }
    expect(paths).toEqual(["a", "b", "dir/c", "z"]);
    const unaddressable = process.platform === "linux" ? 1 : 0;
    expect(walk.omitted).toMatchObject({ symlinks: 2, special: 1, temporary: 1, vanished: 1, unaddressable });
    await expectCode(files.read("pipe"), "NotAFile");
    await expectCode(files.write("pipe", bytes("x")), "NotAFile");
  });

  it("does not take rules from an ignore file that is a link", async () => {
    writeFileSync(join(outer, "outside/rules"), "*\n");
    symlinkSync("../outside/rules", at(".gitignore"));
    writeFileSync(at("f"), "");
    expect((await collect(files.walk())).map((entry) => entry.path)).toEqual(["f"]);
  });

  it("serves a root whose own name is spelled in decomposed Unicode, through a link to it", async () => {
    const spelled = join(outer, "cafe\u0301 🦊");
    mkdirSync(spelled);
    symlinkSync(spelled, join(outer, "alias"));
    const there = new FsProjectFiles(join(outer, "alias"), { pins });
    await there.write("u\u0308/\u00fc", bytes("x"));
    symlinkSync(join(outer, "alias", "u\u0308"), join(spelled, "link"));
    expect(text(await there.read("link/\u00fc"))).toBe("x");
    expect(there.displayRoot).toBe(spelled);
  });

  it("says when the root is not there or is no directory", () => {
    expect(() => new FsProjectFiles(join(outer, "none"), { pins })).toThrow(/NotFound/);
    expect(() => new FsProjectFiles(join(outer, "outside/secret"), { pins })).toThrow(/NotADirectory/);
  });

  it("closes every descriptor it opens", async () => {
    writeFileSync(at("f"), "needle");
    // Only those below the root: the test runner opens and closes its own meanwhile.
    const open = () =>
      (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd") : []).filter((fd) => linkOf(fd).startsWith(outer));
    await files.read("f");
    const before = open().length;
    for (let round = 0; round < 20; round++) {
      await files.write(`d${round}/e/f`, bytes("needle"));
      await files.rename(`d${round}/e/f`, `d${round}/g`);
      await collect(files.grep("needle", { maxMatches: 1 }));
      for await (const _ of files.walk()) break;
      await expectCode(files.walk({ under: "none" }), "NotFound");
      await expectCode(files.read("none/x"), "NotFound");
      await expectCode(files.write("f/x", bytes("")), "NotADirectory");
      await files.delete(`d${round}/g`);
    }
    expect(open().length).toBeLessThanOrEqual(before + 2);
  });
});
