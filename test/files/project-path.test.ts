import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { isProjectFilesError } from "../../device/files/errors.ts";
import { relativeInside } from "../../device/files/paths/containment.ts";
import { canonicalPath, comparePaths, type PathStyle } from "../../device/files/paths/project-path.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { rounds } from "../rounds.ts";
import { bytes, expectCode, text } from "./expect-code.ts";

function outcome(path: string, style: PathStyle): string {
  try {
    return canonicalPath(path, style);
  } catch (error) {
    if (isProjectFilesError(error)) return error.code;
    throw error;
  }
}

describe("paths on Windows, decided as strings", () => {
  it.each([
    ["a\\b/c", "a/b/c"],
    ["a\\..\\b", "b"],
    ["..foo\\a..b", "..foo/a..b"],
    ["[...slug].tsx", "[...slug].tsx"],
    ["comm", "comm"],
    ["conout.c", "conout.c"],
    ["console.txt", "console.txt"],
    ["com0", "com0"],
    ["com10", "com10"],
    ["aux-file", "aux-file"],
    ["it's.md", "it's.md"],
  ])("takes %j as %j", (path, canonical) => {
    expect(outcome(path, "windows")).toBe(canonical);
  });

  it.each([
    "nul",
    "NUL.txt",
    "Aux.c",
    "a/con",
    "a/con/b",
    "com1",
    "COM9.log",
    "lpt¹",
    "com².txt",
    "CONIN$",
    "conout$  .xyz",
    "prn .txt",
    "PRN./abc",
    "file.txt:stream",
    "file::$DATA",
    "c:relative",
    "trailing.",
    "trailing ",
    "dir./x",
    ".../hello.txt",
    "win32 . .",
    'quo"te',
    "a<b",
    "a|b",
    "what?",
    "star*",
    "tab\tname",
  ])("refuses %j", (path) => {
    expect(outcome(path, "windows")).toBe("InvalidPath");
  });

  it.each([
    "..\\x",
    "a\\..\\..\\x",
    "\\x",
    "/x",
    "\\\\server\\share",
    "//server/share",
    "\\\\?\\C:\\x",
    "C:\\x",
    "C:/x",
  ])("finds %j outside", (path) => {
    expect(outcome(path, "windows")).toBe("OutsideRoot");
  });

  it.each(["aux.c", "nul", "trailing.", "trailing ", "a:b", "c:relative", "what?", "back\\slash"])(
    "elsewhere %j is a name like any other",
    (path) => {
      expect(outcome(path, "posix")).toBe(path);
    },
  );
});

describe("canonical paths", () => {
  it("never climb, never change when made canonical again, whatever the input", () => {
    const pieces = fc.constantFrom("a", "..", ".", "", "/", "\\", "...", " ", "C:", "nul", "é", "\0", "\ud800", "b.c");
    const paths = fc.array(fc.tuple(pieces, fc.constantFrom("/", "\\", ""))).map((parts) => parts.flat().join(""));
    fc.assert(
      fc.property(paths, fc.constantFrom<PathStyle>("posix", "windows"), (path, style) => {
        const result = outcome(path, style);
        if (result === "OutsideRoot" || result === "InvalidPath") return;
        expect(canonicalPath(result, style)).toBe(result);
        const segments = result.split(style === "windows" ? /[\\/]/ : "/");
        expect(segments.filter((segment) => segment === ".." || segment === ".")).toEqual([]);
        expect(result.startsWith("/")).toBe(false);
      }),
      { numRuns: rounds(5_000) },
    );
  });

  it("a name that climbs only once the dots before it are gone is refused", () => {
    expect(outcome("a\\a/../.\\../", "posix")).toBe("OutsideRoot");
  });

  it("are ordered segment by segment", () => {
    const paths = ["a", "a/b", "a/b/c", "a-b", "a.b", "b"];
    expect(paths.toReversed().sort(comparePaths)).toEqual(["a", "a/b", "a/b/c", "a-b", "a.b", "b"]);
  });
});

describe("containment of absolute paths", () => {
  it.each([
    ["/root", "/root", true],
    ["/root", "/root/a", true],
    ["/root", "/root-evil/a", false],
    ["/root", "/rootx", false],
    ["/root", "/root/../etc", false],
    ["/root/", "/root/..a", true],
    ["/", "/etc", true],
    ["/root", "root/a", false],
    ["/root", "/Root/a", false],
    ["/root", "/root/\0/../..", false],
  ])("CVE-2025-53110: is %2$j in %1$j", (root, target, inside) => {
    expect(relativeInside(root, target, "posix") !== undefined).toBe(inside);
  });

  it.each([
    ["C:\\root", "C:\\root\\a", "a"],
    ["C:\\root", "C:/root/a/b", "a/b"],
    ["C:\\root", "C:\\root-evil\\a", undefined],
    ["C:\\root", "D:\\root\\a", undefined],
    ["C:\\", "C:\\a", "a"],
    ["\\\\srv\\share", "\\\\srv\\share\\a", "a"],
    ["\\\\srv\\share", "\\\\srv\\share2\\a", undefined],
  ])("on Windows %2$j in %1$j is %3$j", (root, target, inside) => {
    expect(relativeInside(root, target, "windows")).toBe(inside);
  });

  it("CVE-2025-59944: on a disk that folds names, other spellings of the root are the root", () => {
    const folding = { foldsCase: true, foldsUnicode: true };
    expect(relativeInside("/Users/Ren\u00e9", "/users/rene\u0301/File", "posix", folding)).toBe("File");
    expect(relativeInside("/Users/René", "/users/rene\u0301-evil/File", "posix", folding)).toBeUndefined();
  });
});

describe("a backend that folds case and normalisation", () => {
  const open = () => new InMemoryProjectFiles({ "Docs/Caf\u00e9.md": "x" }, { ...systemTimeAndIds, folding });
  const folding = { foldsCase: true, foldsUnicode: true };

  it("knows one file by all its spellings and tells the stored one", async () => {
    const files = open();
    expect(text(await files.read("docs/CAFE\u0301.MD"))).toBe("x");
    expect(await files.canonical("DOCS/cafe\u0301.md")).toBe("Docs/Caf\u00e9.md");
    expect(await files.canonical("docs/New.md")).toBe("Docs/New.md");
  });

  it("writes, deletes and respells that one file", async () => {
    const files = open();
    await files.write("DOCS/caf\u00e9.md", bytes("y"));
    expect(await files.listDir("docs")).toEqual([{ path: "Caf\u00e9.md", kind: "file" }]);
    await files.rename("docs/caf\u00e9.md", "docs/CAF\u00c9.md");
    expect(await files.listDir("docs")).toEqual([{ path: "CAF\u00c9.md", kind: "file" }]);
    await expectCode(files.write("docs/x", bytes(""), { ifVersion: "1" }), "Conflict");
    await files.delete("Docs/cafe\u0301.md");
    expect(await files.listDir("")).toEqual([]);
  });

  it("applies ignore rules without case, as git does there", async () => {
    const files = new InMemoryProjectFiles(
      { ".gitignore": "*.LOG\nBuild/\n[a-c]x\n", "a.log": "", "build/x": "", Bx: "" },
      { ...systemTimeAndIds, folding },
    );
    const paths = [];
    for await (const entry of files.walk()) paths.push(entry.path);
    expect(paths).toEqual([".gitignore"]);
  });
});
