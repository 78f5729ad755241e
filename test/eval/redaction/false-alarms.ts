import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import PostalMime from "postal-mime";
import { findCredentials } from "../../../shared/privacy/redaction/find-credentials.ts";
import { readableText } from "../../../shared/scouts/triage/readable-text.ts";

export interface AlarmFigures {
  readonly name: string;
  readonly lines: number;
  readonly megabytes: number;
  readonly found: number;
  readonly perThousandLines: number;
  readonly megabytesPerSecond: number;
  /** File, what stands before, what was found. Only for the eye: nothing of it is kept. */
  readonly shown: readonly string[];
}

/** Lines of a file that are longer on the average are a program's, not a person's. */
const longLineChars = 300;
const maxFileChars = 2_000_000;

/** @param texts name and text; lines above {@link longLineChars} on the average are counted apart */
export function measureAlarms(
  name: string,
  texts: Iterable<readonly [string, string]>,
  maxLines: number,
): AlarmFigures {
  let [lines, chars, found, spentMs] = [0, 0, 0, 0];
  const shown: string[] = [];
  for (const [file, whole] of texts) {
    const text = whole.slice(0, maxFileChars);
    const start = performance.now();
    const credentials = findCredentials(text);
    spentMs += performance.now() - start;
    lines += text.split("\n").length;
    chars += text.length;
    found += credentials.length;
    for (const { start: from, end, kind } of credentials) {
      const lead = text.slice(Math.max(text.lastIndexOf("\n", from) + 1, from - 80), from);
      shown.push(`${kind} ${file}: ${JSON.stringify(`${lead}«${text.slice(from, Math.min(end, from + 80))}»`)}`);
    }
    if (lines >= maxLines) break;
  }
  return {
    name,
    lines,
    megabytes: chars / 1e6,
    found,
    perThousandLines: (1_000 * found) / Math.max(1, lines),
    megabytesPerSecond: chars / 1e3 / Math.max(1, spentMs),
    shown,
  };
}

/** Sources of the packages installed here, in an order that depends on nothing but their names. */
export function* packageSources(isMinified: boolean): Generator<readonly [string, string]> {
  const root = path.resolve(import.meta.dirname, "../../../node_modules");
  const files = globSync("**/*.{ts,js,mjs,cjs,md,json,yml,yaml,css}", { cwd: root })
    .map((file) => [createHash("md5").update(file).digest("hex"), file] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, file] of files) {
    const text = textOf(path.join(root, file));
    if (text === undefined) continue;
    const lines = text.split("\n").length;
    if (isMinified === text.length / lines > longLineChars) yield [file, text];
  }
}

/** Documents of a folder that are text, unpacked. @param pattern of their names */
export function* textFiles(folder: string, pattern: RegExp): Generator<readonly [string, string]> {
  for (const file of globSync("**/*", { cwd: folder }).sort()) {
    if (!pattern.test(file)) continue;
    const text = textOf(path.join(folder, file));
    if (text !== undefined) yield [file, text];
  }
}

/** What the honest mail of a folder of JSON lines says, decoded as the product does. */
export async function honestMail(folder: string, maxChars: number): Promise<[string, string][]> {
  const found: [string, string][] = [];
  let chars = 0;
  for (const file of globSync("**/*.jsonl.gz", { cwd: folder }).sort()) {
    const rows = gunzipSync(readFileSync(path.join(folder, file)))
      .toString("utf8")
      .split("\n");
    for (const row of rows) {
      if (row === "") continue;
      const { id, label, raw_base64: raw } = JSON.parse(row);
      if (label !== "ham") continue;
      const { text, html } = await PostalMime.parse(Buffer.from(String(raw), "base64"));
      const shown = readableText({ ...(text !== undefined && { text }), ...(html !== undefined && { html }) });
      chars += shown.length;
      found.push([String(id), shown]);
      if (chars >= maxChars) return found;
    }
  }
  return found;
}

function textOf(file: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (error) {
    // A folder that is named like a file, or a link that leads nowhere.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
