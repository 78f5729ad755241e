import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { FileChange } from "../changes/change-applier.ts";
import { sensitivityOf } from "../policy/sensitivity.ts";
import { saidBySystem } from "../said-by-system.ts";
import { type Git, gitIn } from "./git-program.ts";
import { NotCommitted } from "./not-committed.ts";
import { headOf, type Repository, repositoryAt } from "./repository.ts";

/** A git of the person's holds the index for milliseconds; one that was killed has left it locked for good, and is not waited for long. */
const mostTries = 5;
const betweenTriesMs = 100;

/** A change that was made, and by whom. */
export interface MadeChange {
  readonly changes: readonly FileChange[];
  readonly caller: string;
  readonly session: string;
  readonly tool: string;
  readonly versionIds: readonly string[];
}

/** Notes changes elsewhere as well. MUST NOT fail for what it cannot do: the change is made, and that is said. */
export interface ChangeRecorder {
  /** @returns a sentence for the caller */
  record(change: MadeChange): Promise<string | undefined>;
}

/** An entry of git's index; null: none. */
interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** A file as it is to be committed, and as the index and the newest commit have it: the same. */
interface Staged {
  readonly path: string;
  readonly before: Entry | null;
  readonly after: Entry | null;
}

/**
 * Commits every change to the git repository whose top the project is: exactly the files that were changed, with the bytes that
 * were written.
 *
 *     blobs ──▶ tree in an index of our own ──▶ commit ──▶ those files in the person's index ──▶ branch moved (compare-and-swap)
 *
 * What else the person has staged stays staged. Killed before the last step, the change is merely staged. Where the person's own git is
 * at work just then, it is tried again.
 *
 * @param root absolute, links resolved
 */
export function gitCommits(root: string): ChangeRecorder {
  return {
    async record(made) {
      for (let tries = 1; ; tries++) {
        try {
          return await committed(gitIn(root), root, made);
        } catch (error) {
          if (!(error instanceof NotCommitted)) return notMade(error);
          if (!error.isPassing || tries === mostTries) return `Not committed to git. ${error.message}`;
          await setTimeout(betweenTriesMs);
        }
      }
    },
  };
}

/** The disk has no room for the index of our own, say. @throws what the system has not said */
function notMade(error: unknown): string {
  const said = saidBySystem(error);
  if (said.length === 0) throw error;
  return `Not committed to git. ${said.join(" ")}`;
}

/** A sentence for the caller. @throws NotCommitted */
async function committed(git: Git, root: string, made: MadeChange): Promise<string | undefined> {
  const repository = await repositoryAt(git, root);
  const { staged, left } = await stagedFiles(git, repository, made.changes);
  if (staged.length === 0) return left.length === 0 ? undefined : `Not committed to git: ${left.join(" ")}`;
  const id = await commit(git, repository, staged, messageOf(made));
  return [`Committed to git as ${id.slice(0, 12)}.`, ...left].join(" ");
}

/** Which of the files can be committed, and why the others are not. @throws NotCommitted */
async function stagedFiles(
  git: Git,
  { root, head }: Repository,
  changes: readonly FileChange[],
): Promise<{ staged: Staged[]; left: string[] }> {
  const staged: Staged[] = [];
  const left: string[] = [];
  for (const { path, before, after } of changes) {
    await refuseWithin(git, root, path);
    const inIndex = await indexEntry(git, path);
    const inHead = head === null ? null : await treeEntry(git, head, path);
    if (inIndex?.id !== inHead?.id || inIndex?.mode !== inHead?.mode) {
      throw new NotCommitted(`${path} has been staged by you; commit it with the rest of that.`);
    }
    const isTracked = inHead !== null;
    const why = isTracked ? undefined : await whyUntracked(git, path);
    if (why !== undefined) {
      left.push(`${path} ${why}.`);
      continue;
    }
    if (after === null && !isTracked) continue;
    const mode = (after?.mode ?? before?.mode ?? 0o644) & 0o111 ? "100755" : "100644";
    const entry = after === null ? null : { mode, id: await blobOf(git, path, after.bytes) };
    if (entry?.id === inHead?.id && entry?.mode === inHead?.mode) continue;
    staged.push({ path, before: inIndex, after: entry });
  }
  return { staged, left };
}

/** A folder with a repository of its own, a submodule above all, is one entry of this one, which a file in it would replace. */
async function refuseWithin(git: Git, root: string, path: string): Promise<void> {
  const above = path
    .split("/")
    .slice(0, -1)
    .map((_, at, all) => all.slice(0, at + 1).join("/"));
  if (above.length === 0) return;
  const entries = said(await git(["ls-files", "-s", "-z", "--", ...above])).split("\0");
  const own = above.find(
    (each) => existsSync(join(root, each, ".git")) || entries.some((entry) => entry.endsWith(`\t${each}`)),
  );
  if (own !== undefined) throw new NotCommitted(`${own} is a repository of its own; commit ${path} there.`);
}

