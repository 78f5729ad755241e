import * as z from "zod";
import type { ToolDefinition } from "./tool-definition.ts";

const path = z
  .string()
  .max(4_095)
  .describe("Path of a file, relative to the project's root, with / between its parts.");
const filePath = path.min(1);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const line = z.int().min(1).max(100_000_000);
const globs = z
  .array(z.string().min(1).max(1_000))
  .max(100)
  .describe("Patterns in gitignore syntax; one with ! in front leaves files out.");
const versionId = z.string().regex(/^ver_[0-9A-HJKMNP-TV-Z]{26}$/);
const baseHash = sha256
  .optional()
  .describe("Hash of the content the edit was made against; taken from this session's reads when left out.");

/** The tools a language model has for a project's files. A name is part of the protocol: it may be added, never renamed. */
export const fileTools = {
  list_files: {
    title: "List files",
    description:
      "Files under a folder, with size, kind (doc, config, code, test, data, image) and sensitivity. Files that .gitignore names are left out and not counted. Entry documents come first when the whole project is listed.",
    input: z.strictObject({
      path: path.default("").describe("Folder to list; the whole project when left out."),
      globs: globs.optional(),
      tags: z
        .array(z.enum(["doc", "config", "code", "test", "data", "image"]))
        .max(6)
        .optional()
        .describe("Only files of these kinds."),
      limit: z.int().min(1).max(5_000).default(200),
      after: path.optional().describe("Last path of the page before."),
    }),
    access: "read",
    idempotent: true,
    examples: [{}, { path: "src", tags: ["code"], limit: 50 }],
  },
  read_file: {
    title: "Read a file",
    description:
      "A whole file, or a page of it by characters when it is long. When this session has read the file before, only what has changed since is given, unless full is set.",
    input: z.strictObject({
      path: filePath,
      startChar: z.int().min(0).max(1_000_000_000).default(0).describe("Where the page begins."),
      maxChars: z
        .int()
        .min(1)
        .max(1_000_000)
        .optional()
        .describe("Length of the page; the backend's limit when left out."),
      full: z.boolean().default(false).describe("Give the text even if this session has read it already."),
    }),
    access: "read",
    idempotent: true,
    examples: [{ path: "README.md" }, { path: "dist/app.min.js", startChar: 20_000, maxChars: 4_000 }],
  },
  read_lines: {
    title: "Read lines",
    description: "A range of lines, with the hashes of the file and of the range, which an edit of it may name.",
    input: z.strictObject({ path: filePath, startLine: line, endLine: line.describe("Last line, inclusive.") }),
    access: "read",
    idempotent: true,
    examples: [{ path: "src/main.ts", startLine: 40, endLine: 80 }],
  },
  get_excerpt: {
    title: "Excerpt of a file",
    description:
      "The beginning of a file and its outline (headings, declarations with line numbers), in so many lines.",
    input: z.strictObject({ path: filePath, maxLines: z.int().min(5).max(2_000).default(80) }),
    access: "read",
    idempotent: true,
    examples: [{ path: "src/main.ts" }, { path: "docs/guide.md", maxLines: 40 }],
  },
  grep_files: {
    title: "Search in files",
    description:
      "Lines that hold a text, or match an RE2 regular expression, with lines around them. Not searched, and not counted: ignored and binary files, lists of passwords, files that cannot be looked at as a whole for credentials.",
    input: z.strictObject({
      pattern: z.string().min(1).max(10_000),
      regex: z.boolean().default(false),
      ignoreCase: z.boolean().default(false),
      paths: z.array(path).max(1_000).optional().describe("Only these files and folders."),
      globs: globs.optional(),
      contextLines: z.int().min(0).max(20).optional().describe("Lines around a match; the backend's when left out."),
      maxMatches: z.int().min(1).max(2_000).default(100),
    }),
    access: "read",
    idempotent: true,
    examples: [
      { pattern: "TODO" },
      { pattern: "export (async )?function", regex: true, globs: ["*.ts"], maxMatches: 20 },
    ],
  },
  search_content: {
    title: "Search by content",
    description:
      'Passages that are about some words, best first, each with path, heading, lines and score, from an index of the project on this device; files that say the same are named once. Words are found in any form and order; "in quotes" as they stand, -without, kind:pdf. Ask this first, then read around what it finds. What the index does not hold yet, grep_files finds.',
    input: z.strictObject({
      query: z.string().min(1).max(4_000).describe("Words, or a question."),
      limit: z.int().min(1).max(30).default(5).describe("Files at most; up to two passages of each."),
    }),
    access: "read",
    idempotent: true,
    examples: [{ query: "when does the lease end" }, { query: '"notice period" kind:pdf', limit: 3 }],
  },
  write_file: {
    title: "Write a file",
    description:
      "The whole content of a file. truncate replaces or makes it, append adds to its end, create only makes it. A file that is there must have been read in this session, or baseHash given. Encoding, byte order mark and line endings of a file that is there are kept.",
    input: z.strictObject({
      path: filePath,
      content: z.string().max(10_000_000),
      mode: z.enum(["truncate", "append", "create"]).default("truncate"),
      baseHash,
    }),
    access: "write",
    idempotent: false,
    examples: [{ path: "notes/today.md", content: "# Today\n", mode: "create" }],
  },
  apply_patch: {
    title: "Apply a patch",
    description:
      "Edits of one or several files, all or none: a unified diff, a V4A patch (*** Begin Patch) or search/replace blocks. The lines an edit names must be in the file exactly once, but for white space and typographic punctuation; otherwise it is refused with the places it could mean. Nothing outside the edited lines changes.",
    input: z.strictObject({
      patch: z.string().min(1).max(10_000_000),
      path: filePath.optional().describe("The one file the patch is about, when it does not say so itself."),
      format: z.enum(["unified", "v4a", "search_replace"]).optional().describe("Told by the patch when left out."),
      baseHash,
      baseRange: z
        .strictObject({ startLine: line, endLine: line, hash: sha256 })
        .optional()
        .describe("Lines the edit was made against, as read_lines gave them: others may have changed."),
      onConflict: z
        .enum(["report", "propose_merge"])
        .default("report")
        .describe(
          "propose_merge lets the review model propose a merge, which is applied only when a person approves it.",
        ),
      dryRun: z.boolean().default(false).describe("Say what would change, change nothing."),
    }),
    access: "write",
    idempotent: false,
    examples: [
      {
        patch:
          "*** Begin Patch\n*** Update File: src/main.ts\n@@\n-const port = 80;\n+const port = 8080;\n*** End Patch\n",
      },
      {
        path: "src/main.ts",
        patch: "<<<<<<< SEARCH\nconst port = 80;\n=======\nconst port = 8080;\n>>>>>>> REPLACE\n",
      },
    ],
  },
  get_diff: {
    title: "Show a difference",
    description:
      "A unified diff between two versions of a file; without v2 up to the file as it is now, without v1 from the version before the last change.",
    input: z.strictObject({ path: filePath, v1: versionId.optional(), v2: versionId.optional() }),
    access: "read",
    idempotent: true,
    examples: [{ path: "src/main.ts" }, { path: "src/main.ts", v1: "ver_01HZX5J9R3K7M2N4P6Q8S0T1V2" }],
  },
  file_history: {
    title: "History of a file",
    description:
      "Versions of a file that are kept, newest first: when, by whom, with which tool, hashes before and after.",
    input: z.strictObject({ path: filePath, limit: z.int().min(1).max(1_000).default(20) }),
    access: "read",
    idempotent: true,
    examples: [{ path: "src/main.ts", limit: 5 }],
  },
  summarize_file: {
    title: "Summarise a file",
    description: "A short summary of a file, kept until its content changes; made from the text without credentials.",
    input: z.strictObject({ path: filePath, maxTokens: z.int().min(20).max(2_000).default(200) }),
    access: "read",
    idempotent: true,
    examples: [{ path: "src/main.ts", maxTokens: 120 }],
  },
  rollback: {
    title: "Roll a file back",
    description: "Brings a file back to one of its versions. That is a version as well, so it can be undone.",
    input: z.strictObject({ path: filePath, versionId, baseHash }),
    access: "write",
    idempotent: true,
    examples: [{ path: "src/main.ts", versionId: "ver_01HZX5J9R3K7M2N4P6Q8S0T1V2" }],
  },
  record_changes: {
    title: "Record changes made outside",
    description:
      "Takes into the history what other programs have changed since: of the files named, or of all that have a history. Each becomes a version, so that it can be seen with get_diff and come back with rollback. The files themselves are left alone.",
    input: z.strictObject({
      paths: z
        .array(filePath)
        .max(500)
        .optional()
        .describe("These files, also when they have no history yet; all with a history when left out."),
    }),
    access: "read",
    idempotent: true,
    examples: [{}, { paths: ["src/main.ts"] }],
  },
} as const satisfies Record<string, ToolDefinition>;

export type FileToolName = keyof typeof fileTools;
export type FileToolInput<T extends FileToolName> = z.output<(typeof fileTools)[T]["input"]>;

/** The names as a list, in the order of the docs. */
export const fileToolNames = Object.keys(fileTools) as [FileToolName, ...FileToolName[]];
