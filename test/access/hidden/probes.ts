import { createHash } from "node:crypto";
import { type FileToolName, fileTools } from "../../../events/agent-tools/file-tools.ts";

export const canary = "mango-canary-4711";
export const otherCanary = "quince-canary-0815";
const textOf = (word: string) =>
  ["NAME=plan", `SECRET=${word}`, "", "under it", ...Array.from({ length: 30 }, (_, at) => `${word} ${at}`), ""].join(
    "\n",
  );
/** What a prober guesses. */
export const guessed = textOf(canary);
/** The same of other words and another length. */
export const other = `${textOf(otherCanary)}more\n`;
export const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** What an answer would have to hold to tell something of the hidden file. */
export const traces = [
  canary,
  otherCanary,
  ...[guessed, other].map(hashOf),
  ...[guessed, other].map((text) => `${text.length} bytes`),
];

export interface Known {
  /** Ids of versions of the hidden file from when it could be read; made up where there are none. */
  readonly versions: readonly [string, string];
}

/** Calls of one tool about a hidden file. */
export interface Probes {
  /** About that file alone: the answer is the same whatever is in it, and whether or not it is there. */
  readonly aimed: readonly Readonly<Record<string, unknown>>[];
  /** About many files: the answer is the same whatever is in it. */
  readonly broad?: readonly Readonly<Record<string, unknown>>[];
}

const line = `SECRET=${canary}`;
const v4a = (...body: string[]) => ["*** Begin Patch", ...body, "*** End Patch", ""].join("\n");
const edit = ["@@", `-${line}`, "+SECRET=x"];
const git = (from: string, to: string, ...body: string[]) => [`diff --git a/${from} b/${to}`, ...body, ""].join("\n");
const block = (path: string, search: string) =>
  `${path}\n<<<<<<< SEARCH\n${search}\n=======\nSECRET=x\n>>>>>>> REPLACE\n`;

function patches(path: string): string[] {
  const hunk = ["@@ -2,1 +2,1 @@", `-${line}`, "+SECRET=x"];
  const whole = guessed.split("\n").slice(0, -1);
  return [
    v4a(`*** Update File: ${path}`, ...edit),
    v4a(`*** Update File: ${path}`, "@@", "-NAME=plan", "+NAME=x"),
    v4a(`*** Update File: ${path}`, "*** Move to: zz.md"),
    v4a(`*** Update File: ${path}`, "*** Move to: zz.md", ...edit),
    v4a(`*** Update File: ${path}`, "*** Move to: notes.md", ...edit),
    v4a(`*** Delete File: ${path}`),
    v4a(`*** Add File: ${path}`, "+x"),
    v4a("*** Update File: notes.md", "@@", "-second", "+2", `*** Update File: ${path}`, ...edit),
    v4a("*** Add File: zz.md", "+x", `*** Update File: ${path}`, "*** Move to: yy.md"),
    v4a("*** Update File: notes.md", `*** Move to: ${path}`),
    v4a("*** Delete File: notes.md", `*** Add File: ${path}`, "+x"),
    git(path, path, `--- a/${path}`, `+++ b/${path}`, ...hunk),
    git(path, "zz.md", "similarity index 100%", `rename from ${path}`, "rename to zz.md"),
    git(path, "zz.md", `rename from ${path}`, "rename to zz.md", `--- a/${path}`, "+++ b/zz.md", ...hunk),
    git("notes.md", "zz.md", `rename from ${path}`, "rename to zz.md"),
    git(path, path, "deleted file mode 100644", `--- a/${path}`, "+++ /dev/null"),
    git(
      path,
      path,
      `--- a/${path}`,
      "+++ /dev/null",
      `@@ -1,${whole.length} +0,0 @@`,
      ...whole.map((each) => `-${each}`),
    ),
    git(path, path, "new file mode 100644", "--- /dev/null", `+++ b/${path}`, "@@ -0,0 +1,1 @@", "+x"),
    [`--- a/${path}`, "+++ b/zz.md", ...hunk, ""].join("\n"),
    block(path, line),
    block(path, "NAME=plan"),
    block(path, ""),
  ];
}

