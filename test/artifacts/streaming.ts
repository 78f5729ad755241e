import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Artifacts } from "../../device/artifacts/artifacts.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";

/** What keeping a result of so many bytes, made piece by piece, does to this process's memory. */
export interface StreamingReport {
  readonly kind: string;
  readonly sizeBytes: number;
  readonly tookMs: number;
  /** Highest resident size less that before. */
  readonly grownBytes: number;
}

const plainText = (at: number) => `2026-01-02T03:04:05Z INFO request ${at} took ${at % 97} ms\n`;

const makers: Record<string, (at: number) => string> = {
  jsonl: (at) => `{"id":${at},"name":"name ${at}","tags":["a","b"],"price":${at / 7}}\n`,
  csv: (at) => `${at},name ${at},"quoted, ${at}",${at / 7},2026-01-02\n`,
  text: plainText,
  line: (at) => `word${at % 1_000} `,
};

const pieceBytes = 64 * 1024;
const rowsBytes = 16 * 1024 * 1024;

/** Whole rows, made before anything is measured. */
function rowsOf(make: (at: number) => string): Buffer {
  const parts: Buffer[] = [];
  for (let [at, made] = [0, 0]; made < rowsBytes; ) {
    let part = "";
    while (part.length < pieceBytes) part += make(at++);
    parts.push(Buffer.from(part));
    made += part.length;
  }
  return Buffer.concat(parts);
}

/** Keeps a result of `bytes` bytes of a kind in a folder of its own, and reads one line of it. */
export async function keepStream(kind: string, bytes: number): Promise<StreamingReport> {
  const folder = mkdtempSync(join(tmpdir(), "artifacts-streaming-"));
  const artifacts = new Artifacts({
    ...systemTimeAndIds,
    files: new FsProjectFiles(folder, { durable: false, maxFileBytes: 8 * 1024 ** 3 }),
  });
  const rows = rowsOf(makers[kind] ?? plainText);
  async function* pieces() {
    for (let made = 0; made < bytes; ) {
      // A fresh piece, as a network gives it.
      const at = made % rows.length;
      const piece = Buffer.from(rows.subarray(at, at + pieceBytes));
      made += piece.length;
      yield piece;
    }
  }
  // Tables and code that any run needs are no growth.
  await artifacts.keep("warm up", { threadId: "t", taskId: "t", toolCallId: "warm", tool: "x", readOnly: true });
  globalThis.gc?.();
  const beforeBytes = process.memoryUsage.rss();
  let peakBytes = beforeBytes;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, 20);
  const startMs = performance.now();
  const origin = { threadId: "t", taskId: "t", toolCallId: "big", tool: "x", readOnly: true };
  const kept = await artifacts.keepOrInline(pieces(), origin);
  const tookMs = performance.now() - startMs;
  if (kept.kind !== "file") throw new Error("it was shown, not stored");
  await artifacts.read(kept.metadata.id, 0, 100);
  clearInterval(timer);
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  rmSync(folder, { recursive: true, force: true });
  return {
    kind: kept.metadata.stats.kind,
    sizeBytes: kept.metadata.sizeBytes,
    tookMs,
    grownBytes: peakBytes - beforeBytes,
  };
}

if (import.meta.main) {
  const [kind = "jsonl", bytes = "100000000"] = process.argv.slice(2);
  console.log(JSON.stringify(await keepStream(kind, Number(bytes))));
}
