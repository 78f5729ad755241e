import type { Attachment } from "../../connector.ts";

/** A plain text without the files that stand in it, and those files. */
export interface WithoutFiles {
  readonly text: string;
  readonly files: readonly Attachment[];
}

const beginning = /^begin [0-7]{3,4} (\S[^\r\n]{0,199})$/;
/** A space and the characters behind it, in which six bits are written; programs write the one for nothing as a backtick too. */
const sixBits = /^[ -`]+$/;
const emptyLine = /^[ `]$/;
/** Behind a line's bytes some programs write a checksum. */
const mostBehind = 2;

/**
 * Takes files out of a text that programs wrote into it before there were attachments (uuencode, POSIX.1). Each line says how many
 * bytes it holds, and only what holds them is taken for one: words that stand between its marks are left as they are.
 */
export function withoutUuencoded(text: string): WithoutFiles {
  if (!/^begin [0-7]{3}/m.test(text)) return { text, files: [] };
  const lines = text.split("\n");
  const kept: string[] = [];
  const files: Attachment[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lineAt(lines, at);
    const [, name] = beginning.exec(line) ?? [];
    const file = name === undefined ? undefined : fileBehind(lines, at + 1);
    if (name === undefined || file === undefined) {
      kept.push(lines[at] ?? "");
      continue;
    }
    files.push({ name: name.trim(), sizeBytes: file.sizeBytes });
    at = file.end;
  }
  return { text: kept.join("\n"), files };
}

/** Where a file ends that begins on a line, its own last line; undefined where something else stands there. */
function fileBehind(lines: readonly string[], from: number): { end: number; sizeBytes: number } | undefined {
  let sizeBytes = 0;
  for (let at = from; at < lines.length; at += 1) {
    const line = lineAt(lines, at);
    if (line === "end" && sizeBytes > 0) return { end: at, sizeBytes };
    if (emptyLine.test(line) || (line === "" && lineAt(lines, at + 1) === "end")) continue;
    const bytes = bytesOf(line);
    // What is read of a text may end within it.
    if (bytes === undefined) return at === lines.length - 1 && sizeBytes > 0 ? { end: at, sizeBytes } : undefined;
    sizeBytes += bytes;
  }
  return sizeBytes > 0 ? { end: lines.length - 1, sizeBytes } : undefined;
}

/** How many bytes a line holds; undefined for one that does not hold as many as it says. */
function bytesOf(line: string): number | undefined {
  if (!sixBits.test(line)) return undefined;
  const bytes = (line.charCodeAt(0) - 32) & 63;
  const behind = line.length - 1 - Math.ceil(bytes / 3) * 4;
  return bytes > 0 && behind >= 0 && behind <= mostBehind ? bytes : undefined;
}

const lineAt = (lines: readonly string[], at: number): string => (lines[at] ?? "").replace(/\r$/, "");
