import { afterAll, expect, test } from "vitest";
import { countTokens } from "../../../device/access/reading/token-count.ts";
import { FsProjectFiles } from "../../../device/files/backends/fs/fs-project-files.ts";
import { Extractor } from "../../../device/folders/extraction/extractor.ts";
import { contentOf, prepareFile } from "../../../device/folders/extraction/prepare-file.ts";
import { estimateTokens, overheadTokens } from "../../../device/folders/scanner/estimate-tokens.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { docxWith, lockedPdf, pngOf } from "./documents.ts";
import { linkedFolder } from "./setting.ts";

const extractor = new Extractor();
afterAll(() => extractor.close());

async function prepared(folder: ReturnType<typeof linkedFolder>) {
  const { toSummarize } = await folder.scan();
  const files = new FsProjectFiles(folder.root);
  return Promise.all(toSummarize.map((file) => prepareFile(file, { ...systemTimeAndIds, files, extractor })));
}

test("4.2: text, documents and pictures are made ready to travel", async () => {
  const folder = linkedFolder({ "a.md": "# Hello", "b.docx": docxWith("World"), "c.png": pngOf(8, 4) });
  const [text, document, picture] = await prepared(folder);
  expect(text).toMatchObject({
    outcome: "ready",
    file: {
      relPath: "a.md",
      kind: "text",
      text: "# Hello",
      sizeBytes: 7,
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  });
  expect(document).toMatchObject({ outcome: "ready", file: { kind: "docx", text: "# Title\nWorld\n" } });
  expect(picture).toMatchObject({ outcome: "ready", file: { kind: "image", image: { width: 8, height: 4 } } });
  const contents = [text, picture].map((each) => (each?.outcome === "ready" ? contentOf(each.file) : ""));
  expect(contents).toEqual(["# Hello", expect.stringMatching(/^data:image\/jpeg;base64,\/9j\//)]);
});

test("4.1: of a page what it shows is made ready to travel, by the name of its file", async () => {
  const source = "<title>Tides</title><script>x()</script><p>Twice a day.";
  const pages = await prepared(linkedFolder({ "a.html": source, "b.HTM": `${source}..`, "c.txt": `${source}!` }));
  const texts = pages.map((each) => (each.outcome === "ready" ? contentOf(each.file) : ""));
  expect(texts).toEqual(["# Tides\n\nTwice a day.", "# Tides\n\nTwice a day...", `${source}!`]);
});

test("what cannot be read is said to be so; a file that is another by now is left to the next scan", async () => {
  const folder = linkedFolder({ "a.pdf": lockedPdf(), "b.md": "b", "c.md": "c" });
  const { toSummarize } = await folder.scan();
  folder.write("b.md", "B");
  const files = new FsProjectFiles(folder.root);
  await files.delete("c.md");
  const outcomes = await Promise.all(
    toSummarize.map((file) => prepareFile(file, { ...systemTimeAndIds, files, extractor })),
  );
  expect(outcomes).toEqual([
    { outcome: "skipped", reason: "encrypted" },
    { outcome: "changed" },
    { outcome: "changed" },
  ]);
});

test("P1: no credential of a file is part of what travels", async () => {
  const key = ["AKIA", "Z7XQ4LM2VN8KTB3R"].join("");
  const pem = ["-----BEGIN RSA ", "PRIVATE KEY-----\nMIIEow\n-----END RSA ", "PRIVATE KEY-----"].join("");
  const folder = linkedFolder({
    "notes.md": `aws_access_key_id = ${key}\n${pem}\nplain words`,
    "b.docx": docxWith(`key ${key}`),
  });
  const ready = await prepared(folder);
  expect(JSON.stringify(ready)).toContain("plain words");
  expect(JSON.stringify(ready)).not.toContain(key);
  expect(JSON.stringify(ready)).not.toContain("MIIEow");
});

test("the estimate covers what is sent, and a long file costs no more than the cap", async () => {
  const folder = linkedFolder({
    "a.md": "word ".repeat(300),
    "b.md": `# H\n${"text ".repeat(50_000)}`,
    "c.md": "short",
  });
  const { toSummarize } = await folder.scan();
  const files = new FsProjectFiles(folder.root);
  const counted: string[] = [];
  for (const scanned of toSummarize) {
    const ready = await prepareFile(scanned, { ...systemTimeAndIds, files, extractor });
    if (ready.outcome !== "ready") throw new Error(ready.outcome);
    const { relPath, tokens } = ready.file;
    if (tokens !== null) counted.push(relPath);
    const needed = tokens ?? (await countTokens(contentOf(ready.file))) + overheadTokens;
    expect(needed).toBeLessThanOrEqual(scanned.estimatedTokens);
  }
  // A text that fits by its bytes is not counted, nor is one that was put together of parts that fit.
  expect(counted).toEqual(["a.md"]);
  expect(estimateTokens("text", 1_000_000)).toBe(1_400);
});
