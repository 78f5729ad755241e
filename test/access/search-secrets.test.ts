import { createHash, generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { setting, temporaryFolder } from "./setting.ts";

const key = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 1024,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  }).privateKey;
const pem = key();
const body = pem.split("\n").slice(1, -2);
const aws = ["AKIA", "QYLPMN5HHHFPZAM2"].join("");

describe("a search gives no credential, however many files it is about (C2)", () => {
  test("a private key behind more matching files than anybody looks at line by line", async () => {
    const files: Record<string, string> = {};
    for (let at = 0; at < 260; at++) files[`a/${String(at).padStart(4, "0")}.md`] = "A line with an Equals = sign\n";
    files["z/notes.md"] = `The key:\n${pem}\nA line after it, with = too\n`;
    const { access, session } = await setting(files);
    for (const args of [
      { pattern: "[A-Za-z0-9+/]{20,}", regex: true, maxMatches: 2_000 },
      { pattern: "=", maxMatches: 2_000, contextLines: 20 },
      { pattern: "A line|^[A-Za-z0-9+/=]+$", regex: true, maxMatches: 2_000 },
    ]) {
      const told = JSON.stringify(await access.call(session, "grep_files", args));
      expect(body.filter((each) => told.includes(each.slice(0, 20)))).toEqual([]);
    }
    const found = await access.call(session, "grep_files", { pattern: "A line", maxMatches: 2_000 });
    expect(found).toMatchObject({ ok: true, result: { filesMatched: 261 } });
  });

  test("nor one in a file whose lines end in CR, in a file with a byte order mark, or in one that has lone CRs", async () => {
    for (const text of [
      `first line\r${pem.replaceAll("\n", "\r")}last line\r`,
      `\ufefffirst line\n${pem}last line\n`,
      `first line\r\n${pem.replaceAll("\n", "\r\n")}last line\r\n`,
      `a\rb first line\n${pem}last\rline\n`,
    ]) {
      const { access, session } = await setting({ "notes.md": text });
      for (const pattern of ["[A-Za-z0-9+/]{20,}", "line", "."]) {
        const args = { pattern, regex: true, contextLines: 20, maxMatches: 2_000 };
        const told = JSON.stringify(await access.call(session, "grep_files", args));
        expect(body.filter((each) => told.includes(each.slice(0, 20)))).toEqual([]);
      }
    }
  });

  test.each([
    ["(", "missing closing )"],
    ["a(?=b)", "(?="],
    ["a\nb", "line by line"],
  ])("a pattern that is not accepted is told what is wrong with it: %j", async (pattern, why) => {
    const { access, session } = await setting({ "notes.md": "a\n" });
    const refused = await access.call(session, "grep_files", { pattern, regex: true });
    expect(refused).toMatchObject({ ok: false, error: { code: "pattern_refused" } });
    expect(JSON.stringify(refused)).toContain(why);
  });

  test("a file that cannot be looked at as a whole is left out, and said to be", async () => {
    const files = new InMemoryProjectFiles(
      {
        "big.md": `large\n${pem}${"x\n".repeat(1_000)}`,
        "small.md": "first line\n",
      },
      systemTimeAndIds,
    );
    const { access, session } = await setting({}, { files, maxTextBytes: 1_500 });
    for (const pattern of ["line", "line|MII|x", `line|${body[0]?.slice(0, 12)}`, `line|${"%".repeat(12)}`]) {
      const found = await access.call(session, "grep_files", { pattern, regex: true });
      expect(found).toMatchObject({ ok: true, result: { matches: [{ path: "small.md" }] } });
      // The same whether or not the pattern is in it: otherwise asking often enough would spell out the key.
      expect(found).toMatchObject({
        result: {
          notes: ["1 file of the project is not searched: more than 1500 bytes. Read lines of it with read_lines."],
        },
      });
    }
  });

  test("on a disk too, where ripgrep names only the files that hold the literal", { timeout: 240_000 }, async () => {
    const root = temporaryFolder();
    // ripgrep is asked beyond the first thousand files.
    for (let at = 0; at < 1_300; at++) writeFileSync(join(root, `small-${at}.md`), "a line\n");
    writeFileSync(join(root, "z-big.md"), `large\n${pem}${"x\n".repeat(1_000)}`);
    const files = new FsProjectFiles(root, { durable: false });
    const { access, session } = await setting({}, { files, maxTextBytes: 1_500 });
    const askFor = async (pattern: string) => {
      const found = await access.call(session, "grep_files", { pattern });
      return found.ok ? found.result : found;
    };
    expect(await askFor(body[2] ?? "")).toEqual(await askFor("%".repeat(64)));
    expect(await askFor("%".repeat(64))).toMatchObject({
      matches: [],
      notes: ["1 file of the project is not searched: more than 1500 bytes. Read lines of it with read_lines."],
    });
  });

  test("one file of 33 MiB, more than is looked at as a whole, does not fail a search, and is said", async () => {
    const files = new InMemoryProjectFiles(
      {
        "big.md": Buffer.alloc(33 * 1024 * 1024, "a line\n"),
        "small.md": "a line\n",
      },
      systemTimeAndIds,
    );
    const { access, session } = await setting({}, { files });
    expect(await access.call(session, "grep_files", { pattern: "a line" })).toMatchObject({
      ok: true,
      result: {
        matches: [{ path: "small.md" }],
        notes: ["1 file of the project is not searched: more than 33554432 bytes. Read lines of it with read_lines."],
      },
    });
  });
});

