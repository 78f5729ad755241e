import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import type { GrepOptions } from "../../device/files/grep/grep-types.ts";
import { requiredLiteral } from "../../device/files/grep/required-literal.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { quick, rounds } from "../rounds.ts";
import { collect, expectCode } from "./expect-code.ts";

const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;
if (!hasRipgrep) console.log("skipped: ripgrep is not installed, so grep is not compared with it");

/** More files than are searched in the main thread, so that threads and ripgrep come into play. */
const fileCount = 3_000;
const words = [
  "needle",
  "Needle",
  "caf\u00e9",
  "foo(bar)",
  "x_1",
  "",
  "tab\there",
  "$10.00",
  "[a]",
  "end\\",
  "néédle",
  "aaaa",
];

/** Some files are UTF-16 of either order, with the mark that ripgrep goes by. */
function wide(body: string, draw: number): Buffer | undefined {
  const text = Buffer.from(body.startsWith("\ufeff") ? body : `\ufeff${body}`, "utf16le");
  return draw === 0 ? text : draw === 1 ? text.swap16() : undefined;
}

function generatedTree(): Record<string, Buffer> {
  let state = 20_261_120;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const tree: Record<string, Buffer> = { ".gitignore": Buffer.from("ignored/\n*.skip\n") };
  for (let index = 0; index < fileCount; index++) {
    const lines = Array.from({ length: random(12) }, () =>
      Array.from({ length: random(5) }, () => words[random(words.length)] ?? "").join(" "),
    );
    const ending = random(6) === 0 ? "\r\n" : "\n";
    const body = (random(40) === 0 ? "\ufeff" : "") + lines.join(ending) + (random(2) === 0 ? ending : "");
    const directory = ["", "src/", "src/deep/er/", "-dash/", "ignored/", "sp ace/", "é/"][random(7)] ?? "";
    const name = `${directory}${random(400)}/f${index}${[".ts", ".md", ".skip", ""][random(4)]}`;
    const bytes = wide(body, random(30)) ?? Buffer.from(body, random(25) === 0 ? "latin1" : "utf8");
    tree[name] = random(30) === 0 ? Buffer.concat([bytes, Buffer.of(0, 10)]) : bytes;
  }
  return tree;
}

describe("grep in threads, with ripgrep and in memory", () => {
  const root = mkdtempSync(join(tmpdir(), "files-grep-"));
  const tree = generatedTree();

  beforeAll(() => {
    for (const [path, bytes] of Object.entries(tree)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), bytes);
    }
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const found = async (files: { grep: FsProjectFiles["grep"] }, pattern: string, options: GrepOptions) => {
    const stream = files.grep(pattern, { maxMatches: 1e6, ...options });
    const matches = await collect(stream);
    const { filesMatched, matches: count, binaryFiles } = stream.summary;
    return { matches, filesMatched, count, binaryFiles };
  };

  const searches: [string, GrepOptions][] = [
    ["needle", {}],
    ["needle", { contextLines: 2 }],
    ["needle", { extensions: ["ts"], maxMatchesPerFile: 1 }],
    ["-needle", {}],
    ["foo(bar)", { ignoreRules: false }],
    ["$10.00", { globs: ["src/**", "!*.md"] }],
    ["end\\", {}],
    ["tab\there", {}],
    ["café", {}],
    ["NEEDLE", { ignoreCase: true }],
    ["nothing at all like this", {}],
    ["needle\\s+x_\\d", { syntax: "regex", contextLines: 1 }],
    ["^needle", { syntax: "regex" }],
    ["end\\\\$", { syntax: "regex" }],
    ["(needle|caf.) foo", { syntax: "regex" }],
    ["x_[0-9]+ \\[a\\]", { syntax: "regex" }],
    ["needle", { paths: ["src", "sp ace"] }],
  ];

  /** Every third in a short run: each way of matching once. */
  const tried = searches.filter((_, at) => !quick || at % 3 === 0);

  it.each(tried)("finds the same for %j %j", { timeout: 240_000 }, async (pattern, options) => {
    const memory = await found(new InMemoryProjectFiles(tree, systemTimeAndIds), pattern, options);
    expect(await found(new FsProjectFiles(root, { ripgrep: false }), pattern, options)).toEqual(memory);
    if (hasRipgrep) expect(await found(new FsProjectFiles(root), pattern, options)).toEqual(memory);
  });

  it("goes on without ripgrep when it cannot be run", async () => {
    const broken = new FsProjectFiles(root, { ripgrep: join(root, "no-such-program") });
    const plain = new FsProjectFiles(root, { ripgrep: false });
    expect(await found(broken, "needle", {})).toEqual(await found(plain, "needle", {}));
  });

  it.skipIf(!hasRipgrep)("names the lines ripgrep itself names", async () => {
    const rg = ["--no-config", "--hidden", "--no-require-git", "--no-heading", "-n", "-F", "needle", "."];
    const lines = spawnSync("rg", rg, { cwd: root, maxBuffer: 2 ** 28 })
      .stdout.toString("latin1")
      .split("\n");
    const theirs = lines.flatMap((line) => /^\.\/(.*?):(\d+):/.exec(line)?.slice(1).join(":") ?? []);
    const { matches } = await found(new FsProjectFiles(root), "needle", {});
    const ours = matches.map((match) => `${Buffer.from(match.path).toString("latin1")}:${match.line}`);
    expect(ours.sort()).toEqual(theirs.sort());
  });

  it.each([false, "rg"] as const)("stops at once when cancelled, ripgrep %s", async (ripgrep) => {
    const cancel = new AbortController();
    const searching = async () => {
      const files = new FsProjectFiles(root, { ripgrep });
      for await (const _ of files.grep("needle", { signal: cancel.signal })) cancel.abort();
    };
    await expectCode(searching(), "Cancelled");
  });
});

