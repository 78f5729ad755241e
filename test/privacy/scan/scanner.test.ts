import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import db from "dynalite/db/index.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { Canaries } from "./canary.ts";
import { filesAtRest } from "./cloud-files.ts";
import { Scanner } from "./scanner.ts";

const canaries = new Canaries();
const canary = canaries.plant("subject");
canaries.plant("another");
canaries.watch("address", "Someone+Ärger@example.com");
const scanner = new Scanner(canaries.all);

const sentence = `Tell nobody: "${canary}" is the word, says Zoë.`;
const escaped = (write: (unit: number) => string) =>
  Array.from(sentence, (character) => write(character.charCodeAt(0))).join("");
const hexOf = (unit: number, digits: number) => unit.toString(16).padStart(digits, "0");
const labelsIn = (data: Uint8Array | string) =>
  new Set(scanner.scan({ place: "here", data }).map(({ label }) => label));

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "scan-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("P1: the scanner finds a canary written down", () => {
  const written: Record<string, Uint8Array | string> = {
    raw: sentence,
    "in upper case": sentence.toUpperCase(),
    "as base64, place 0": Buffer.from(canary).toString("base64"),
    "as base64, place 1": Buffer.from(`x${sentence.slice(14)}`).toString("base64"),
    "as base64, place 2": Buffer.from(`xx${sentence.slice(14)}`).toString("base64"),
    "as base64, place 3": Buffer.from(`xxx${sentence.slice(14)}`).toString("base64"),
    "as base64url": Buffer.from(`ÿþ${sentence}`).toString("base64url"),
    "as base64 inside a longer word": `abc${Buffer.from(sentence).toString("base64")}`,
    "as hex": Buffer.from(sentence).toString("hex"),
    "as hex in upper case": Buffer.from(sentence).toString("hex").toUpperCase(),
    "in a URL": encodeURIComponent(sentence),
    "percent-encoded throughout": escaped((unit) => `%${hexOf(unit, 2)}`),
    "percent-encoded throughout in upper case": escaped((unit) => `%${hexOf(unit, 2).toUpperCase()}`),
    "as UTF-16LE": Buffer.from(sentence, "utf16le"),
    "as UTF-16BE": Buffer.from(sentence, "utf16le").swap16(),
    "in JSON": JSON.stringify({ a: sentence }),
    "in JSON inside JSON": JSON.stringify(JSON.stringify({ [sentence]: 1 })),
    "as JSON escapes": escaped((unit) => `\\u${hexOf(unit, 4)}`),
    "as JSON escapes in upper case": escaped((unit) => `\\u${hexOf(unit, 4).toUpperCase()}`),
    "as quoted-printable": escaped((unit) => `=${hexOf(unit, 2).toUpperCase()}`),
    gzipped: gzipSync(sentence),
    "gzipped inside other bytes": Buffer.concat([Buffer.from("head"), gzipSync(sentence), Buffer.from("tail")]),
    "gzipped and cut short": gzipSync(`${sentence}${"x".repeat(9)}`).subarray(0, -8),
    deflated: deflateSync(sentence),
    "deflated at every level": Buffer.concat([1, 6, 9].map((level) => deflateSync(sentence, { level }))),
    "deflated without a header": deflateRawSync(sentence),
    "packed with brotli": brotliCompressSync(sentence),
    "gzipped, as base64": JSON.stringify({ v: gzipSync(sentence).toString("base64") }),
    "gzipped, as base64 inside a longer word": `abcde${gzipSync(sentence).toString("base64")}`,
    "deflated, as base64url": deflateSync(sentence).toString("base64url"),
    "gzipped, as hex": gzipSync(sentence).toString("hex"),
    "as base64 of base64": Buffer.from(Buffer.from(sentence).toString("base64")).toString("base64"),
    "as base64 of gzipped hex": gzipSync(Buffer.from(sentence).toString("hex")).toString("base64"),
    "in the ten characters a JSON error quotes": messageOf(() =>
      JSON.parse(`${"[".repeat(40)}"${canary}",${"x".repeat(40)}`),
    ),
  };

  test.each(Object.entries(written))("%s", (_, data) => {
    expect(labelsIn(data)).toEqual(new Set(["subject"]));
  });

  test("of a secret, also when only its middle is there", () => {
    expect(labelsIn("…one+Ärger@exampl…")).toEqual(new Set(["address"]));
  });

  test("and says in which form and where", () => {
    const data = gzipSync(sentence).toString("base64");
    expect(scanner.scan({ place: "queue Sync", data })).toEqual([
      { label: "subject", form: "base64 > gzip > raw", place: "queue Sync" },
    ]);
  });
});