const applyPatchProbes = (path: string) => [
  ...patches(path).map((patch) => ({ patch })),
  { patch: ["@@", `-${line}`, "+SECRET=x", ""].join("\n"), path },
  ...patches(path).map((patch) => ({ patch, onConflict: "propose_merge" })),
  { patch: v4a(`*** Update File: ${path}`, ...edit), baseHash: hashOf(guessed) },
  { patch: v4a(`*** Delete File: ${path}`), baseHash: hashOf(guessed) },
  { patch: v4a("*** Update File: notes.md", ...edit), baseHash: hashOf(guessed) },
  {
    patch: v4a(`*** Update File: ${path}`, ...edit),
    baseRange: { startLine: 2, endLine: 2, hash: hashOf(`${line}\n`) },
  },
];

/** Every tool there is has a row here: a new one without does not compile, and fails the test of the registry. */
export const probesOf: Readonly<Record<FileToolName, (path: string, known: Known) => Probes>> = {
  list_files: (path) => ({
    aimed: [{ path }, { path: `${path}/` }, { path: `${path}/x` }],
    broad: [{}, { globs: [path] }, { globs: [path.slice(0, -2).concat("*")] }, { limit: 1 }, { tags: ["data"] }],
  }),
  read_file: (path) => ({
    aimed: [{ path }, { path, full: true }, { path, startChar: 12, maxChars: 20 }, { path: `${path}/x` }],
  }),
  read_lines: (path) => ({
    aimed: [
      { path, startLine: 1, endLine: 2 },
      { path, startLine: 35, endLine: 35 },
      { path, startLine: 36, endLine: 3_000 },
    ],
  }),
  get_excerpt: (path) => ({ aimed: [{ path }, { path, maxLines: 5 }] }),
  grep_files: (path) => ({
    aimed: [
      { pattern: canary, paths: [path] },
      { pattern: ".", regex: true, paths: [path, "notes.md"] },
    ],
    broad: [
      { pattern: canary },
      { pattern: canary, contextLines: 5, ignoreCase: true },
      { pattern: `${canary}|visible|second`, regex: true, maxMatches: 1 },
      { pattern: `${canary}|visible|second`, regex: true, maxMatches: 2 },
      { pattern: "SECRET", globs: [path] },
    ],
  }),
  // Without an index it knows nothing; test/device/knowledge asks it with one.
  search_content: (path) => ({ aimed: [], broad: [{ query: canary }, { query: path }] }),
  write_file: (path) => ({
    aimed: (["truncate", "append", "create"] as const).flatMap((mode) => [
      { path, content: "x\n", mode },
      { path, content: guessed, mode },
      { path, content: "x\n", mode, baseHash: hashOf(guessed) },
    ]),
  }),
  apply_patch: (path) => ({ aimed: applyPatchProbes(path) }),
  get_diff: (path, { versions: [v1, v2] }) => ({
    aimed: [{ path }, { path, v1 }, { path, v1, v2 }, { path: "notes.md", v1 }, { path: "zz.md", v1, v2 }],
  }),
  file_history: (path) => ({ aimed: [{ path }] }),
  summarize_file: (path) => ({ aimed: [{ path }, { path, maxTokens: 50 }] }),
  rollback: (path, { versions: [v1] }) => ({
    aimed: [
      { path, versionId: v1 },
      { path, versionId: v1, baseHash: hashOf(guessed) },
      { path: "notes.md", versionId: v1 },
      { path: "zz.md", versionId: v1 },
    ],
  }),
  record_changes: (path) => ({ aimed: [{ paths: [path] }, { paths: ["notes.md", path] }], broad: [{}] }),
};

/** Each call with and without dry run, where the tool has one. */
export function withDryRuns(
  tool: FileToolName,
  calls: readonly Readonly<Record<string, unknown>>[],
): Readonly<Record<string, unknown>>[] {
  if (!("dryRun" in fileTools[tool].input.shape)) return [...calls];
  return calls.flatMap((args) => [args, { ...args, dryRun: true }]);
}