describe("hostile patterns", () => {
  const files = new InMemoryProjectFiles({ f: `${"a".repeat(50_000)}!\n${"x".repeat(50_000)}\n` }, systemTimeAndIds);

  it.each([
    "(a+)+$",
    "(a|aa)+$",
    "(a*)*b",
    "(x+x+)+y",
    "(.*)*z",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(a?){40}a{40}$",
    "((a{10}){10}){9}!b",
    "(a{1000}){1000}",
    "(((((((((a+)+)+)+)+)+)+)+)+)+b",
    "(?:a|b|ab)*c",
    "\\b(\\w+\\s*)+\\b#",
    "[a-z]{1000}$",
    "(.{0,500}a){2}#",
  ])("P2: %j is answered or refused, it does not hang", async (pattern) => {
    const stream = files.grep(pattern, { syntax: "regex" });
    let outcome = "answered";
    try {
      await collect(stream);
    } catch (error) {
      outcome = String(error).includes("PatternRefused") ? "refused" : String(error);
    }
    expect(["answered", "refused"]).toContain(outcome);
  });
});

describe("the literal every match of a pattern holds", () => {
  it.each([
    ["needle", "needle"],
    ["ab+c", "ab"],
    ["abc?d", "ab"],
    ["abc*", "ab"],
    ["ab{0,3}longer", "longer"],
    ["a|b", undefined],
    ["(a|b)cd", "cd"],
    ["(?i)abc", undefined],
    ["[abc]def", "def"],
    ["[]a]def[^]b]", "def"],
    ["\\.js\\b", ".js"],
    ["\\Qa.b\\E", undefined],
    ["\\x41b", undefined],
    ["^foo$", "foo"],
    ["é", undefined],
    ["aéb", "a"],
    ["x{bar", undefined],
    ["", undefined],
  ])("%j: %j", (pattern, literal) => {
    expect(requiredLiteral(pattern)).toBe(literal);
  });

  it("is in every line that matches", async () => {
    const { RE2JS } = await import("re2js");
    const atom = fc.constantFrom("a", "b", ".", "\\d", "[ab]", "(a|b)", "(?:ab)", "\\.", "^", "$", "a1", "\\b");
    const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{0,1}", "*?");
    const pattern = fc.array(
      fc.tuple(atom, quantifier).map((pair) => pair.join("")),
      { minLength: 1, maxLength: 6 },
    );
    const line = fc.string({ unit: fc.constantFrom("a", "b", "1", ".", " "), maxLength: 12 });
    fc.assert(
      fc.property(
        pattern,
        fc.constantFrom("", "|b"),
        fc.array(line, { maxLength: 20 }),
        (pieces, alternative, lines) => {
          const source = pieces.join("") + alternative;
          let regex: InstanceType<typeof RE2JS>;
          try {
            regex = RE2JS.compile(source);
          } catch {
            return;
          }
          const literal = requiredLiteral(source);
          if (literal === undefined) return;
          for (const text of lines) if (regex.test(text)) expect(text, source).toContain(literal);
        },
      ),
      { numRuns: rounds(3_000) },
    );
  });
});
