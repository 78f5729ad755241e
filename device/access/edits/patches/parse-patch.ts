import { AccessError } from "../../errors.ts";
import type { FilePatch, ParsedPatch, PatchFormat } from "./patch.ts";
import { holdsSearchReplace, parseSearchReplace } from "./search-replace.ts";
import { parseBareHunks, parseUnifiedDiff } from "./unified-diff.ts";
import { parseV4aPatch } from "./v4a-patch.ts";

export interface ParseOptions {
  /** Told by what the text holds when left out. */
  readonly format?: PatchFormat;
  /** The one file the patch is about: stands in for the path a single-file patch names. */
  readonly path?: string;
}

const fence = /^(?:`{3,}|~{3,})$/;

/**
 * Reads a patch in any of the three formats.
 *
 * @throws AccessError `patch_malformed`, `patch_empty`
 */
export function parsePatch(text: string, { format, path }: ParseOptions = {}): ParsedPatch {
  const inner = insideFence(text);
  const body = inner === undefined ? text : `${inner}\n`;
  if (body.trim() === "") throw new AccessError("patch_empty");
  const known = format ?? formatOf(body);
  const files = named(read(known, body, path), path);
  if (files.length === 0 || files.some(isEmpty)) throw new AccessError("patch_empty");
  return { format: known, files };
}

/** What stands in a fenced block around the whole patch, as chat models send it; undefined where there is none. */
function insideFence(text: string): string | undefined {
  const block = text.trim();
  const inside = block.indexOf("\n") + 1;
  const end = block.lastIndexOf("\n");
  const mark = block.slice(end + 1);
  return inside <= end && fence.test(mark) && block.startsWith(mark) ? block.slice(inside, end) : undefined;
}

function formatOf(text: string): PatchFormat {
  if (text.trimStart().startsWith("*** ")) return "v4a";
  return holdsSearchReplace(text) ? "search_replace" : "unified";
}

function read(format: PatchFormat, text: string, path: string | undefined): FilePatch[] {
  if (format === "v4a") return parseV4aPatch(text);
  if (format === "search_replace") return parseSearchReplace(text, path);
  const hasFiles = /^(?:diff --git |--- )/m.test(text);
  if (!hasFiles && path !== undefined && /^@@/m.test(text)) return parseBareHunks(text, path);
  const files = parseUnifiedDiff(text);
  if (files.length === 0) {
    throw new AccessError("patch_malformed", {
      detail: "It is no unified diff, no *** Begin Patch and no search/replace block.",
    });
  }
  return files;
}

function named(files: FilePatch[], path: string | undefined): FilePatch[] {
  if (path === undefined) return files;
  const [only, another] = files;
  if (another !== undefined) {
    throw new AccessError("patch_malformed", { detail: "A path was given, but the patch is about several files." });
  }
  return only === undefined ? [] : [{ ...only, path }];
}

function isEmpty(file: FilePatch): boolean {
  if (file.kind !== "update") return false;
  const changes = file.hunks.some(({ lines }) => lines.some(({ kind }) => kind !== "context"));
  return !changes && file.moveTo === undefined;
}
