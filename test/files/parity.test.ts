import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProjectFiles } from "../../device/files/project-files.ts";
import { backends } from "./backends.ts";
import { bytes, collect, expectCode, text } from "./expect-code.ts";

describe.each(backends)("ProjectFiles on $name", (backend) => {
  let files: ProjectFiles;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    ({ files, dispose } = await backend.open());
  });
  afterEach(() => dispose());
  afterAll(() => backend.close());

  const put = async (tree: Record<string, string | Uint8Array>) => {
    for (const [path, content] of Object.entries(tree)) {
      await files.write(path, typeof content === "string" ? bytes(content) : content);
    }
  };
  const walked = async (options?: Parameters<ProjectFiles["walk"]>[0]) =>
    (await collect(files.walk(options))).map((entry) => entry.path);

  describe("read and write", () => {
    it.each([
      ["nothing", new Uint8Array()],
      ["Latin-1 and CRLF", Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 13, 10, 0x78, 13, 10)],
      ["every byte", Uint8Array.from({ length: 256 }, (_, byte) => byte)],
      ["a megabyte", new Uint8Array(1_048_577).fill(7)],
    ])("gives back %s byte for byte", async (_, content) => {
      await files.write("deep/er/file", content);
      expect(Buffer.compare(await files.read("deep/er/file"), content)).toBe(0);
    });

    it("replaces all of a longer file", async () => {
      await put({ f: "a long text" });
      await put({ f: "short" });
      expect(text(await files.read("f"))).toBe("short");
    });

    it("gives bytes the caller may change without changing the file", async () => {
      const content = bytes("abc");
      await files.write("f", content);
      content.fill(0);
      (await files.read("f")).fill(0);
      expect(text(await files.read("f"))).toBe("abc");
    });

    it("reads a range, and fewer bytes beyond the end", async () => {
      await put({ f: "0123456789" });
      expect(text(await files.read("f", { range: { startByte: 3, endByte: 5 } }))).toBe("34");
      expect(text(await files.read("f", { range: { startByte: 8, endByte: 99 } }))).toBe("89");
      expect(text(await files.read("f", { range: { startByte: 50, endByte: 99 } }))).toBe("");
    });

    it("refuses more than maxBytes, of the file or of the range", async () => {
      await put({ f: "0123456789" });
      await expectCode(files.read("f", { maxBytes: 9 }), "TooLarge");
      expect(await files.read("f", { maxBytes: 10 })).toHaveLength(10);
      expect(await files.read("f", { maxBytes: 2, range: { startByte: 1, endByte: 3 } })).toHaveLength(2);
    });

    it("leaves nothing beside the file", async () => {
      await put({ "d/f": "1" });
      await put({ "d/f": "2" });
      expect(await files.listDir("d")).toEqual([{ path: "f", kind: "file" }]);
    });

    it("says what is wrong with the kind of thing at a path", async () => {
      await put({ "dir/file": "x" });
      await expectCode(files.read("dir"), "NotAFile");
      await expectCode(files.read(""), "NotAFile");
      await expectCode(files.read("none"), "NotFound");
      await expectCode(files.read("dir/file/under"), "NotFound");
      await expectCode(files.write("dir", bytes("x")), "NotAFile");
      await expectCode(files.write("", bytes("x")), "NotAFile");
      await expectCode(files.write("dir/file/under", bytes("x")), "NotADirectory");
      await expectCode(files.write("dir/file/under/deep", bytes("x")), "NotADirectory");
    });
  });

  describe("paths", () => {
    it.each([
      "[...slug]/page.tsx",
      'it\'s "quoted".md',
      "nbsp\u00a0name",
      "emoji 🦊/ŧëxt.txt",
      "..foo",
      "a..b",
      "...",
      "foo..",
      " lead",
      "#hash",
      "!bang",
      "%2e%2e%2fpercent",
      "~",
      "-rf",
      "$HOME",
      "a&b;c|d",
      "constructor",
      "__proto__",
      "name:with:colons",
      "cafe\u0301",
      "x".repeat(255),
    ])("takes the harmless name %j", async (path) => {
      await put({ [path]: path });
      expect(text(await files.read(path))).toBe(path);
      expect(await walked({ ignoreRules: false })).toEqual([path]);
    });

    const refused = [
      "/etc/passwd",
      "/",
      "//server/share/file",
      "..",
      "../x",
      "a/../../x",
      "a/b/../../../x",
      "./..",
      "nul\0byte",
      "C:\\Windows",
      "c:/Windows",
      "C:",
      "\\\\server\\share\\file",
      "\\\\?\\C:\\x",
      "..\\x",
      "a\\..\\..\\x",
      "lone\ud800surrogate",
      "x".repeat(256),
      `${"d/".repeat(2_100)}x`,
    ];
    it.each(refused)("refuses %j in every method before touching anything", async (path) => {
      await put({ f: "x" });
      const attempts = [
        files.read(path),
        files.write(path, bytes("x")),
        files.exists(path),
        files.metadata(path),
        files.listDir(path),
        files.delete(path),
        files.rename(path, "g"),
        files.rename("f", path),
        files.canonical(path),
        files.walk({ under: path }),
        files.walk({ after: path }),
        files.grep("x", { paths: [path] }),
      ];
      for (const attempt of attempts) await expectCode(attempt, "OutsideRoot", "InvalidPath");
      expect(await walked()).toEqual(["f"]);
    });

    it("reads `.`, doubled separators and inner `..` as what they mean", async () => {
      await put({ "a/b": "x" });
      for (const path of ["./a/b", "a//b", "a/./b", "a/c/../b", "a/b/"]) expect(text(await files.read(path))).toBe("x");
      expect(await files.canonical("./a//c/../b")).toBe("a/b");
      expect(await files.exists(".")).toBe(true);
    });
  });

  describe("metadata, exists, listDir", () => {
    it("describes files and directories", async () => {
      await put({ "d/f": "12345" });
      expect(await files.metadata("d/f")).toMatchObject({ kind: "file", sizeBytes: 5 });
      expect(await files.metadata("d")).toMatchObject({ kind: "directory" });
      expect(await files.metadata("")).toMatchObject({ kind: "directory" });
      await expectCode(files.metadata("none"), "NotFound");
      await expectCode(files.metadata("d/f/x"), "NotFound");
    });

    it("knows what is there", async () => {
      await put({ "d/f": "x" });
      const answers = await Promise.all(["", "d", "d/f", "d/g", "d/f/x", "e"].map((path) => files.exists(path)));
      expect(answers).toEqual([true, true, true, false, false, false]);
    });

    it("lists one directory, sorted, with paths relative to it", async () => {
      await put({ "d/b": "", "d/a/x": "", "d/A": "", "d/.hidden": "", e: "", "d-x": "" });
      expect(await files.listDir("d")).toEqual([
        { path: ".hidden", kind: "file" },
        { path: "A", kind: "file" },
        { path: "a", kind: "directory" },
        { path: "b", kind: "file" },
      ]);
      expect((await files.listDir("")).map((entry) => entry.path)).toEqual(["d", "d-x", "e"]);
      await expectCode(files.listDir("none"), "NotFound");
      await expectCode(files.listDir("e"), "NotADirectory");
    });

    it("lists an empty project", async () => {
      expect(await files.listDir("")).toEqual([]);
      expect(await walked()).toEqual([]);
    });
  });

  describe("versions and modes", () => {
    it("changes the version with the content", async () => {
      await put({ f: "1" });
      const first = await files.metadata("f");
      await put({ f: "2" });
      expect((await files.metadata("f")).version).not.toBe(first.version);
    });

    it("P2: writes, creates and deletes only on the version named", async () => {
      await put({ f: "1" });
      const { version } = await files.metadata("f");
      await files.write("f", bytes("22"), { ifVersion: version });
      await expectCode(files.write("f", bytes("333"), { ifVersion: version }), "Conflict");
      await expectCode(files.write("f", bytes("333"), { ifVersion: null }), "Conflict");
      await expectCode(files.write("g", bytes("333"), { ifVersion: version }), "Conflict");
      await expectCode(files.delete("f", { ifVersion: version }), "Conflict");
      expect(text(await files.read("f"))).toBe("22");
      await files.write("d/new", bytes("n"), { ifVersion: null });
      await files.delete("f", { ifVersion: (await files.metadata("f")).version });
      expect(await walked()).toEqual(["d/new"]);
    });

    it("P2: of many writers on one version exactly one wins", async () => {
      await put({ f: "0" });
      const { version } = await files.metadata("f");
      const attempts = Array.from({ length: 8 }, (_, n) => files.write("f", bytes(`w${n}`), { ifVersion: version }));
      const outcomes = await Promise.allSettled(attempts);
      expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
    });

    it("keeps the mode of a file it replaces and takes one for a new file", async () => {
      await files.write("run.sh", bytes("#!/bin/sh\n"), { mode: 0o755 });
      await put({ "run.sh": "#!/bin/sh\necho\n" });
      expect((await files.metadata("run.sh")).mode).toBe(0o755);
      await files.write("run.sh", bytes("x"), { mode: 0o600 });
      expect((await files.metadata("run.sh")).mode).toBe(0o600);
    });

    it("replaces no file that nobody may write, whoever asks, unless it is told to", async () => {
      await files.write("kept", bytes("as it is"), { mode: 0o444 });
      const { version } = await files.metadata("kept");
      await expectCode(files.write("kept", bytes("x")), "AccessDenied");
      await expectCode(files.write("kept", bytes("x"), { ifVersion: version, mode: 0o644 }), "AccessDenied");
      expect(text(await files.read("kept"))).toBe("as it is");
      await files.write("kept", bytes("put back"), { evenReadOnly: true });
      expect(text(await files.read("kept"))).toBe("put back");
      await files.delete("kept");
    });
  });

  describe("delete and rename", () => {
    it("deletes a file and nothing else", async () => {
      await put({ "d/a": "", "d/b": "" });
      await files.delete("d/a");
      expect(await walked()).toEqual(["d/b"]);
      await expectCode(files.delete("d/a"), "NotFound");
      await expectCode(files.delete("d"), "NotAFile");
      await expectCode(files.delete(""), "NotAFile");
    });

    it("moves a file with its mode, making directories", async () => {
      await files.write("a", bytes("x"), { mode: 0o755 });
      await files.rename("a", "b/c/d");
      expect(await walked()).toEqual(["b/c/d"]);
      expect((await files.metadata("b/c/d")).mode).toBe(0o755);
    });

    it("moves a directory with everything in it", async () => {
      await put({ "a/x": "1", "a/b/y": "2", "a/.git/config": "3", "ab/z": "4" });
      await files.rename("a", "c/d");
      expect(await walked({ skipNames: [] })).toEqual(["ab/z", "c/d/.git/config", "c/d/b/y", "c/d/x"]);
      expect(text(await files.read("c/d/b/y"))).toBe("2");
    });

    it("P2: never replaces what is there", async () => {
      await put({ a: "1", b: "2", "d/x": "3", "e/x": "4" });
      await expectCode(files.rename("a", "b"), "Conflict");
      await expectCode(files.rename("a", "d"), "Conflict");
      await expectCode(files.rename("d", "e"), "Conflict");
      await expectCode(files.rename("a", "a"), "Conflict");
      await expectCode(files.rename("a", ""), "Conflict", "InvalidPath");
      await expectCode(files.rename("d", "d/inside"), "InvalidPath");
      await expectCode(files.rename("", "x"), "InvalidPath");
      await expectCode(files.rename("none", "x"), "NotFound");
      await expectCode(files.rename("a", "b/under"), "NotADirectory");
      expect(await walked()).toEqual(["a", "b", "d/x", "e/x"]);
    });
  });

  describe("walk", () => {
    it("goes depth first in code-unit order, segment by segment", async () => {
      await put({ "a-b": "", "a/z": "", "a/b/c": "", B: "", "a.b/x": "", b: "" });
      expect(await walked()).toEqual(["B", "a/b/c", "a/z", "a-b", "a.b/x", "b"].sort(bySegments));
    });

    it("obeys nested ignore files, negation and anchors, and prunes", async () => {
      await put({
        ".gitignore": "*.log\n/dist\nbuild/\n!keep.log\n",
        "a.log": "",
        "keep.log": "",
        "dist/x": "",
        "sub/dist/x": "",
        "sub/build/x": "",
        "sub/build/keep.log": "",
        "sub/.gitignore": "!b.log\nlocal\n",
        "sub/a.log": "",
        "sub/b.log": "",
        "sub/deep/local": "",
        local: "",
        ".git/info/exclude": "secret\n",
        "sub/secret": "",
        secret: "",
      });
      const walk = files.walk();
      const paths = (await collect(walk)).map((entry) => entry.path);
      expect(paths).toEqual([".gitignore", "keep.log", "local", "sub/.gitignore", "sub/b.log", "sub/dist/x"]);
      expect(walk.omitted).toMatchObject({ ignoredFiles: 5, ignoredDirectories: 2, skipped: 1 });
    });

    it("can do without the rules, and take rules from the caller that the tree may overrule", async () => {
      await put({ ".gitignore": "*.log\n!keep.txt\n", "a.log": "", "a.txt": "", "keep.txt": "" });
      expect(await walked({ ignoreRules: false })).toEqual([".gitignore", "a.log", "a.txt", "keep.txt"]);
      expect(await walked({ extraRules: ["*.txt"] })).toEqual([".gitignore", "keep.txt"]);
    });

    it("resumes behind any path of an earlier walk", async () => {
      await put({ "a/b/c": "", "a/b/d": "", "a/b-x": "", "a/e": "", f: "", "g/h": "" });
      const all = await walked();
      for (const [index, after] of all.entries()) expect(await walked({ after })).toEqual(all.slice(index + 1));
      expect(await walked({ after: "a/b/cc" })).toEqual(all.filter((path) => path !== "a/b/c"));
      expect(await walked({ under: "a", after: "a/b/d" })).toEqual(["a/b-x", "a/e"].sort(bySegments));
    });

    it("starts in a directory with the rules from above it", async () => {
      await put({ ".gitignore": "*.log", "a/x.log": "", "a/y": "", "b/z": "" });
      expect(await walked({ under: "a" })).toEqual(["a/y"]);
      await expectCode(files.walk({ under: "none" }), "NotFound");
      await expectCode(files.walk({ under: "a/y" }), "NotADirectory");
    });

    it("chooses by extension, pattern and count, and says what it left out", async () => {
      await put({ "src/a.ts": "", "src/b.TS": "", "src/c.md": "", "test/a.test.ts": "", "x.ts": "" });
      expect(await walked({ extensions: ["ts"] })).toEqual(["src/a.ts", "src/b.TS", "test/a.test.ts", "x.ts"]);
      expect(await walked({ globs: ["src/**/*.{ts,md}"] })).toEqual(["src/a.ts", "src/c.md"]);
      expect(await walked({ globs: ["*.ts", "!*.test.ts"] })).toEqual(["src/a.ts", "x.ts"]);
      expect(await walked({ globs: ["test"] })).toEqual(["test/a.test.ts"]);
      const limited = files.walk({ maxFiles: 2 });
      expect(await collect(limited)).toHaveLength(2);
      expect(limited.omitted.limited).toBe(true);
      const all = files.walk({ maxFiles: 5 });
      await collect(all);
      expect(all.omitted.limited).toBe(false);
    });

    it("stops when cancelled", async () => {
      await put({ a: "", b: "", c: "" });
      const cancel = new AbortController();
      const seen: string[] = [];
      const walking = async () => {
        for await (const entry of files.walk({ signal: cancel.signal })) {
          seen.push(entry.path);
          cancel.abort();
        }
      };
      await expectCode(walking(), "Cancelled");
      expect(seen).toEqual(["a"]);
    });

    it("fills in metadata when asked", async () => {
      await put({ "d/f": "1234" });
      const [entry] = await collect(files.walk({ withMetadata: true }));
      expect(entry?.metadata).toEqual(await files.metadata("d/f"));
    });
  });

  describe("grep", () => {
    const lines = async (pattern: string, options?: Parameters<ProjectFiles["grep"]>[1]) =>
      (await collect(files.grep(pattern, options))).map(
        (match) => `${match.path}:${match.line}${match.kind === "match" ? ":" : "-"}${match.text}`,
      );

    it.each([
      ["utf-16le with a mark", Buffer.from("\ufeffäöü\r\nthe Straße is named\r\n", "utf16le")],
      ["utf-16be with a mark", Buffer.from("\ufeffäöü\r\nthe Straße is named\r\n", "utf16le").swap16()],
      ["utf-16le without one", Buffer.from("a plain beginning\nthe Straße is named\n", "utf16le")],
      ["utf-16be without one", Buffer.from("a plain beginning\nthe Straße is named\n", "utf16le").swap16()],
    ])("nothing silent: %s is searched like any text", async (_, bytes) => {
      await files.write("export.txt", bytes);
      expect(await lines("Straße")).toEqual(["export.txt:2:the Straße is named"]);
      expect(await lines("named$", { syntax: "regex" })).toEqual(["export.txt:2:the Straße is named"]);
      expect(await lines("STRASSE IS|straße", { syntax: "regex", ignoreCase: true })).toHaveLength(1);
    });

    it("finds literal text, whatever it looks like as a pattern", async () => {
      await put({ a: "x.*y\nxaay\n", b: "no\nx.*y" });
      expect(await lines("x.*y")).toEqual(["a:1:x.*y", "b:2:x.*y"]);
      expect(await lines("x.*y", { syntax: "regex" })).toEqual(["a:1:x.*y", "a:2:xaay", "b:2:x.*y"]);
    });

    it("gives context once where it overlaps", async () => {
      await put({ a: "1\n2\nhit\n4\n5\nhit\n7\n8\n9\n10\nhit" });
      expect(await lines("hit", { contextLines: 2 })).toEqual([
        "a:1-1",
        "a:2-2",
        "a:3:hit",
        "a:4-4",
        "a:5-5",
        "a:6:hit",
        "a:7-7",
        "a:8-8",
        "a:9-9",
        "a:10-10",
        "a:11:hit",
      ]);
      expect(await lines("hit", { contextLines: 1 })).toHaveLength(8);
    });

    it("anchors at each line, with LF and CRLF endings", async () => {
      await put({ a: "foo\nbar foo\nfoo bar\n", b: "foo\r\nbar foo\r\n" });
      expect(await lines("^foo$", { syntax: "regex" })).toEqual(["a:1:foo", "b:1:foo"]);
      expect(await lines("foo$", { syntax: "regex" })).toEqual(["a:1:foo", "a:2:bar foo", "b:1:foo", "b:2:bar foo"]);
      expect(await lines("\\Afoo\\z", { syntax: "regex" })).toEqual(["a:1:foo", "b:1:foo"]);
      expect(await lines("o\\sb", { syntax: "regex" })).toEqual(["a:3:foo bar"]);
    });

    it("folds case when told to, also beyond ASCII", async () => {
      await put({ a: "Größe\nGRÖSSE\ngröße" });
      expect(await lines("größe", { ignoreCase: true })).toEqual(["a:1:Größe", "a:3:größe"]);
      expect(await lines("GR(Ö)SSE", { ignoreCase: true, syntax: "regex" })).toEqual(["a:2:GRÖSSE"]);
    });

    it("reads text that is not UTF-8 as Latin-1", async () => {
      await put({ a: Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a), b: "café\n" });
      expect(await lines("café")).toEqual(["a:1:café", "b:1:café"]);
      expect(await lines("caf.$", { syntax: "regex" })).toEqual(["a:1:café", "b:1:café"]);
    });

    it("passes over binary files and counts them", async () => {
      await put({ a: "needle", b: "needle\0", "c.utf16": Buffer.from("needle", "utf16le") });
      const stream = files.grep("needle");
      expect((await collect(stream)).map((match) => match.path)).toEqual(["a"]);
      expect(stream.summary).toMatchObject({ filesMatched: 1, matches: 1, binaryFiles: 1 });
    });

    it("drops a byte order mark and sees an unfinished last line", async () => {
      await put({ a: "\ufefffirst\nlast" });
      expect(await lines("^(first|last)$", { syntax: "regex" })).toEqual(["a:1:first", "a:2:last"]);
    });

    it("caps matches per file and in all, and says so", async () => {
      await put({ a: "x\n".repeat(10), b: "x\n".repeat(3) });
      const perFile = files.grep("x", { maxMatchesPerFile: 3 });
      expect(await collect(perFile)).toHaveLength(6);
      expect(perFile.summary).toMatchObject({ cappedFiles: 1, capped: false });
      const inAll = files.grep("x", { maxMatches: 11 });
      expect(await collect(inAll)).toHaveLength(11);
      expect(inAll.summary.capped).toBe(true);
      const exact = files.grep("x", { maxMatches: 13 });
      expect(await collect(exact)).toHaveLength(13);
      expect(exact.summary.capped).toBe(false);
    });

    it("cuts long lines around the match and leaves out large files", async () => {
      await put({ a: `${"-".repeat(5_000)}needle${"-".repeat(5_000)}`, b: `needle${"-".repeat(200_000)}` });
      const [match] = await collect(files.grep("needle", { maxLineChars: 100, maxFileBytes: 100_000 }));
      expect(match).toMatchObject({ path: "a", cut: true });
      expect(match?.text).toHaveLength(100);
      expect(match?.text).toContain("needle");
    });

    it("searches where it is told to", async () => {
      await put({ ".gitignore": "*.log", "a.log": "x", "src/a.ts": "x", "src/b.md": "x", "lib/c.ts": "x" });
      expect(await lines("x", { extensions: ["ts"] })).toEqual(["lib/c.ts:1:x", "src/a.ts:1:x"]);
      expect(await lines("x", { globs: ["!*.md"] })).toEqual(["lib/c.ts:1:x", "src/a.ts:1:x"]);
      expect(await lines("x", { paths: ["src", "a.log", "src/a.ts"] })).toEqual([
        "src/a.ts:1:x",
        "src/b.md:1:x",
        "a.log:1:x",
      ]);
      expect(await lines("x", { ignoreRules: false, paths: ["."] })).toHaveLength(4);
      await expectCode(files.grep("x", { paths: ["none"] }), "NotFound");
    });

    it.each(["", "a\nb", "\0"])("refuses the pattern %j", async (pattern) => {
      await put({ a: "x" });
      await expectCode(files.grep(pattern), "PatternRefused");
    });

    it.each(["(", "(?=x)", "(a)\\1", "[", "a{2000}", "x".repeat(5_000)])("refuses the regex %j", async (pattern) => {
      await expectCode(files.grep(pattern, { syntax: "regex" }), "PatternRefused");
    });

    it("stops when cancelled", async () => {
      await put({ a: "x\nx\nx", b: "x" });
      const cancel = new AbortController();
      cancel.abort();
      await expectCode(files.grep("x", { signal: cancel.signal }), "Cancelled");
    });
  });

  describe("materialize", () => {
    it("carries a tool's changes back: edits, new files, deletions, modes", async () => {
      await put({ "src/a.txt": "old", "src/b.txt": "gone soon", "keep.bin": Uint8Array.of(0, 255, 13, 10) });
      await files.write("run.sh", bytes("#!/bin/sh\n"), { mode: 0o755 });
      const view = await files.materialize();
      expect(await readFile(join(view.root, "src/a.txt"), "utf8")).toBe("old");
      await writeFile(join(view.root, "src/a.txt"), "new");
      await writeFile(join(view.root, "made.txt"), "made");
      await rm(join(view.root, "src/b.txt"));
      await view.close();
      expect(await walked()).toEqual(["keep.bin", "made.txt", "run.sh", "src/a.txt"]);
      expect(text(await files.read("src/a.txt"))).toBe("new");
      expect((await files.metadata("run.sh")).mode).toBe(0o755);
      expect([...(await files.read("keep.bin"))]).toEqual([0, 255, 13, 10]);
    });

    it("gives a directory that holds exactly the files", async () => {
      await put({ a: "1", ".gitignore": "ignored\n", ignored: "2" });
      await using view = await files.materialize();
      expect((await readdir(view.root)).sort()).toEqual([".gitignore", "a", "ignored"]);
    });
  });
});

function bySegments(a: string, b: string): number {
  const [x, y] = [a.split("/"), b.split("/")];
  for (const [index, name] of x.entries()) {
    const other = y[index];
    if (other === undefined) return 1;
    if (name !== other) return name < other ? -1 : 1;
  }
  return -1;
}
