import "../../built-threads.ts";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { indexScan } from "../../../device/folders/indexer/index-scan.ts";
import { openPreparer } from "../../../device/folders/indexer/prepare.ts";
import { startScan } from "../../../device/folders/scanner/start-scan.ts";
import { indexPath, openIndexToRead, openIndexToWrite } from "../../../device/knowledge/index/index-file.ts";
import { type IndexedDocument, IndexWriter } from "../../../device/knowledge/index/index-writer.ts";
import { IndexSearch } from "../../../device/knowledge/search/index/index-search.ts";
import { parseQuery } from "../../../device/knowledge/search/parse-query.ts";
import { indexedText } from "../../../device/knowledge/text/indexed-text.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { setup as buildProgram } from "../../built-program.ts";
import { percentile } from "../percentile.ts";
import { ZipfText } from "./zipf-text.ts";

const goals = { sizeRatio: 1.2, megabytesPerSecond: 8, queryMs: 30 };
const passagesAFile = 50;
const wordsAPassage = 200;
const filesAtOnce = 20;

/**
 * `npm run bench -- search [--megabytes 24] [--passages 100000] [--queries 300] [--seed 1]`: a folder is scanned and indexed from end
 * to end, beside plain FTS5 and grep (ripgrep where it is) on the same files; then questions to an index of so many passages.
 * Threads run what they run in use, the build.
 */
export async function run(args: string[]): Promise<number> {
  buildProgram();
  const { values } = parseArgs({
    args,
    options: {
      megabytes: { type: "string", default: "24" },
      passages: { type: "string", default: "100000" },
      queries: { type: "string", default: "300" },
      seed: { type: "string", default: "1" },
    },
  });
  const home = mkdtempSync(join(tmpdir(), "bench-search-"));
  try {
    console.log(`load before: ${loadavg()[0]?.toFixed(1)}, seed ${values.seed}\n`);
    const text = new ZipfText(Number(values.seed));
    await endToEnd(home, text, Number(values.megabytes) * 1e6);
    questions(home, text, Number(values.passages), Number(values.queries));
    return 0;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function endToEnd(home: string, text: ZipfText, wantedBytes: number): Promise<void> {
  const root = join(home, "folder");
  mkdirSync(root);
  const files: string[] = [];
  let bytes = 0;
  for (; bytes < wantedBytes; ) {
    const content = text.document(passagesAFile, wordsAPassage);
    files.push(content);
    writeFileSync(join(root, `${files.length}.md`), content);
    bytes += Buffer.byteLength(content);
  }
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: join(home, "data") });
  const { id: projectId } = store.projects.add("bench");
  store.projects.link(projectId, root);
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  const scan = await startScan({ ...systemTimeAndIds, store, projectId });
  const preparer = openPreparer(scan.files, Date.now);
  const { index } = await indexScan({ store, scan, preparer, onProgress: () => undefined });
  const tookMs = performance.now() - startedMs;
  const cpuMs = cpuSince(startedCpu);
  await preparer.close();
  scan.finish({ status: "completed" });
  store.close();
  const size = statSync(indexPath(join(home, "data"), projectId)).size;
  console.log(`${files.length} files, ${(bytes / 1e6).toFixed(0)} MB of text, ${index?.indexed ?? 0} indexed`);
  report("scan and index, end to end", bytes, { tookMs, cpuMs }, size);

  const plainFile = join(home, "plain.sqlite");
  const plain = new DatabaseSync(plainFile);
  plain.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE VIRTUAL TABLE files USING fts5(text); BEGIN",
  );
  const insert = plain.prepare("INSERT INTO files (text) VALUES (?)");
  const plainCpu = process.cpuUsage();
  const plainMs = measured(() => {
    for (const content of files) insert.run(content);
    plain.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  });
  const taken = { tookMs: plainMs, cpuMs: cpuSince(plainCpu) };
  plain.close();
  report("plain FTS5 with its copy, texts in memory", bytes, taken, statSync(plainFile).size);

  const word = text.word(5_000);
  const isThere = (program: string) => spawnSync(program, ["--version"]).status === 0;
  const grep = isThere("rg")
    ? { program: "rg", args: ["-c", word, root] }
    : { program: "grep", args: ["-rc", word, root] };
  const grepMs = measured(() => void spawnSync(grep.program, grep.args));
  console.log(`  ${`${grep.program}, one word, all files`.padEnd(44)}${grepMs.toFixed(0).padStart(6)} ms a question\n`);
}

