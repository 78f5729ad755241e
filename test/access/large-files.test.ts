import { randomBytes } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { FileAccess } from "../../device/access/file-access.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import type { ReadOptions } from "../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { memoryAccessStore } from "../memory/access-store.ts";
import { setting } from "./setting.ts";

const mebibyte = 1024 * 1024;
const lineOf = (at: number) => `line ${String(at).padStart(9, "0")} ${"x".repeat(49)}\n`;
const lineBytes = lineOf(1).length;
const lines = Math.ceil((100 * mebibyte) / lineBytes);

/** Writes lines in pieces, so that the test itself stays small. */
function writeLines(path: string, count: number, end = ""): void {
  const file = openSync(path, "w");
  for (let at = 0; at < count; at += 20_000) {
    const piece = Array.from({ length: Math.min(20_000, count - at) }, (_, index) => lineOf(at + index + 1));
    writeSync(file, piece.join(""));
  }
  writeSync(file, end);
  closeSync(file);
}

/** Says what was read at once. */
class Watched extends FsProjectFiles {
  mostBytes = 0;

  override async read(path: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const bytes = await super.read(path, options);
    this.mostBytes = Math.max(this.mostBytes, bytes.length);
    return bytes;
  }
}

async function onDisk(folder: string) {
  const files = new Watched(folder);
  const access = new FileAccess({ ...systemTimeAndIds, files, store: memoryAccessStore() });
  await access.start();
  const session = access.openSession({ caller: "model", backend: "cloud" });
  return { files, call: (tool: string, args: object) => access.call(session, tool, args) };
}

describe("C4: a text of 100 MB", () => {
  let at: Awaited<ReturnType<typeof onDisk>>;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "scouts-large-"));
    writeLines(join(folder, "big.txt"), lines, "the end");
    writeFileSync(join(folder, "small.txt"), "the needle\n");
    const line = openSync(join(folder, "one-line.txt"), "w");
    const piece = "word ".repeat(20_000);
    for (let written = 0; written < 40 * mebibyte; written += piece.length) writeSync(line, piece);
    closeSync(line);
    writeFileSync(join(folder, "zeros.bin"), "");
    truncateSync(join(folder, "zeros.bin"), 100 * mebibyte);
    at = await onDisk(folder);
    return () => rmSync(folder, { recursive: true, force: true });
  }, 240_000);

  test("is read by lines, wherever they are, never more than a block at once", async () => {
    for (const line of [1, 2, 777_777, lines]) {
      const outcome = await at.call("read_lines", { path: "big.txt", startLine: line, endLine: line });
      expect(outcome).toMatchObject({
        ok: true,
        result: { text: lineOf(line), startLine: line, endLine: line, totalLines: lines + 1 },
      });
    }
    expect(await at.call("read_lines", { path: "big.txt", startLine: lines, endLine: lines + 5 })).toMatchObject({
      ok: true,
      result: { text: `${lineOf(lines)}the end`, endLine: lines + 1 },
    });
    expect(await at.call("read_lines", { path: "big.txt", startLine: lines + 2, endLine: lines + 2 })).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments", message: expect.stringContaining(`has ${lines + 1} lines`) },
    });
    expect(at.files.mostBytes).toBeLessThanOrEqual(256 * 1024);
  });

  test("has an excerpt, and pages that follow each other without a gap", async () => {
    expect(await at.call("get_excerpt", { path: "big.txt", maxLines: 5 })).toMatchObject({
      ok: true,
      result: {
        text: [1, 2, 3, 4, 5].map(lineOf).join(""),
        notes: expect.arrayContaining([expect.stringMatching(/Lines 6 to .* read_lines/)]),
      },
    });
    const from = 12_345 * lineBytes + 10;
    const page = async (startChar: number) => {
      const outcome = await at.call("read_file", { path: "big.txt", startChar, maxChars: 100 });
      if (!outcome.ok || !("nextChar" in outcome.result)) throw new Error("no page");
      return { text: outcome.result.text, next: outcome.result.nextChar, line: outcome.result.startLine };
    };
    const first = await page(from);
    const second = await page(Number(first.next));
    const whole = [12_346, 12_347, 12_348, 12_349, 12_350].map(lineOf).join("");
    expect(first.text + second.text).toBe(whole.slice(10, 210));
    expect([first.line, second.line]).toEqual([12_346, 12_347]);
    expect(at.files.mostBytes).toBeLessThanOrEqual(256 * 1024);
  });

  test("may be one line: it is shown in part, and the note says how to go on", async () => {
    const outcome = await at.call("read_lines", { path: "one-line.txt", startLine: 1, endLine: 1 });
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        totalLines: 1,
        notes: expect.arrayContaining([expect.stringContaining("read_file goes on at character")]),
      },
    });
    if (!outcome.ok || !("nextChar" in outcome.result)) throw new Error("not shown in part");
    expect(outcome.result.nextChar).toBe(outcome.result.text.length);
    expect(await at.call("read_file", { path: "one-line.txt", startChar: 30_000_000, maxChars: 9 })).toMatchObject({
      ok: true,
      result: { text: "word word", nextChar: 30_000_009, form: "page" },
    });
  });

  test("does not fail a search of the others, and is said to be left out", async () => {
    const outcome = await at.call("grep_files", { pattern: "needle" });
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        matches: [{ path: "small.txt", line: 1 }],
        notes: [expect.stringMatching(/^3 files .*not searched.*read_lines/)],
      },
    });
  });

  test("is refused for what needs all of it, with what to do instead; no text is told to be none", async () => {
    const patch = "*** Begin Patch\n*** Update File: big.txt\n@@\n-the end\n+The end\n*** End Patch\n";
    const cure = { ok: false, error: { code: "too_large", message: expect.stringContaining("read_lines") } };
    expect(await at.call("apply_patch", { patch, dryRun: true })).toMatchObject(cure);
    expect(await at.call("summarize_file", { path: "big.txt" })).toMatchObject(cure);
    expect(await at.call("read_lines", { path: "zeros.bin", startLine: 1, endLine: 1 })).toMatchObject({
      ok: false,
      error: { code: "binary_file" },
    });
  });
});

