import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { Parser } from "htmlparser2";
import MarkdownIt from "markdown-it";
import { ContentDescriber } from "../../../device/artifacts/description/describe.ts";
import { type Contender, compare } from "../files/compare.ts";
import { csvOf, htmlOf, jsonOf, markdownOf } from "./generated-content.ts";

interface Job {
  readonly name: string;
  readonly megabytes: number;
  /** The first is the peer the other is divided by. */
  readonly contenders: readonly [Contender, Contender];
  readonly goal: number;
}

/**
 * `npm run bench -- artifacts [--repeat 5] [--seed 1] [--gigabyte]`: what statistics cost beside programs that only read
 * the same content, all in one run; with `--gigabyte` what keeping a result of one gigabyte does to memory.
 */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      repeat: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
      gigabyte: { type: "boolean", default: false },
    },
  });
  const [repeat, seed] = [Number(values.repeat), Number(values.seed)];
  const folder = mkdtempSync(join(tmpdir(), "bench-artifacts-"));
  console.log(
    `seed ${seed}; load before: ${loadavg()[0]?.toFixed(1)}; median of ${repeat} rounds, contenders in turn\n`,
  );
  try {
    for (const job of await jobs(folder, seed)) await printJob(job, repeat);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return values.gigabyte ? printGigabyte() : 0;
}

async function jobs(folder: string, seed: number): Promise<Job[]> {
  const [csv, json, html, markdown] = [csvOf(16, seed), jsonOf(6.5, seed), htmlOf(1.4, seed), markdownOf(0.5, seed)];
  const table = join(folder, "table.csv");
  writeFileSync(table, csv);
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const summarized = async () =>
    (await connection.runAndReadAll(`SUMMARIZE SELECT * FROM read_csv('${table}')`)).currentRowCount;
  return [
    job("CSV", csv, 1.5, { name: "DuckDB SUMMARIZE", run: summarized }),
    job("JSON", json, 4, { name: "JSON.parse", run: () => Object.keys(JSON.parse(json.toString())).length }),
    job("HTML", html, 1.5, { name: "htmlparser2", run: () => elementsOf(html.toString()) }),
    job("Markdown", markdown, 1.5, {
      name: "markdown-it",
      run: () => new MarkdownIt().parse(markdown.toString(), {}).length,
    }),
  ];
}

function job(name: string, content: Buffer, goal: number, peer: Contender): Job {
  const ours = { name: "statistics, hash and all", run: () => described(content, name.toLowerCase()) };
  return { name, megabytes: content.length / 1e6, contenders: [peer, ours], goal };
}

function described(content: Buffer, extension: string): number {
  const describer = new ContentDescriber({ name: `x.${extension === "markdown" ? "md" : extension}` });
  for (let at = 0; at < content.length; at += 65_536) describer.write(content.subarray(at, at + 65_536));
  return JSON.stringify(describer.end().stats).length;
}

function elementsOf(html: string): number {
  let elements = 0;
  const parser = new Parser({ onopentag: () => void elements++, ontext: () => undefined });
  parser.end(html);
  return elements;
}

async function printJob({ name, megabytes, contenders, goal }: Job, repeat: number): Promise<void> {
  const measured = await compare(contenders, repeat);
  const [peer] = measured;
  console.log(`${name}, ${megabytes.toFixed(1)} MB`);
  for (const [at, { name: contender, medianMs, minMs, maxMs }] of measured.entries()) {
    const ratio = medianMs / (peer?.medianMs ?? Number.NaN);
    const verdict = at === 0 ? "" : ` (goal ${goal.toFixed(1)}: ${ratio <= goal ? "reached" : "not reached"})`;
    const range = `${minMs.toFixed(0)}–${maxMs.toFixed(0)}`;
    console.log(
      `  ${contender.padEnd(26)}${medianMs.toFixed(0).padStart(6)} ms ${range.padStart(12)}  × ${ratio.toFixed(2)}${verdict}`,
    );
  }
  console.log();
}

const streaming = fileURLToPath(new URL("../../artifacts/streaming.ts", import.meta.url));
const maxGrownMb = 150;

function printGigabyte(): number {
  let failures = 0;
  for (const kind of ["jsonl", "csv", "line"]) {
    const output = execFileSync(process.execPath, [streaming, kind, String(1024 ** 3)], { encoding: "utf8" });
    const { sizeBytes, tookMs, grownBytes } = JSON.parse(output);
    const grownMb = grownBytes / 1024 ** 2;
    const verdict = grownMb < maxGrownMb ? "reached" : "not reached";
    if (grownMb >= maxGrownMb) failures++;
    console.log(
      `${kind}: ${(sizeBytes / 1e6).toFixed(0)} MB kept in ${(tookMs / 1_000).toFixed(1)} s, memory grew by ${grownMb.toFixed(0)} MB (goal ${maxGrownMb}: ${verdict})`,
    );
  }
  return failures === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