describe("the answer to a search is the same whatever the credential is", () => {
  const other = ["AKIA", "7QWERTY5HHHFPZAM"].join("");
  const project = (secret: string) => ({ f: `one visible\nkey = "${secret}" # a note\nthree\nfour visible\n` });
  test.each([
    [{ pattern: "AKIAQ", contextLines: 3 }],
    [{ pattern: "AKIAQ|visible", regex: true, maxMatches: 1 }],
    [{ pattern: "AKIAQ|visible", regex: true, maxMatches: 2 }],
    [{ pattern: "redacted|AKIAQ", regex: true }],
    [{ pattern: '"[^Q]{4}Q', regex: true }],
    [{ pattern: '"$|AKIAQ', regex: true }],
    [{ pattern: "key = .*Q", regex: true }],
    [{ pattern: '"\\bA.*Q|= "\\B', regex: true }],
    [{ pattern: "akiaq", ignoreCase: true, contextLines: 1 }],
  ])("%j", async (args) => {
    const answers = await Promise.all(
      [aws, other].map(async (secret) => {
        const { access, session } = await setting(project(secret));
        const outcome = await access.call(session, "grep_files", args);
        // The number of a mark is the credential's digest under a key of this process; it may take a token more or less.
        return JSON.stringify(outcome).replaceAll(/#[0-9a-f]{6}|"tokens":\d+/g, "");
      }),
    );
    expect(answers[1]).toBe(answers[0]);
    expect(answers[0]).not.toContain("AKIA");
  });

  test("what stands beside it is found", async () => {
    const { access, session } = await setting(project(aws));
    for (const pattern of ["^key", "key = ", "# a note$", '" #']) {
      const found = await access.call(session, "grep_files", { pattern, regex: true, contextLines: 0 });
      expect(found).toMatchObject({ ok: true, result: { matches: [{ line: 2, kind: "match" }] } });
    }
  });
});

test("a refused edit shows no part of a key, although it shows the lines around", async () => {
  const { patch } = await setting({ "notes.md": `The key:\n${pem}after it\n` });
  for (const at of body) {
    const result = await patch(`*** Begin Patch\n*** Update File: notes.md\n@@\n ${at}\n-absent\n+x\n*** End Patch\n`);
    expect(result.success).toBe(false);
    expect(body.filter((each) => JSON.stringify(result).includes(each.slice(0, 20)))).toEqual([]);
  }
  const whole = await patch("*** Begin Patch\n*** Add File: notes.md\n+x\n*** End Patch\n");
  expect(whole.current).toContain("The key:");
  expect(body.filter((each) => JSON.stringify(whole).includes(each.slice(0, 20)))).toEqual([]);
});

test("an edit does not tell whether it guessed a credential; the lines beside it, and a person, are as before", async () => {
  const text = `one\nkey = "${aws}"\nthree\n`;
  const guesses = [aws, ["AKIA", "7QWERTY5HHHFPZAM"].join("")].flatMap((guess) =>
    [`-key = "${guess}"\n+key = 1`, ` key = "${guess}"\n-three\n+3`].map(
      (body) => `*** Begin Patch\n*** Update File: f\n@@\n${body}\n*** End Patch\n`,
    ),
  );
  const { access, session, patch } = await setting({ f: text });
  for (const each of guesses) {
    expect(await patch(each, { dryRun: true })).toMatchObject({ success: false, code: "no_match" });
  }
  const beside = "*** Begin Patch\n*** Update File: f\n@@\n-three\n+3\n*** End Patch\n";
  expect(await patch(beside, { dryRun: true })).toMatchObject({ success: true });
  const person = access.openSession({ caller: "person", seesCredentials: true });
  const own = await access.call(person, "apply_patch", { patch: guesses[0], dryRun: true });
  expect(own).toMatchObject({ ok: true });
  expect(session.seesCredentials).toBe(false);
});

test("the hash of a range gives no password away that is short enough to be guessed", async () => {
  const password = ["hunter", "2xyz-Q9"].join("");
  const text = `one\nAPI_KEY=${aws}\npassword = "${password}"\nthree\n`;
  const { access, session, patch } = await setting({ f: text });
  const read = await access.call(session, "read_lines", { path: "f", startLine: 2, endLine: 2 });
  const sha256 = createHash("sha256").update(`API_KEY=${aws}\n`).digest("hex");
  expect(read).toMatchObject({ ok: true, result: { redactions: expect.any(Number) } });
  expect(JSON.stringify(read)).not.toContain(sha256);
  const around = await access.call(session, "read_lines", { path: "f", startLine: 2, endLine: 4 });
  const baseRange = { startLine: 2, endLine: 4, hash: around.ok ? around.result.rangeHash : "" };
  const result = await patch("*** Begin Patch\n*** Update File: f\n@@\n-three\n+3\n*** End Patch\n", { baseRange });
  expect(result).toMatchObject({ success: true });
});