describe("C4: a large text keeps its credentials to itself", () => {
  const filler = (chars: number) => "just some words on a line of prose\n".repeat(Math.ceil(chars / 35));
  const small = { maxTextBytes: 100_000 };

  test("a line of a private key is known by the first line of its block", async () => {
    const body = Array.from({ length: 40 }, () => randomBytes(48).toString("base64"));
    const key = ["-----BEGIN RSA PRIVATE KEY-----", ...body, "-----END RSA PRIVATE KEY-----", ""].join("\n");
    const before = filler(300_000);
    const { access, session } = await setting({ "log.txt": before + key + filler(300_000) }, small);
    const first = before.split("\n").length;
    for (const line of [first + 1, first + 20, first + 40]) {
      const outcome = await access.call(session, "read_lines", { path: "log.txt", startLine: line, endLine: line });
      expect(outcome).toMatchObject({
        ok: true,
        result: { text: expect.stringMatching(/^\u27e6redacted:private-key#\w+\u27e7\n$/) },
      });
    }
  });

  test("a cell is known by the header row of its table", async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `user${at},hunter${at}xyz,note ${at}\n`).join("");
    const { access, session } = await setting({ "t.csv": `user,password,note\n${rows}` }, small);
    const outcome = await access.call(session, "read_lines", { path: "t.csv", startLine: 15_000, endLine: 15_001 });
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        text: expect.stringMatching(/^user14998,\u27e6redacted.*\u27e7,note 14998\nuser14999,\u27e6/),
        redactions: 2,
      },
    });
  });

  test("a page never begins or ends within one", async () => {
    const secret = "xoxb-2384710928-4719283746-aB3dE5fG7hJ9kL1mN3pQ5rS7";
    const before = filler(200_000);
    const { access, session } = await setting({ "log.txt": `${before}token=${secret}\n${filler(200_000)}` }, small);
    for (let startChar = before.length; startChar < before.length + secret.length + 6; startChar += 7) {
      const outcome = await access.call(session, "read_file", { path: "log.txt", startChar, maxChars: 12 });
      const text = outcome.ok && "text" in outcome.result ? String(outcome.result.text) : "";
      for (let at = 0; at + 6 <= secret.length; at++) expect(text).not.toContain(secret.slice(at, at + 6));
    }
  });

  test("it is not called by its SHA-256: nobody has looked at all of it", async () => {
    const { access, session } = await setting({ "log.txt": filler(200_000) }, small);
    const told = JSON.stringify(
      await access.call(session, "read_lines", { path: "log.txt", startLine: 1, endLine: 1 }),
    );
    const { contentHash } = await import("../../device/files/content-hash.ts");
    expect(told).not.toContain(contentHash(Buffer.from(filler(200_000))));
  });

  test("a hidden one is refused as a small one is", async () => {
    const big = { ".env": `A=1\n${filler(200_000)}` };
    const answers = await Promise.all(
      [big, { ".env": "A=1\n" }, {}].map(async (initial) => {
        const { access, session } = await setting(initial, {
          ...small,
          files: new InMemoryProjectFiles(initial, systemTimeAndIds),
        });
        return access.call(session, "read_lines", { path: ".env", startLine: 1, endLine: 1 });
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ ok: false, error: { code: "approval_refused" } });
  });
});
