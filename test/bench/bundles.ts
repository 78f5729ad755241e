import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Bundle, bundle, deployedHandlers, isWritten } from "./function-bundles.ts";
import { importTimes } from "./import-time.ts";

/** The peer of every ratio: what a function that only talks to SQS, S3 and DynamoDB loads by SST's defaults. */
const awsClientsAlone = `
  export { SQSClient } from "@aws-sdk/client-sqs";
  export { S3Client } from "@aws-sdk/client-s3";
  export { DynamoDBClient } from "@aws-sdk/client-dynamodb";
`;

/** A push must be answered fast and a cold start is part of the answer; workers may weigh more. */
const webhookBytes = 450_000;
const functionBytes = 1_200_000;
const importRatio = 2;

function budgetOf(name: string): number {
  return name.startsWith("webhook/") ? webhookBytes : functionBytes;
}

interface Row {
  name: string;
  bytes: number;
  laterBytes: number;
  budgetBytes: number;
  importMs: number;
  /** Import time divided by that of the AWS clients alone, in the same run. */
  ratio: number;
  largest: string;
  withinSize: boolean;
  withinImport: boolean;
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`;
const largest = ({ packages }: Bundle) =>
  packages
    .slice(0, 3)
    .map(([name, bytes]) => `${name} ${kilobytes(bytes)}`)
    .join(", ");

function table(rows: readonly Row[]): string {
  const header = ["function", "size", "later", "budget", "import", "ratio", "", "largest parts"];
  const lines = rows.map((row) => [
    row.name,
    kilobytes(row.bytes),
    kilobytes(row.laterBytes),
    row.budgetBytes === Number.POSITIVE_INFINITY ? "" : kilobytes(row.budgetBytes),
    `${row.importMs.toFixed(0)} ms`,
    `${row.ratio.toFixed(2)}×`,
    [row.withinSize ? "" : "TOO LARGE", row.withinImport ? "" : "SLOW"].filter(Boolean).join(" ") || "ok",
    row.largest,
  ]);
  const widths = header.map((title, column) =>
    Math.max(...[header, ...lines].map((line) => line[column]?.length ?? 0), title.length),
  );
  const format = (line: readonly string[]) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [header, ...lines].map(format).join("\n");
}

/**
 * `npm run bench -- bundles [--rounds N] [--json]`
 * @returns 1 when a bundle is larger than its budget. Import time is compared and marked but does not fail: it depends
 * on the machine, and the ratio's spread on a busy one is larger than what a bad import adds.
 */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: "string", default: "9" }, json: { type: "boolean", default: false } },
  });
  const folder = await mkdtemp(path.join(tmpdir(), "scouts-bundles-"));
  try {
    const handlers = deployedHandlers();
    const absent = handlers.filter((file) => !isWritten(file));
    const peer = await bundle("AWS clients alone", { contents: awsClientsAlone }, folder);
    const bundles = [peer];
    for (const file of handlers.filter(isWritten)) {
      bundles.push(await bundle(file.replace(/^functions\/|\.ts$/g, ""), { file }, folder));
    }
    const times = await importTimes(
      bundles.map(({ file }) => file),
      Number(values.rounds),
      {},
    );
    const peerMs = times.get(peer.file) ?? 0;
    const rows = bundles.map((each): Row => {
      const importMs = times.get(each.file) ?? 0;
      const budgetBytes = each === peer ? Number.POSITIVE_INFINITY : budgetOf(each.name);
      return {
        name: each.name,
        bytes: each.bytes,
        laterBytes: each.laterBytes,
        budgetBytes,
        importMs,
        ratio: importMs / peerMs,
        largest: largest(each),
        withinSize: each.bytes <= budgetBytes,
        withinImport: importMs <= importRatio * peerMs,
      };
    });
    if (values.json) console.log(JSON.stringify({ rounds: Number(values.rounds), absent, rows }));
    else {
      console.log(
        `bundles: as SST builds them, what a start loads and what is loaded later; import = median of ${values.rounds} fresh processes, ratio to the AWS clients alone\n`,
      );
      console.log(table(rows));
      for (const file of absent) console.log(`${file} is named in infra/ and does not exist`);
    }
    return rows.every(({ withinSize }) => withinSize) && absent.length === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
