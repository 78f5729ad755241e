import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Git } from "./git-program.ts";
import { NotCommitted } from "./not-committed.ts";

/** A repository that a commit can be made in now. */
export interface Repository {
  /** Its top folder, which is the project. */
  readonly root: string;
  /** The branch, as a full reference: `refs/heads/main`. */
  readonly branch: string;
  /** Its newest commit; null: it has none yet. */
  readonly head: string | null;
  /** The id of nothing, as long as ids are in it. */
  readonly noId: string;
}

/** What git leaves in its folder while something of several steps is going on. */
const unfinished = [
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["BISECT_LOG", "a bisection"],
] as const;

/**
 * Looks whether a folder is the top of a repository of its own in which a commit may be made now.
 *
 * @param root absolute, links resolved
 * @throws NotCommitted
 */
export async function repositoryAt(git: Git, root: string): Promise<Repository> {
  const found = await git(["rev-parse", "--show-toplevel", "--absolute-git-dir"]);
  const [top = "", folder = ""] = found.stdout.split("\n");
  if (found.code !== 0) {
    const isForeign = found.stderr.includes("dubious ownership");
    throw new NotCommitted(
      isForeign
        ? "The repository belongs to another user of this machine; git does not work in it (safe.directory)."
        : "The folder is no git repository.",
    );
  }
  if (top === "" || realpathSync(top) !== root)
    throw new NotCommitted("The folder is not the top of its git repository.");
  if (!(await isOwn(git, root, folder))) {
    throw new NotCommitted("Its .git leads to a repository elsewhere that knows nothing of this folder.");
  }
  const going = unfinished.find(([name]) => existsSync(join(folder, name)));
  if (going !== undefined) throw new NotCommitted(`In the repository ${going[1]} is going on; finish it first.`);
  const index = await git(["rev-parse", "--git-path", "index.lock"]);
  if (existsSync(resolve(root, index.stdout.trim()))) {
    const why = "The index is locked: another git works there, or one was killed and left index.lock.";
    throw new NotCommitted(why, { isPassing: true });
  }
  const branch = (await git(["symbolic-ref", "-q", "HEAD"])).stdout.trim();
  if (!branch.startsWith("refs/heads/")) throw new NotCommitted("No branch is checked out (detached HEAD).");
  const format = (await git(["rev-parse", "--show-object-format"])).stdout.trim();
  return {
    root,
    branch,
    head: await headOf(git),
    noId: "0".repeat(format === "sha256" ? 64 : 40),
  };
}

/** The newest commit of what is checked out; null: there is none yet. @throws NotCommitted */
export async function headOf(git: Git): Promise<string | null> {
  const head = await git(["rev-parse", "-q", "--verify", "HEAD^{commit}"]);
  return head.code === 0 ? head.stdout.trim() : null;
}

/** Whether a `.git` that is a file was made by git for this folder: then its repository names the folder as well. */
async function isOwn(git: Git, root: string, folder: string): Promise<boolean> {
  const link = join(root, ".git");
  if (statSync(link, { throwIfNoEntry: false })?.isDirectory() === true)
    return realpathSync(link) === realpathSync(folder);
  const back = join(folder, "gitdir");
  // A linked worktree (gitrepository-layout(5)).
  if (existsSync(back)) return samePlace(readFileSync(back, "utf8").trim(), link, folder);
  // A submodule.
  const worktree = (await git(["config", "--local", "core.worktree"])).stdout.trim();
  return worktree !== "" && samePlace(worktree, root, folder);
}

function samePlace(named: string, place: string, from: string): boolean {
  const path = isAbsolute(named) ? named : resolve(from, named);
  return (
    existsSync(path) &&
    realpathSync(dirname(path)) === realpathSync(dirname(place)) &&
    realpathSync(path) === realpathSync(place)
  );
}
