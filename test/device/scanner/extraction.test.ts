import { afterAll, describe, expect, test } from "vitest";
import { countTokens } from "../../../device/access/reading/token-count.ts";
import type { ExtractionJob } from "../../../device/folders/extraction/extraction.ts";
import { Extractor } from "../../../device/folders/extraction/extractor.ts";
import { imageHeader } from "../../../device/folders/extraction/image-header.ts";
import { pdfText } from "../../../device/folders/extraction/pdf/pdf-text.ts";
import { type ExtractionLimits, extractionLimits } from "../../../device/folders/scanner/limits.ts";
import { quick, whole } from "../../rounds.ts";
import {
  docxBomb,
  docxMargins,
  docxWith,
  lockedPdf,
  lyingDocxBomb,
  pdfBomb,
  pdfForm,
  pdfPages,
  pdfWith,
  pngOf,
  pngWith,
} from "./documents.ts";

const mebibyte = 1024 * 1024;
const shared = new Extractor();
afterAll(() => shared.close());

const job = (kind: ExtractionJob["kind"], bytes: Uint8Array | string, maxContentTokens = 1_000): ExtractionJob => ({
  kind,
  bytes: Buffer.from(bytes),
  maxContentTokens,
});

/** Its own thread with its own limits, closed after. */
async function within<T>(limits: Partial<ExtractionLimits>, work: (extractor: Extractor) => Promise<T>): Promise<T> {
  const extractor = new Extractor({ limits });
  try {
    return await work(extractor);
  } finally {
    await extractor.close();
  }
}

/** A JPEG as far as its frame header (ITU-T T.81, B.2.2), 640 × 480, behind `before`. */
const jpegHead = (frame: string, before = "") => Buffer.from(`ffd8${before}ff${frame}00110801e0028003`, "hex");

test.each([
  ["a baseline JPEG", jpegHead("c0")],
  ["a lossless one, behind a segment and bytes that fill", jpegHead("c3", "ffe00004aabbffffff")],
])("the size of %s is read from its head", (_, bytes) => {
  expect(imageHeader(bytes)).toEqual({ format: "jpeg", width: 640, height: 480 });
});

test("what is no PNG or JPEG, or ends before its size, has no head", () => {
  for (const bytes of [
    jpegHead("c4"),
    jpegHead("c0").subarray(0, 8),
    pngOf(4, 4).subarray(0, 20),
    Buffer.from("GIF89a"),
  ]) {
    expect(imageHeader(bytes)).toBeUndefined();
  }
  expect(imageHeader(pngWith(60_000, 3, Buffer.alloc(0)))).toEqual({ format: "png", width: 60_000, height: 3 });
});

