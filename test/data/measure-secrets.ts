import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { Redactor } from "../../shared/privacy/redaction/redact.ts";
import { dataFolder, dataRows } from "./published.ts";

const row = z.object({
  id: z.string(),
  source: z.string(),
  rule: z.string(),
  label: z.enum(["positive", "negative"]),
  text: z.string(),
  want: z.array(z.string()).optional(),
});
export type SecretCase = z.infer<typeof row>;

export interface SecretFigures {
  readonly positives: number;
  readonly recall: number;
  readonly precision: number;
  readonly missed: readonly SecretCase[];
  readonly flagged: readonly SecretCase[];
}

export const secretCases = (): SecretCase[] => dataRows("secrets/cases.jsonl.gz", row);

/**
 * A positive counts when no wanted part is left. Wanted parts that the scanners put together themselves (`host:key`, a
 * JSON object) do not stand in the text: then something of them must have gone. A negative counts when anything went.
 */
export function measureSecrets(cases: readonly SecretCase[]): SecretFigures {
  const redactor = new Redactor();
  const missed: SecretCase[] = [];
  const flagged: SecretCase[] = [];
  let positives = 0;
  for (const each of cases) {
    const { text, count } = redactor.redact(each.text);
    if (each.label === "negative") {
      if (count > 0) flagged.push(each);
      continue;
    }
    positives++;
    const verbatim = (each.want ?? []).filter((part) => each.text.includes(part));
    const found = verbatim.length > 0 ? verbatim.every((part) => !text.includes(part)) : count > 0;
    if (!found) missed.push(each);
  }
  const hits = positives - missed.length;
  return { positives, recall: hits / positives, precision: hits / (hits + flagged.length), missed, flagged };
}

/** Redactions per megabyte of ordinary documents. */
function hitsPerMegabyte(folder: string, pattern: RegExp): number {
  const redactor = new Redactor();
  let [hits, bytes] = [0, 0];
  for (const entry of readdirSync(new URL(folder, dataFolder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !pattern.test(entry.name)) continue;
    const raw = readFileSync(`${entry.parentPath}/${entry.name}`);
    const text = (entry.name.endsWith(".gz") ? gunzipSync(raw) : raw).toString("utf8").slice(0, 2_000_000);
    hits += redactor.redact(text).count;
    bytes += text.length;
  }
  return hits / (bytes / 1e6);
}

if (import.meta.main) {
  const cases = secretCases();
  const show = (name: string, chosen: readonly SecretCase[]) => {
    const { positives, recall, precision, flagged } = measureSecrets(chosen);
    const negatives = chosen.length - positives;
    console.log(
      `${name.padEnd(34)} recall ${recall.toFixed(3)} of ${positives}, precision ${precision.toFixed(3)}, ${flagged.length} of ${negatives} negatives flagged`,
    );
  };
  const of = (source: string) => cases.filter((each) => each.source === source);
  const gitleaksNegatives = of("gitleaks").filter(({ label }) => label === "negative");
  show("all", cases);
  show("positives, gitleaks negatives", [...cases.filter(({ label }) => label === "positive"), ...gitleaksNegatives]);
  show("gitleaks", of("gitleaks"));
  show("trufflehog", of("trufflehog"));
  if (process.argv.includes("--missed")) {
    const { missed, flagged } = measureSecrets(cases);
    for (const { rule, text, want } of missed) console.log("MISSED", rule, JSON.stringify(text.slice(0, 200)), want);
    for (const { source, rule, text } of flagged)
      console.log("FLAGGED", source, rule, JSON.stringify(text.slice(0, 160)));
  }
  console.log(
    `documents: ${hitsPerMegabyte("documents/dev", /\.(?:md|txt|json|csv|html?|log|ya?ml|toml|ini|conf)(?:\.gz)?$/).toFixed(1)} redactions per MB`,
  );
  const line = "const a = fetch('/api/items?page=3'); ".repeat(10e6 / 38);
  for (const [name, text] of [
    ["10 MB line of code", line],
    ["10 MB of one letter", "a".repeat(10e6)],
    ["10 MB base64", Buffer.from(line).toString("base64").slice(0, 10e6)],
  ] as const) {
    const start = performance.now();
    new Redactor().redact(text);
    console.log(`${name}: ${Math.round(performance.now() - start)} ms`);
  }
}
