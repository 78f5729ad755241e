import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { artifactStats } from "../../device/artifacts/stats/stats.ts";
import { artifactsSetting, describeContent, metadataOf, originOf } from "../artifacts/setting.ts";
import { dataFolder, hasData } from "../data/published.ts";
import { rounds } from "../rounds.ts";
import { naughtyStrings, Tally } from "./vectors.ts";

const tally = new Tally("documents, mutated (seed 19)");
/** Statistics and beginning of any document, as JSON: what is kept does not grow with the content. */
const maxDescriptionChars = 1_000_000;
const maxDocumentBytes = 40_000;

const rows = Array.from({ length: 40 }, (_, at) => ({ id: at, name: `n${at}`, "a b": [at, null, { deep: true }] }));
const own: readonly { name: string; bytes: Buffer }[] = [
  ["a.json", JSON.stringify(rows)],
  ["a.jsonl", rows.map((each) => JSON.stringify(each)).join("\n")],
  ["a.csv", `id,name,"a ""b"""\r\n${rows.map(({ id, name }) => `${id},${name},"x\ny"`).join("\r\n")}`],
  [
    "a.html",
    `<html><head><title>t</title><script>if (a<b) "</scr"</script></head><body>${"<h2>x</h2><p>y<table><tr><td>1".repeat(30)}`,
  ],
  ["a.md", `# One\n\n${"## Two\n- a\n  - b\n\n```js\nlet x = 1\n```\n| a | b |\n|---|---|\n".repeat(20)}`],
  ["a.log", rows.map(({ id }) => `2026-01-01T00:00:${id}Z ERROR [x] failed ${id}`).join("\n")],
  ["a.ts", "export function f(a: number) {\n  return a;\n}\n".repeat(30)],
  ["a.xml", `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "cccc">]><a>${"<x y='1'>&b;</x>".repeat(50)}</a>`],
  ["a.png", Buffer.from("89504e470d0a1a0a0000000d4948445200000010000000100806000000", "hex")],
  [
    "a.zip",
    Buffer.concat([
      Buffer.from("504b0304140000000800", "hex"),
      Buffer.alloc(200, 1),
      Buffer.from("504b0506", "hex"),
      Buffer.alloc(18),
    ]),
  ],
  ["a.pdf", "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\ntrailer<</Root 1 0 R/Encrypt 9 0 R>>\n%%EOF"],
].map(([name, content]) => ({ name: String(name), bytes: Buffer.from(content as string) }));

function published(): { name: string; bytes: Buffer }[] {
  if (!hasData) return [];
  const root = fileURLToPath(new URL("documents/dev", dataFolder));
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, path: join(entry.parentPath, entry.name) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .filter(({ path }) => statSync(path).size <= maxDocumentBytes)
    .map(({ name, path }) => ({ name, bytes: readFileSync(path) }));
}

const documents = [...own, ...published()];
/** Our own as often as all published ones together. */
const document = fc.oneof(fc.nat(own.length - 1), fc.nat(documents.length - 1));
const inserted = fc.oneof(
  fc.constantFrom(...naughtyStrings).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      "[".repeat(5_000),
      '{"a":'.repeat(5_000),
      "<div>".repeat(5_000),
      '"',
      "\r",
      ",".repeat(5_000),
      "> ".repeat(5_000),
      "`".repeat(5_000),
      "\0",
      "\ufeff",
      "9".repeat(5_000),
      "&amp".repeat(2_000),
    )
    .map((text) => Buffer.from(text)),
);
const mutation = fc.record({
  kind: fc.constantFrom("flip", "cut", "drop", "repeat", "insert", "splice"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(300),
  piece: inserted,
  other: document,
});

function mutated(
  bytes: Buffer,
  { kind, at, length, piece, other }: typeof mutation extends fc.Arbitrary<infer T> ? T : never,
): Buffer {
  const start = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, start), bytes.subarray(start)];
  switch (kind) {
    case "flip":
      return Buffer.concat([
        before,
        Buffer.from(after.subarray(0, length % 8).map((byte) => byte ^ (1 << (length % 8)))),
        after.subarray(length % 8),
      ]);
    case "cut":
      return before;
    case "drop":
      return Buffer.concat([before, after.subarray(length)]);
    case "repeat":
      return Buffer.concat([before, ...Array.from({ length: 20 }, () => after.subarray(0, length)), after]);
    case "insert":
      return Buffer.concat([before, piece, after]);
    default:
      return Buffer.concat([before, (documents[other]?.bytes ?? Buffer.alloc(0)).subarray(start)]);
  }
}

test("whatever is done to a document, its statistics are of the agreed form and bounded, and the same however it comes in pieces", () => {
  fc.assert(
    fc.property(
      document,
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      document,
      fc.integer({ min: 1, max: 5_000 }),
      (which, changes, named, pieceBytes) => {
        const { bytes = Buffer.alloc(0), name = "" } = documents[which] ?? {};
        const content = changes.reduce((current, change) => mutated(current, change), bytes);
        // Some say by their name that they are something else.
        const hint = { name: pieceBytes % 3 === 0 ? (documents[named]?.name ?? "") : name };
        const described = describeContent(content, hint);
        expect(artifactStats.safeParse(described.stats).error).toBeUndefined();
        expect(described.sizeBytes).toBe(content.length);
        expect(JSON.stringify(described).length).toBeLessThan(maxDescriptionChars);
        expect(describeContent(content, hint, Math.max(pieceBytes, content.length >> 9))).toEqual(described);
        tally.add(described.stats.kind);
      },
    ),
    { numRuns: rounds(2_500), seed: 19 },
  );
}, 240_000);

test("mutated documents are kept, found and shown, or shown as they are; nothing is thrown", async () => {
  const { artifacts } = artifactsSetting();
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(document, mutation, async (which, change) => {
      const content = mutated(documents[which]?.bytes ?? Buffer.alloc(0), change);
      const stored = metadataOf(await artifacts.keep(content, originOf(`call_${calls++}`)));
      expect((await artifacts.read(stored.id)).equals(content)).toBe(true);
      expect(stored.preview.length).toBeLessThan(20_000);
      tally.add("kept");
    }),
    { numRuns: rounds(300), seed: 19 },
  );
}, 240_000);