function questions(home: string, text: ZipfText, wanted: number, count: number): void {
  const path = join(home, "large", "prj.sqlite");
  const writer = new IndexWriter(openIndexToWrite(path).connection);
  let bytes = 0;
  const tookMs = measured(() => {
    for (let made = 0; made < wanted; made += passagesAFile * filesAtOnce) {
      const documents = Array.from({ length: filesAtOnce }, (_, at): IndexedDocument => {
        const content = text.document(passagesAFile, wordsAPassage);
        bytes += Buffer.byteLength(content);
        const facts = { kind: "text", tag: "doc", ext: "md", about: "", sizeBytes: 1, mtimeMs: made };
        const name = `${made}-${at}`;
        return { path: `${name}.md`, hash: name, ...facts, text: indexedText(content, "prose", false) };
      });
      writer.put(documents);
    }
    writer.finish({ isComplete: true });
  });
  writer.close();
  const connection = openIndexToRead(path);
  if (connection === undefined) throw new Error("The index is not there");
  const index = new IndexSearch(connection);
  console.log(
    `${index.rows.counts().passages} passages, ${(bytes / 1e6).toFixed(0)} MB, in ${(tookMs / 1_000).toFixed(0)} s`,
  );
  const cpuTimes: number[] = [];
  const times = Array.from({ length: count }, (_, at) => {
    const query = parseQuery(text.question(1 + (at % 8)));
    const before = process.cpuUsage();
    const ms = measured(() => void index.find(query, 10, Date.now()));
    cpuTimes.push(cpuSince(before));
    return ms;
  });
  const [p50, p95, cpu95] = [percentile(times, 50), percentile(times, 95), percentile(cpuTimes, 95)];
  const goal = `goal ${goals.queryMs} ms at p95: ${p95 <= goals.queryMs ? "reached" : "not reached"}`;
  console.log(
    `  questions of 1 to 8 words: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, of CPU ${cpu95.toFixed(1)} ms (${goal})`,
  );

  const plain = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT 10";
  const bare = connection.prepare(plain);
  const bareTimes = Array.from({ length: Math.min(count, 60) }, (_, at) => {
    const any = text
      .question(1 + (at % 8))
      .split(" ")
      .join(" OR ");
    return measured(() => void bare.all(any));
  });
  console.log(
    `  the same by bm25 over all words: p50 ${percentile(bareTimes, 50).toFixed(1)} ms, p95 ${percentile(bareTimes, 95).toFixed(1)} ms`,
  );
  index.close();
}

/** Of this process, its threads included; unlike the time that passed it says the same beside other work. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

function report(
  name: string,
  bytes: number,
  { tookMs, cpuMs }: { readonly tookMs: number; readonly cpuMs: number },
  size: number,
): void {
  const [speed, ofCpu] = [bytes / 1e3 / tookMs, bytes / 1e3 / cpuMs];
  const isOurs = name.startsWith("scan");
  const isReached = speed >= goals.megabytesPerSecond && size / bytes <= goals.sizeRatio;
  const goal = isOurs
    ? ` (goal ${goals.megabytesPerSecond} MB/s, × ${goals.sizeRatio}: ${isReached ? "reached" : "not reached"})`
    : "";
  console.log(
    `  ${name.padEnd(44)}${speed.toFixed(1).padStart(6)} MB/s, ${ofCpu.toFixed(1)} a second of CPU  × ${(size / bytes).toFixed(2)} of the text${goal}`,
  );
}

function measured(work: () => void): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