describe("4.1: text is extracted on the device", () => {
  test("PDF", async () => {
    expect(await shared.extract(job("pdf", pdfWith("The gardeners annual report")))).toMatchObject({
      outcome: "text",
      text: "The gardeners annual report",
    });
  });

  test("nothing silent: what is filled into a form, and remarked on a page, is its text; what nobody is shown is not", async () => {
    const read = await shared.extract(job("pdf", pdfForm()));
    const lines = read.outcome === "text" ? read.text.split("\n").toSorted() : read;
    expect(lines).toEqual(["Ask the council first", "Blue", "Name of the tenant: Ada Birch", "Sign here by Friday"]);
  });

  test("nothing silent: headers, footers and comments of a Word document are its text, each once", async () => {
    const parts = docxMargins({
      header1: "Lease 12",
      header2: "Lease 12",
      footer1: "Page of the barn &amp; yard",
      comments: "Too dear",
    });
    expect(await shared.extract(job("docx", docxWith("Body", { parts })))).toMatchObject({
      text: "Lease 12\n# Title\nBody\n\nPage of the barn & yard\nToo dear",
    });
    const only = docxMargins({ header1: "Nothing but this" });
    expect(await shared.extract(job("docx", docxWith("", { parts: only })))).toMatchObject({ outcome: "text" });
  });

  test("a header of a Word document has no tab for where tabs stop, and its text box is read once", async () => {
    const stops = '</w:t></w:r></w:p><w:p><w:pPr><w:tabs><w:tab w:val="center"/></w:tabs></w:pPr><w:r><w:t>';
    const box = "<mc:Choice><w:p><w:r><w:t>Draft</w:t></w:r></w:p></mc:Choice>";
    const again = "<mc:Fallback><w:p><w:r><w:t>Draft </w:t></w:r></w:p></mc:Fallback>";
    const boxes = `</w:t></w:r></w:p><mc:AlternateContent>${box}${again}</mc:AlternateContent><w:p><w:r><w:t>`;
    const parts = docxMargins({ header1: `Lease${stops}Barn</w:t><w:tab/><w:t>12${boxes}` });
    expect(await shared.extract(job("docx", docxWith("Body", { parts })))).toMatchObject({
      text: "Lease\nBarn\t12\nDraft\n# Title\nBody\n",
    });
  });

  test("DOCX, headings marked", async () => {
    expect(await shared.extract(job("docx", docxWith("Lease of a barn & yard".replace("&", "&amp;"))))).toMatchObject({
      outcome: "text",
      text: "# Title\nLease of a barn & yard\n",
    });
  });

  test("pages by what they show; a page that shows nothing by its source", async () => {
    const page = (source: string) => shared.extract({ ...job("text", source), isPage: true });
    expect(await page("<title>Tides</title><script>x()</script><p>Twice a day.")).toMatchObject({
      text: "# Tides\n\nTwice a day.",
    });
    expect(await page("<script>start()</script>")).toMatchObject({ text: "<script>start()</script>" });
  });

  const said = "Größe: 3 €, naïve café — übermäßig schöne Straßen in Köln und Überlingen";
  test.each([
    ["UTF-8", Buffer.from(said)],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${said}`)],
    ["UTF-16LE with a mark", Buffer.from(`\ufeff${said}`, "utf16le")],
    ["UTF-16BE with a mark", Buffer.from(`\ufeff${said}`, "utf16le").swap16()],
    ["UTF-16LE without", Buffer.from(said, "utf16le")],
    ["UTF-16BE without", Buffer.from(said, "utf16le").swap16()],
  ])("text in %s", async (_, bytes) => {
    expect(await shared.extract(job("text", bytes))).toMatchObject({ outcome: "text", text: said });
  });

  test("text in Shift_JIS, KOI8-R and windows-1252 is detected", async () => {
    const { default: iconv } = await import("iconv-lite");
    const texts = {
      Shift_JIS: "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。".repeat(4),
      "KOI8-R": "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему.".repeat(3),
      "windows-1252": "Die Größe der Bäume überrascht täglich, für 5 € hätte man früher mehr erhalten. ".repeat(5),
    };
    for (const [encoding, text] of Object.entries(texts)) {
      const extraction = await shared.extract(job("text", iconv.encode(text, encoding)));
      expect(extraction, encoding).toMatchObject({ outcome: "text", text });
    }
  });

  test("a picture is scaled down, in proportion, and encoded anew", async () => {
    const extraction = await shared.extract(job("image", pngOf(1_200, 300)));
    expect(extraction).toMatchObject({ outcome: "image", image: { width: 512, height: 128, mime: "image/jpeg" } });
    const jpeg = extraction.outcome === "image" ? Buffer.from(extraction.image.base64, "base64") : Buffer.alloc(0);
    expect(jpeg.subarray(0, 2).toString("hex")).toBe("ffd8");
  });

  test("what is transparent becomes white, not black", async () => {
    const [clear, white] = await Promise.all([
      shared.extract(job("image", pngOf(16, 16, [0, 0, 0, 0]))),
      shared.extract(job("image", pngOf(16, 16, [255, 255, 255, 255]))),
    ]);
    expect(clear).toEqual(white);
  });
});

describe("4.1: bad content ends in a reason", () => {
  test.each([
    ["encrypted", "pdf", lockedPdf()],
    ["corrupt", "pdf", Buffer.from("%PDF-1.7 and then nothing of the kind")],
    ["no_text", "pdf", pdfWith("")],
    ["corrupt", "docx", Buffer.from("PK but no archive")],
    ["corrupt", "docx", docxWith("").subarray(0, 300)],
    [
      "encrypted",
      "docx",
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
    ],
    ["corrupt", "image", Buffer.from("GIF89a")],
    ["corrupt", "image", pngOf(40, 40).subarray(0, 70)],
    ["corrupt", "image", pngWith(0, 10, Buffer.alloc(0))],
    ["binary", "text", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1, 2, 0, 0, 3])],
    ["no_text", "text", Buffer.from(" \n\t\n")],
  ] as const)("%s: %s %#", async (reason, kind, bytes) => {
    expect(await shared.extract(job(kind, bytes))).toEqual({ outcome: "failed", reason });
  });

  test("and the next file is read as ever", async () => {
    await shared.extract(job("image", pngOf(40, 40).subarray(0, 70)));
    expect(await shared.extract(job("image", pngOf(4, 4)))).toMatchObject({ outcome: "image" });
  });
});

describe("4.1: what is inflated is bounded", () => {
  test.skipIf(quick)("a DOCX that confesses to be a bomb is not inflated", async () => {
    expect(await shared.extract(job("docx", docxBomb(80 * mebibyte)))).toEqual({
      outcome: "failed",
      reason: "too_complex",
    });
  });

  test.skipIf(quick)("one that lies about its sizes is cut off", async () => {
    const extraction = await within({ maxExternalBytes: 32 * mebibyte }, (extractor) =>
      extractor.extract(job("docx", lyingDocxBomb(80 * mebibyte, 10_000))),
    );
    expect(extraction).toEqual({ outcome: "failed", reason: "corrupt" });
  });

  test.skipIf(quick)("pictures and fonts in a document are not inflated at all", async () => {
    const parts = {
      "word/media/image1.png": Buffer.alloc(80 * mebibyte),
      "word/fonts/f.odttf": Buffer.alloc(mebibyte),
    };
    expect(await shared.extract(job("docx", docxWith("small", { parts })))).toMatchObject({ outcome: "text" });
  });

  test("nothing silent: a PDF of hundreds of pages is read to its end; of one that is not, that is said", async () => {
    const bytes = pdfPages(Array.from({ length: 260 }, (_, at) => `Page ${at + 1}.`));
    const whole = await pdfText(Uint8Array.from(bytes), {
      ...extractionLimits,
      softDeadlineMs: Number.POSITIVE_INFINITY,
    });
    expect(whole).toEqual({ text: expect.stringMatching(/\nPage 260\.$/), isPart: false });
    for (const limits of [{ maxPdfPages: 2 }, { softDeadlineMs: 0, maxPdfPages: 1 }, { maxTextChars: 60 }]) {
      const part = await pdfText(Uint8Array.from(bytes), { ...extractionLimits, ...limits });
      expect(part.isPart).toBe(true);
      expect(part.text).toMatch(/^Page 1\.[\s\S]*\n\[Pages \d+ to 260 were not read\.\]$/);
      expect(part.text.length).toBeLessThanOrEqual(60);
    }
    expect(await within({ maxPdfPages: 2 }, (extractor) => extractor.extract(job("pdf", bytes)))).toMatchObject({
      outcome: "text",
      isPart: true,
    });
  });

  test("nothing silent: pages of a PDF that are damaged are named, where the others are read", async () => {
    const unlimited = { ...extractionLimits, softDeadlineMs: Number.POSITIVE_INFINITY };
    const damaged = (from: string) => {
      const text = pdfPages(["One.", "Two.", "Three."]).toString("latin1");
      return Uint8Array.from(Buffer.from(text.replace(from, from.replaceAll(/[468](?= 0 R)/g, "9")), "latin1"));
    };
    expect(await pdfText(damaged("6 0 R 8 0 R"), unlimited)).toEqual({
      text: "One.\n\n[From page 2 on the file is damaged.]",
      isPart: true,
    });
    expect(await pdfText(damaged("8 0 R"), unlimited)).toEqual({
      text: "One.\n\nTwo.\n\n[From page 3 on the file is damaged.]",
      isPart: true,
    });
    await expect(pdfText(damaged("4 0 R 6 0 R 8 0 R"), unlimited)).rejects.toMatchObject({ reason: "corrupt" });
  });

  test("a PDF whose streams inflate without end is stopped by the memory it takes", async () => {
    const bomb = pdfBomb((whole ? 400 : 160) * mebibyte);
    expect(bomb.length).toBeLessThan(mebibyte);
    const extraction = await within(
      { maxExternalBytes: 64 * mebibyte, softDeadlineMs: 60_000, deadlineMs: 60_000 },
      (e) => e.extract(job("pdf", bomb)),
    );
    expect(extraction).toEqual({ outcome: "failed", reason: "too_complex" });
  });

  test("a picture with more pixels than allowed is not decoded", async () => {
    expect(await shared.extract(job("image", pngWith(60_000, 60_000, Buffer.alloc(10))))).toEqual({
      outcome: "failed",
      reason: "too_complex",
    });
  });

  test("a reader that takes too long is ended, and the next file is read by another", async () => {
    await within({ deadlineMs: 1 }, async (extractor) => {
      expect(await extractor.extract(job("pdf", pdfWith("late")))).toEqual({ outcome: "failed", reason: "timed_out" });
      expect(await extractor.extract(job("pdf", pdfWith("late")))).toEqual({ outcome: "failed", reason: "timed_out" });
    });
  });

  test("a heap that is used up ends the thread, not the process", async () => {
    const text = "word ".repeat(400_000);
    const extraction = await within({ maxHeapMegabytes: 8 }, (extractor) => extractor.extract(job("text", text)));
    expect(extraction).toEqual({ outcome: "failed", reason: "too_complex" });
  });
});

describe("waiting and giving up", () => {
  test("a cancelled file is Cancelled, nothing is said about it", async () => {
    await within({}, async (extractor) => {
      const stop = new AbortController();
      const running = extractor.extract(job("pdf", pdfWith("x")), stop.signal);
      const waiting = extractor.extract(job("pdf", pdfWith("y")), stop.signal);
      stop.abort();
      await expect(running).rejects.toMatchObject({ code: "Cancelled" });
      await expect(waiting).rejects.toMatchObject({ code: "Cancelled" });
      expect(await extractor.extract(job("pdf", pdfWith("z")))).toMatchObject({ outcome: "text" });
    });
  });

  test("closing cancels what is being read: it is not called damaged", async () => {
    const extractor = new Extractor();
    const running = extractor.extract(job("pdf", pdfWith("x")));
    const waiting = extractor.extract(job("pdf", pdfWith("y")));
    const settled = Promise.allSettled([running, waiting]);
    await extractor.close();
    const codes = (await settled).map((each) => (each.status === "rejected" ? each.reason.code : each.value));
    expect(codes).toEqual(["Cancelled", "Cancelled"]);
  });
});

describe("4.1: only what the summary needs travels", () => {
  const secret = ["ghp", "_", "w4Jx8Qm2Zr7Lk9Vb3Nc6Ty1Hs5Df0Ga8PoEi"].join("");

  test("credentials are taken out before anything is cut", async () => {
    const text = `${"alpha beta gamma\n".repeat(3_000)}token = "${secret}"\n${"delta\n".repeat(5)}`;
    const whole = await shared.extract(job("text", text, 100_000));
    const cut = await shared.extract(job("text", text, 60));
    for (const extraction of [whole, cut]) {
      expect(extraction).toMatchObject({ outcome: "text", redactions: 1 });
      expect(JSON.stringify(extraction)).not.toContain(secret.slice(4, 16));
    }
  });

  test("head, outline and tail fit the tokens of the model's tokenizer", async () => {
    const sections = Array.from({ length: 300 }, (_, n) => `## Section ${n}\n${"some words about it. ".repeat(20)}\n`);
    const text = `# Title\nfirst words\n${sections.join("")}\nlast words`;
    for (const maxTokens of [120, 400, 1_000]) {
      const extraction = await shared.extract(job("text", text, maxTokens));
      if (extraction.outcome !== "text") throw new Error(extraction.outcome);
      const tokens = await countTokens(extraction.text);
      expect(tokens).toBeLessThanOrEqual(maxTokens);
      expect(tokens).toBeGreaterThan(maxTokens * 0.5);
      expect(extraction.text).toMatch(/^# Title\nfirst words/);
      expect(extraction.text).toMatch(/## Section \d+/);
      expect(extraction.text).toMatch(/left out …\][\s\S]*last words$/);
    }
  });

  test("a text without lines, in a script of many tokens, is cut between characters", async () => {
    const extraction = await shared.extract(job("text", "𠮷野家で食事をしました".repeat(2_000), 200));
    if (extraction.outcome !== "text") throw new Error(extraction.outcome);
    expect(await countTokens(extraction.text)).toBeLessThanOrEqual(200);
    expect(extraction.text.isWellFormed()).toBe(true);
  });
});
