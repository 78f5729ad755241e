import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openIndexToRead, openIndexToWrite } from "../../../device/knowledge/index/index-file.ts";
import { type IndexedDocument, IndexWriter } from "../../../device/knowledge/index/index-writer.ts";
import { IndexSearch } from "../../../device/knowledge/search/index/index-search.ts";
import { parseQuery } from "../../../device/knowledge/search/parse-query.ts";

/** Enough that some words are too common to be scored, and fewer than a second takes to write. */
const files = 450;
const passagesAFile = 50;

/** What the passages of a file say: `alpha` all of them, `beta` two of three, `gamma` every other. */
const common = (at: number) => ["alpha", ...(at % 3 > 0 ? ["beta"] : []), ...(at % 2 > 0 ? ["gamma"] : [])].join(" ");

/** What single passages of single files say as well. */
function rare(file: number, at: number): string {
  const isWhole = at % 3 > 0 && at % 2 > 0;
  if (file === 1 && at < 5) return `walrus${isWhole ? "" : " alone"}`;
  if (file === 2 && at === 3) return "walrus";
  if (file >= 10 && file < 40 && at === 6) return "heron";
  if (file === 40 && at === 7) return "heron";
  if (file === 60 && at < 50) return "osprey";
  if (file >= 61 && file < 66 && at === 0) return "osprey";
  return "";
}

let index: IndexSearch;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "scouts-large-"));
  const path = join(folder, "prj.sqlite");
  const writer = new IndexWriter(openIndexToWrite(path).connection);
  writer.put(
    Array.from({ length: files }, (_, file): IndexedDocument => {
      const passages = Array.from({ length: passagesAFile }, (_, at) => {
        const place = { heading: "", startLine: at + 1, endLine: at + 1, start: at * 40, end: at * 40 + 39 };
        return { ...place, body: `${common(at)} ${rare(file, at)}`, parts: "" };
      });
      const facts = { kind: "text", tag: "doc", ext: "md", about: "", sizeBytes: 1, mtimeMs: 1 };
      const text = { title: "", passages, sketch: new Uint8Array(0), chars: 2_000, kept: null };
      return { path: `${file}.md`, hash: String(file), ...facts, text };
    }),
  );
  writer.finish({ isComplete: true });
  writer.close();
  const connection = openIndexToRead(path);
  if (connection === undefined) throw new Error("the index is not there");
  index = new IndexSearch(connection);
});
afterAll(() => {
  index.close();
  rmSync(folder, { recursive: true });
});

const found = (text: string, limit = 10) =>
  index.find(parseQuery(text), limit, 1).map(({ document, hasAll }) => ({ path: document.path, hasAll }));

test("15: in a large index a file with all words comes first and is told from those with some, however common the others are", () => {
  expect(found("alpha walrus beta gamma")).toEqual([
    { path: "1.md", hasAll: true },
    { path: "2.md", hasAll: false },
  ]);
});

test("15: in a large index the one passage with all words is found among many that lack a common one", () => {
  const [first, ...others] = found("beta heron gamma alpha", 40);
  expect(first).toEqual({ path: "40.md", hasAll: true });
  expect(others).toHaveLength(30);
  expect(others.some(({ hasAll }) => hasAll)).toBe(false);
});

test("15: in a large index a question of nothing but common words is answered, and one whose words stand nowhere is not", () => {
  const all = found("alpha beta gamma");
  expect(all.length).toBeGreaterThan(0);
  expect(all.every(({ hasAll }) => hasAll)).toBe(true);
  expect(found("alpha kingfisher").filter(({ hasAll }) => hasAll)).toEqual([]);
});

test("15: in a large index a file that says a rare word all over leaves room for the others", () => {
  expect(found("osprey alpha").map(({ path }) => path)).toEqual(
    expect.arrayContaining(["60.md", "61.md", "62.md", "63.md", "64.md", "65.md"]),
  );
});