/** A file git does not know is not made known to it against the person's own rules. */
async function whyUntracked(git: Git, path: string): Promise<string | undefined> {
  const asked = await git(["check-ignore", "-q", "--no-index", "--", `./${path}`], { takesPathspecs: false });
  if (asked.code === 0) return "is ignored by git, so it was left out";
  // 1: it is not. Anything else: a path git does not take, in a submodule.
  if (asked.code !== 1) said(asked);
  return sensitivityOf(path) === "secret" ? "may hold credentials and is new to git, so it was left out" : undefined;
}

/** Stores content as git would, its line ends included. A filter would be a program of the repository's. */
async function blobOf(git: Git, path: string, bytes: Uint8Array): Promise<string> {
  const asked = await git(["check-attr", "-z", "filter", "--", path]);
  const value = asked.stdout.split("\0")[2] ?? "";
  if (value !== "unspecified" && value !== "unset" && value !== "set") {
    throw new NotCommitted(
      `${path} goes through the filter ${JSON.stringify(value)}, a program that is not run for this; commit it yourself.`,
    );
  }
  return said(await git(["hash-object", "-w", "--stdin", "--path", path], { input: bytes }));
}

/** @returns the commit's id */
async function commit(
  git: Git,
  { branch, head, noId }: Repository,
  staged: readonly Staged[],
  message: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "scouts-git-"));
  try {
    const index = join(folder, "index");
    said(await git(head === null ? ["read-tree", "--empty"] : ["read-tree", head], { index }));
    said(await git(["update-index", "-z", "--index-info"], { index, input: indexInfo(staged, "after", noId) }));
    const tree = said(await git(["write-tree"], { index }));
    const parents = head === null ? [] : ["-p", head];
    const id = said(await git(["commit-tree", tree, ...parents, "-F", "-"], { input: message }));
    said(await git(["update-index", "-z", "--index-info"], { input: indexInfo(staged, "after", noId) }));
    const moved = await git(["update-ref", "-m", "scouts: change", branch, id, head ?? noId]);
    if (moved.code === 0) return id;
    await unstage(git, staged, noId);
    throw new NotCommitted("The branch has moved meanwhile.", { isPassing: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * What was staged for a commit that was not made is as the branch has it now. A commit of the person's that came between may have taken
 * it along: as it was before, it would stand in the index as a change that takes it back, and in their next commit.
 */
async function unstage(git: Git, staged: readonly Staged[], noId: string): Promise<void> {
  const head = await headOf(git);
  const back: Staged[] = [];
  for (const { path, after } of staged) {
    const inIndex = await indexEntry(git, path);
    if (inIndex?.id !== after?.id || inIndex?.mode !== after?.mode) continue;
    back.push({ path, before: head === null ? null : await treeEntry(git, head, path), after });
  }
  said(await git(["update-index", "-z", "--index-info"], { input: indexInfo(back, "before", noId) }));
}

/** For `git update-index -z --index-info`. */
const indexInfo = (staged: readonly Staged[], side: "before" | "after", noId: string): string =>
  staged.map(({ path, [side]: entry }) => `${entry?.mode ?? "0"} ${entry?.id ?? noId}\t${path}\0`).join("");

async function indexEntry(git: Git, path: string): Promise<Entry | null> {
  const lines = said(await git(["ls-files", "-s", "-z", "--", path])).split("\0");
  const [entry, another] = lines.filter((line) => line.endsWith(`\t${path}`));
  if (another !== undefined) throw new NotCommitted(`${path} is in conflict; settle that first.`);
  const [mode, id] = entry?.split(/[ \t]/) ?? [];
  return mode === undefined || id === undefined ? null : { mode, id };
}

async function treeEntry(git: Git, commitId: string, path: string): Promise<Entry | null> {
  const entry = said(await git(["ls-tree", "-z", "--full-tree", commitId, "--", path])).split("\0")[0] ?? "";
  const [mode, , id] = entry.split(/[ \t]/);
  return mode === undefined || mode === "" || id === undefined ? null : { mode, id };
}

/** Who did it stands in trailers (git-interpret-trailers(1)); names of programs come from them and have one line here. */
function messageOf({ changes, caller, session, tool, versionIds }: MadeChange): string {
  const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 200);
  const paths = changes.map(({ path }) => oneLine(path));
  const [first = "", ...others] = paths;
  const subject = others.length === 0 ? `Change ${first}` : `Change ${first} and ${others.length} more`;
  const trailers = [
    `Scouts-Caller: ${oneLine(caller)}`,
    `Scouts-Session: ${oneLine(session)}`,
    `Scouts-Tool: ${oneLine(tool)}`,
    ...versionIds.map((id) => `Scouts-Version: ${id}`),
  ];
  const body = others.length === 0 ? [] : [paths.map((path) => `- ${path}`).join("\n"), ""];
  return `${[subject.slice(0, 100), "", ...body, ...trailers].join("\n")}\n`;
}

/** What a step of git's answered. @throws NotCommitted with git's own words */
function said({
  code,
  stdout,
  stderr,
}: {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}): string {
  if (code === 0) return stdout.trim();
  const words = stderr.trim().split("\n")[0]?.slice(0, 300);
  // Locked between the look at it and this step.
  const isPassing = stderr.includes("index.lock': File exists");
  throw new NotCommitted(`git says: ${words === "" ? `code ${code}` : words}`, { isPassing });
}
