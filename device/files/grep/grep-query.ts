import { RE2JS } from "re2js";
import { ProjectFilesError } from "../errors.ts";
import type { GrepOptions } from "./grep-types.ts";
import { type Needle, needleOf } from "./needle.ts";
import { requiredLiteral } from "./required-literal.ts";
import { requiredShape } from "./required-shape.ts";

const maxPatternChars = 2_000;
/** RE2 instructions. `.{100}` has about a hundred; time per character can grow with them. */
const maxProgramSize = 400;

/** A search as plain data, so that it can be sent to a worker. */
export interface GrepQuery {
  pattern: string;
  syntax: "literal" | "regex";
  ignoreCase: boolean;
  contextLines: number;
  maxMatchesPerFile: number;
  maxFileBytes: number;
  maxLineChars: number;
}

/**
 * A search with every limit set: literal, by case, no lines around, 1,000 matches of a file, files of up to 64 MiB,
 * 2,000 characters of a line. The pattern is not looked at: see {@link compileQuery}.
 */
export function grepQuery(pattern: string, options: GrepOptions): GrepQuery {
  return {
    pattern,
    syntax: options.syntax ?? "literal",
    ignoreCase: options.ignoreCase ?? false,
    contextLines: Math.max(0, options.contextLines ?? 0),
    maxMatchesPerFile: options.maxMatchesPerFile ?? 1_000,
    maxFileBytes: options.maxFileBytes ?? 64 * 1024 * 1024,
    maxLineChars: options.maxLineChars ?? 2_000,
  };
}

/** A search made ready. RE2 has no backtracking, so every answer takes time linear in the text. */
export interface CompiledQuery {
  readonly query: GrepQuery;
  /** Bytes that every match contains; for a literal search they are the match. */
  readonly needle: Needle | undefined;
  /** The needle's bytes are the same in every charset. */
  readonly isAsciiNeedle: boolean;
  /** The literal in Latin-1, for files that are read so; only when it differs from `needle`. */
  readonly latin1Needle: Needle | undefined;
  /** What every match contains, without a needle; looked for in the text as Latin-1. */
  readonly shape: RegExp | undefined;
  /** Decides a line (without its ending); undefined for a case-sensitive literal. */
  readonly line: RE2JS | undefined;
  /** When it does not match a whole text with LF endings, no line of it matches. */
  readonly wholeText: RE2JS | undefined;
}

/** @throws PatternRefused: empty, spans lines, not RE2 syntax (look-around, back-references), or too big */
export function compileQuery(query: GrepQuery): CompiledQuery {
  const { pattern, syntax, ignoreCase } = query;
  if (pattern === "") throw refused("empty");
  if (pattern.length > maxPatternChars) throw refused(`longer than ${maxPatternChars} characters`);
  if (/[\n\r\0]/.test(pattern)) throw refused("line endings and NUL cannot match: the search goes line by line");
  if (!pattern.isWellFormed()) throw refused("not valid Unicode");
  if (syntax === "literal" && !ignoreCase) {
    const needle = Buffer.from(pattern);
    const fitsLatin1 = needle.length > pattern.length && /^[\u0020-\u00ff]*$/.test(pattern);
    return {
      query,
      needle: needleOf(needle),
      isAsciiNeedle: needle.length === pattern.length,
      latin1Needle: fitsLatin1 ? needleOf(Buffer.from(pattern, "latin1")) : undefined,
      shape: undefined,
      line: undefined,
      wholeText: undefined,
    };
  }
  const source = syntax === "literal" ? RE2JS.quote(pattern) : pattern;
  const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
  // Text anchors and switched-off flags mean another thing in a whole text than in a line.
  const needsLines = /\\[Az]|\(\?[a-zA-Z]*-/.test(source);
  const literal = ignoreCase ? undefined : requiredLiteral(source);
  return {
    query,
    needle: literal === undefined ? undefined : needleOf(Buffer.from(literal)),
    isAsciiNeedle: literal !== undefined,
    latin1Needle: undefined,
    shape: literal === undefined && !ignoreCase ? requiredShape(source) : undefined,
    line: compile(source, flags),
    wholeText: needsLines ? undefined : compile(source, flags | RE2JS.MULTILINE),
  };
}

function compile(source: string, flags: number): RE2JS {
  try {
    const compiled = RE2JS.compile(source, flags);
    if (compiled.programSize() <= maxProgramSize) return compiled;
  } catch (cause) {
    throw new ProjectFilesError("PatternRefused", {
      detail: `RE2 syntax: ${cause instanceof Error ? cause.message : "unknown"}`,
      cause,
    });
  }
  throw refused("its repetitions make it too large");
}

function refused(detail: string): ProjectFilesError {
  return new ProjectFilesError("PatternRefused", { detail });
}
