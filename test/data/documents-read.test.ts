import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Extraction } from "../../device/folders/extraction/extraction.ts";
import { Extractor } from "../../device/folders/extraction/extractor.ts";
import { maxBytesOf } from "../../device/folders/scanner/limits.ts";
import { dataFolder, hasData } from "./published.ts";

const data = fileURLToPath(new URL("documents/dev/", dataFolder));

const extractor = new Extractor();
afterAll(() => extractor.close());

/** All of them take minutes. */
const everyNthPdf = 4;
/** Everything that can be summed up is read, not an excerpt of it. */
const maxContentTokens = 200_000;

function answers<T extends z.ZodType>(kind: string, schema: T): z.output<T>[] {
  const lines = readFileSync(`${data}EXPECTED/${kind}.jsonl`, "utf8").trim().split("\n");
  return lines.map((line) => schema.parse(JSON.parse(line)));
}

async function read(path: string, kind: "pdf" | "docx" | "image"): Promise<Extraction | undefined> {
  const bytes = readFileSync(data + path);
  if (bytes.length === 0 || bytes.length > maxBytesOf(kind)) return undefined;
  return extractor.extract({ kind, bytes, maxContentTokens });
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Mean share of the expected words that are there. */
function meanRecall(pairs: readonly (readonly [expected: string, found: string])[]): number {
  const shares = pairs.flatMap(([expected, found]) => {
    const [wanted, had] = [wordsOf(expected), wordsOf(found)];
    return wanted.size === 0 ? [] : [[...wanted].filter((word) => had.has(word)).length / wanted.size];
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

describe.skipIf(!hasData)("4.1 on documents of others", () => {
  test("PDF: words as poppler finds them; none of those it cannot open is called empty", async () => {
    const rows = answers(
      "pdf",
      z.object({
        path: z.string(),
        pdftotext_rc: z.number(),
        words: z.number().default(0),
        text_head: z.string().default(""),
      }),
    );
    const pairs: [string, string][] = [];
    let [readable, withText] = [0, 0];
    for (const row of rows.filter((_, index) => index % everyNthPdf === 0)) {
      const extraction = await read(row.path, "pdf");
      if (extraction === undefined) continue;
      if (row.pdftotext_rc !== 0) {
        expect(["encrypted", "corrupt", "text"], row.path).toContain(
          extraction.outcome === "failed" ? extraction.reason : extraction.outcome,
        );
      } else if (row.words > 0) {
        readable++;
        if (extraction.outcome === "text") withText++;
      }
      if (extraction.outcome === "text") pairs.push([row.text_head, extraction.text]);
    }
    expect(withText / readable).toBeGreaterThan(0.9);
    // Documents whose text is in their fields and notes count too; poppler sees those through their appearance only.
    expect(meanRecall(pairs)).toBeGreaterThan(0.87);
  }, 300_000);

  test("DOCX: words as pandoc finds them", async () => {
    const rows = answers(
      "docx",
      z.object({ path: z.string(), pandoc_rc: z.number(), text_head: z.string().default("") }),
    );
    const pairs: [string, string][] = [];
    for (const { path, text_head } of rows) {
      const extraction = await read(path, "docx");
      if (extraction?.outcome === "text") pairs.push([text_head, extraction.text]);
      else expect(extraction, path).toMatchObject({ outcome: "failed" });
    }
    expect(pairs.length).toBeGreaterThan(rows.length * 0.8);
    expect(meanRecall(pairs)).toBeGreaterThan(0.9);
  }, 240_000);

  test("images: what pillow decodes becomes a small JPEG, crashers end in a reason", async () => {
    const row = z.object({
      path: z.string(),
      decodes: z.boolean(),
      width: z.number().optional(),
      height: z.number().optional(),
    });
    const rows = answers("image", row).filter(({ path }) => /^image\//.test(path));
    let agreed = 0;
    for (const { path, decodes, width = 1, height = 1 } of rows) {
      const extraction = await read(path, "image");
      if (extraction?.outcome === "image") {
        const { image } = extraction;
        expect(Math.max(image.width, image.height), path).toBeLessThanOrEqual(512);
        const turned = image.width / image.height;
        if (Math.max(width, height) < 512 && decodes) expect([width / height, height / width], path).toContain(turned);
      } else expect(extraction, path).toEqual({ outcome: "failed", reason: "corrupt" });
      if ((extraction?.outcome === "image") === decodes) agreed++;
    }
    expect(agreed / rows.length).toBeGreaterThan(0.97);
  }, 240_000);
});