describe("P1: the scanner reads the engines' files", () => {
  test("a LevelDB of the table engine: values in its log, and in compressed tables after they were overwritten", async () => {
    const folder = join(temporaryFolder(), "dynamodb");
    const open = async () => {
      const store = db.create({ path: folder }).db;
      await store.open();
      return store;
    };
    const first = await open();
    // Repetition before it makes Snappy tear the value apart: the canary's own letters come as copies of earlier ones.
    const torn = Array.from(canary, (_, index) => canary.slice(0, index)).join("-");
    await first.put("one", { text: `${torn} ${sentence}` });
    await first.close();
    const placesOf = () => scanner.scanAll(filesAtRest(folder)).map(({ place }) => place);
    expect(placesOf()).toContainEqual(expect.stringMatching(/^\d+\.log: records$/));

    const second = await open();
    await second.put("one", { text: "nothing to see" });
    await second.close();
    expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/\.ldb$/));
    expect(placesOf()).toContainEqual(expect.stringMatching(/\.ldb: value$/));
  });

  test("a LevelDB value longer than a block of the log", async () => {
    const folder = join(temporaryFolder(), "dynamodb");
    const store = db.create({ path: folder }).db;
    await store.open();
    const word = `${canary} `;
    await store.put("long", { text: word.repeat(20_000) });
    await store.close();
    const log = readdirSync(folder).find((name) => name.endsWith(".log")) ?? "";
    const records = [...filesAtRest(folder)].find(({ place }) => place === `${log}: records`);
    const occurrences = (data: Uint8Array | string) => Buffer.from(data).toString("latin1").split(word).length - 1;
    expect(occurrences(records?.data ?? "")).toBe(20_000);
    expect(occurrences(readFileSync(join(folder, log)))).toBeLessThan(20_000);
  });

  test("SQLite: a value on overflow pages, a deleted row, the write-ahead log; names of files", () => {
    const folder = temporaryFolder();
    const database = new DatabaseSync(join(folder, "engine.db"));
    onTestFinished(() => database.close());
    database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE m (body TEXT)");
    const word = `${canary} `;
    database.prepare("INSERT INTO m VALUES (?)").run(word.repeat(2_000));
    const places = () => scanner.scanAll(filesAtRest(folder)).map(({ place }) => place);
    expect(places()).toContain("engine.db: m.body");
    database.exec("DELETE FROM m");
    expect(places()).toEqual(["engine.db-wal"]);

    writeFileSync(join(folder, `${canary}.txt`), "");
    expect(places()).toContain(`name of ${canary}.txt`);
  });
});

test("the scanner finds nothing where nothing is: random bytes, ids, sealed texts", () => {
  const random = Buffer.alloc(1 << 20);
  crypto.getRandomValues(random.subarray(0, 65_536));
  for (let at = 65_536; at < random.length; at += 65_536) crypto.getRandomValues(random.subarray(at, at + 65_536));
  expect(scanner.scan({ place: "random", data: random })).toEqual([]);
  expect(scanner.scan({ place: "random", data: random.toString("base64") })).toEqual([]);
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error("It did not throw");
}
