import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { gitCommits } from "../../device/access/commits/git-commits.ts";
import { FileAccess } from "../../device/access/file-access.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { setVariables } from "../environment.ts";
import { memoryAccessStore } from "../memory/access-store.ts";
import { quick } from "../rounds.ts";
import { temporaryFolder } from "./setting.ts";

const person = { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org" };
const committer = { GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org" };

/** `git` as the person runs it. */
function git(root: string, ...words: string[]): string {
  const environment = { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1", ...person, ...committer };
  return execFileSync("git", words, {
    cwd: root,
    env: environment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

let template: string;
// Making a repository takes git three times, copying it not once.
beforeAll(() => {
  template = mkdtempSync(join(tmpdir(), "repository-"));
  git(template, "init", "-q", "-b", "main");
  git(template, "config", "user.name", "Ada");
  git(template, "config", "user.email", "ada@example.org");
  return () => rmSync(template, { recursive: true });
});

function emptyRepository(): string {
  const root = temporaryFolder();
  cpSync(template, root, { recursive: true });
  return root;
}

/** A repository with one commit of these files, and file access that commits. */
async function repository(files: Readonly<Record<string, string>> = { "a.txt": "a\n", "b.txt": "b\n" }) {
  const root = emptyRepository();
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  return at(root);
}

async function at(root: string) {
  const store = memoryAccessStore();
  const files = new FsProjectFiles(root, { durable: false });
  const recorder = gitCommits(root);
  const approver = { approve: async () => true };
  const access = new FileAccess({ ...systemTimeAndIds, files, store, recorder, approver });
  await access.recover();
  const session = access.openSession({ caller: "mcp:example/1.0\nScouts-Caller: somebody else" });
  return {
    root,
    /** @returns what the caller is told */
    async write(path: string, content: string): Promise<string> {
      if (existsSync(join(root, path))) await access.call(session, "read_file", { path, full: true });
      const outcome = await access.call(session, "write_file", { path, content });
      if (!outcome.ok) return outcome.error.message;
      expect(readFileSync(join(root, path), "utf8")).toBe(content);
      return "message" in outcome.result ? outcome.result.message : "";
    },
    patch: (patch: string) => access.call(session, "apply_patch", { patch }),
    commits: () => Number(git(root, "rev-list", "--count", "HEAD")),
  };
}

test("a change is one commit of exactly its files, with caller and session, and nothing is left to commit", async () => {
  const { root, write, patch, commits } = await repository();
  expect(await write("a.txt", "A\n")).toMatch(/Committed to git as [0-9a-f]{12}/);
  expect(commits()).toBe(2);
  expect(git(root, "show", "--stat", "--format=%an", "HEAD")).toMatch(/^Ada\n\n a\.txt \| 2 \+-\n 1 file changed/);
  const trailers = git(root, "show", "-s", "--format=%(trailers:key=Scouts-Caller,valueonly)", "HEAD").trim();
  expect(trailers).toBe("mcp:example/1.0 Scouts-Caller: somebody else");
  expect(git(root, "show", "-s", "--format=%B", "HEAD")).toMatch(
    /Scouts-Session: acs_\w+\nScouts-Tool: write_file\nScouts-Version: ver_/,
  );
  expect(git(root, "status", "--porcelain")).toBe("");
  const moved = "*** Begin Patch\n*** Update File: b.txt\n*** Move to: c/d.txt\n@@\n-b\n+B\n*** End Patch";
  expect(await patch(moved)).toMatchObject({ ok: true });
  expect(git(root, "show", "--name-status", "-M10", "--format=", "HEAD").trim().split("\n").sort()).toEqual([
    "A\tc/d.txt",
    "D\tb.txt",
  ]);
  expect(git(root, "status", "--porcelain")).toBe("");
  expect(git(root, "fsck", "--strict")).toBe("");
});

test.skipIf(quick)("what the person has staged stays staged, and is in no commit of ours", async () => {
  const { root, write } = await repository();
  writeFileSync(join(root, "b.txt"), "staged\n");
  writeFileSync(join(root, "new.txt"), "new\n");
  git(root, "add", "b.txt", "new.txt");
  writeFileSync(join(root, "b.txt"), "and changed since\n");
  const before = [git(root, "diff", "--cached"), git(root, "diff")];
  expect(await write("a.txt", "A\n")).toContain("Committed to git");
  expect([git(root, "diff", "--cached"), git(root, "diff")]).toEqual(before);
  expect(git(root, "show", "--name-only", "--format=", "HEAD")).toBe("a.txt\n");
  expect(await write("b.txt", "mine\n")).toContain("b.txt has been staged by you");
  expect(git(root, "show", ":b.txt")).toBe("staged\n");
});

test.skipIf(quick)("the first commit of a repository, new files, modes, and line ends as git wants them", async () => {
  const root = emptyRepository();
  writeFileSync(join(root, ".gitattributes"), "*.txt text=auto\n");
  writeFileSync(join(root, "run.sh"), "#!/bin/sh\n");
  chmodSync(join(root, "run.sh"), 0o755);
  const { write } = await at(root);
  expect(await write("crlf.txt", "one\r\ntwo\r\n")).toContain("Committed to git");
  expect(git(root, "cat-file", "blob", "HEAD:crlf.txt")).toBe("one\ntwo\n");
  expect(await write("run.sh", "#!/bin/sh\necho\n")).toContain("Committed to git");
  expect(git(root, "ls-tree", "HEAD", "run.sh")).toMatch(/^100755 /);
  expect(git(root, "status", "--porcelain").trim()).toBe("?? .gitattributes");
});

describe("a hostile repository runs nothing", () => {
  test("hooks, fsmonitor, pager, editor, gpg, ssh, credential helpers, external diffs, filters, remotes", async () => {
    const { root, write, commits } = await repository({ "a.txt": "a\n", "big.bin": "x\n", "made.txt": "m\n" });
    const ran = join(root, "..", `ran-${root.split("/").at(-1)}`);
    onTestFinished(() => rmSync(ran, { force: true }));
    const program = join(root, "evil.sh");
    writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> '${ran}'\ncat\n`);
    chmodSync(program, 0o755);
    for (const hook of [
      "pre-commit",
      "commit-msg",
      "prepare-commit-msg",
      "post-commit",
      "reference-transaction",
      "post-index-change",
      "update",
      "post-checkout",
      "fsmonitor-watchman",
    ]) {
      writeFileSync(join(root, ".git", "hooks", hook), `#!/bin/sh\necho ${hook} >> '${ran}'\n`);
      chmodSync(join(root, ".git", "hooks", hook), 0o755);
    }
    const settings = {
      "core.fsmonitor": program,
      "core.hooksPath": join(root, ".git", "hooks"),
      "core.pager": program,
      "core.editor": program,
      "core.askPass": program,
      "core.sshCommand": program,
      "core.gitProxy": program,
      "core.alternateRefsCommand": program,
      "credential.helper": `!${program}`,
      "diff.external": program,
      "commit.gpgSign": "true",
      "gpg.program": program,
      "filter.evil.clean": program,
      "filter.evil.smudge": program,
      "filter.evil.process": program,
      "diff.evil.textconv": program,
      "merge.evil.driver": program,
      "alias.update-index": `!${program}`,
      "alias.rev-parse": `!${program}`,
      "protocol.ext.allow": "always",
      "remote.origin.url": `ext::${program}`,
      "remote.origin.promisor": "true",
      "remote.origin.uploadpack": program,
      "extensions.partialClone": "origin",
      "gc.auto": "1",
    };
    for (const [name, value] of Object.entries(settings)) git(root, "config", name, value);
    rmSync(ran, { force: true });
    writeFileSync(join(root, ".git", "info", "attributes"), "*.bin filter=evil diff=evil merge=evil\n");

    expect(await write("a.txt", "A\n")).toContain("Committed to git");
    expect(await write("big.bin", "Y\n")).toContain('goes through the filter "evil"');
    expect(existsSync(ran) ? readFileSync(ran, "utf8") : "").toBe("");
    expect(commits()).toBe(2);
    // An object that is not there is not asked for.
    const id = execFileSync("git", ["rev-parse", "HEAD^{tree}"], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] },
    }).trim();
    rmSync(join(root, ".git", "objects", id.slice(0, 2), id.slice(2)));
    expect(await write("made.txt", "M\n")).toContain("Not committed to git");
    expect(existsSync(ran) ? readFileSync(ran, "utf8") : "").toBe("");
  });

  test.skipIf(quick)(
    "a .git that leads to somebody else's repository, and a worktree elsewhere, are left alone",
    async () => {
      const victim = await repository();
      const head = git(victim.root, "rev-parse", "HEAD");
      const root = temporaryFolder();
      writeFileSync(join(root, ".git"), `gitdir: ${join(victim.root, ".git")}\n`);
      writeFileSync(join(root, "a.txt"), "a\n");
      expect(await (await at(root)).write("a.txt", "A\n")).toContain("knows nothing of this folder");
      git(victim.root, "config", "core.worktree", root);
      expect(await victim.write("a.txt", "A\n")).toContain("not the top of its git repository");
      git(victim.root, "config", "--unset", "core.worktree");
      expect(git(victim.root, "rev-parse", "HEAD")).toBe(head);
    },
  );

  test.skipIf(quick)("variables of git's in our own environment lead nowhere", async () => {
    const [mine, other] = [await repository(), await repository()];
    const head = git(other.root, "rev-parse", "HEAD");
    const gitDir = join(other.root, ".git");
    const putBack = setVariables({ GIT_DIR: gitDir, GIT_INDEX_FILE: join(gitDir, "index") });
    onTestFinished(putBack);
    expect(await mine.write("a.txt", "A\n")).toContain("Committed to git");
    putBack();
    expect([mine.commits(), git(other.root, "rev-parse", "HEAD")]).toEqual([2, head]);
  });
});

describe.skipIf(quick)("where no commit can be made the change is made, and it is said why", () => {
  test.each<[string, (root: string) => void, RegExp]>([
    ["a locked index", (root) => writeFileSync(join(root, ".git", "index.lock"), ""), /index is locked/],
    ["a detached head", (root) => void git(root, "checkout", "-q", "--detach"), /detached HEAD/],
    [
      "a merge",
      (root) => writeFileSync(join(root, ".git", "MERGE_HEAD"), git(root, "rev-parse", "HEAD")),
      /a merge is going on/,
    ],
    ["a rebase", (root) => mkdirSync(join(root, ".git", "rebase-merge")), /a rebase is going on/],
    ["no repository", (root) => rmSync(join(root, ".git"), { recursive: true }), /no git repository/],
    [
      "a locked branch",
      (root) => writeFileSync(join(root, ".git", "refs", "heads", "main.lock"), ""),
      /branch has moved/,
    ],
    ["a damaged repository", (root) => writeFileSync(join(root, ".git", "HEAD"), "nonsense"), /no git repository/],
  ])("%s", async (_, spoil, words) => {
    const { root, write } = await repository();
    const index = existsSync(join(root, ".git")) ? git(root, "ls-files", "-s") : "";
    spoil(root);
    expect(await write("a.txt", "A\n")).toMatch(words);
    rmSync(join(root, ".git", "index.lock"), { force: true });
    if (!/repository/.test(_)) expect(git(root, "ls-files", "-s")).toBe(index);
  });

  test("ignored files, and files with credentials that git does not know, are not made known to it", async () => {
    const { root, write } = await repository({ ".gitignore": "out/\n", "a.txt": "a\n" });
    expect(await write("out/x.txt", "x\n")).toContain("is ignored by git");
    expect(await write("deploy.pem", "key\n")).toContain("may hold credentials");
    expect(git(root, "ls-files")).toBe(".gitignore\na.txt\n");
  });

  test("a file of a submodule is not the project's to commit", async () => {
    const { root, write, commits } = await repository();
    const other = await repository();
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root, "sub");
    git(root, "commit", "-q", "-m", "submodule");
    expect(await write("sub/a.txt", "A\n")).toContain("Not committed to git");
    expect([commits(), git(root, "ls-files", "-s", "sub").split(" ")[0]]).toEqual([2, "160000"]);
    const within = await at(join(root, "sub"));
    expect(await within.write("b.txt", "B\n")).toContain("Committed to git");
  });

  test("a linked worktree commits to its own branch", async () => {
    const { root } = await repository();
    const tree = join(temporaryFolder(), "tree");
    git(root, "worktree", "add", "-q", "-b", "side", tree);
    expect(await (await at(tree)).write("a.txt", "A\n")).toContain("Committed to git");
    expect(git(root, "rev-list", "--count", "main", "--").trim()).toBe("1");
    expect(git(root, "rev-list", "--count", "side", "--").trim()).toBe("2");
  });

  test("git is not there", async () => {
    const { write } = await repository();
    const path = process.env["PATH"];
    onTestFinished(() => {
      process.env["PATH"] = path;
    });
    process.env["PATH"] = temporaryFolder();
    expect(await write("a.txt", "A\n")).toContain("git could not be started");
  });
});

describe.skipIf(process.platform === "win32")("while the person works in the repository as well", () => {
  /** A `git` that does something else first, once, when the branch is about to be moved. */
  function meanwhile(script: string): void {
    const folder = temporaryFolder();
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const lines = [
      `case " $* " in *" update-ref "*) if mkdir '${folder}/once' 2>/dev/null; then`,
      `(unset GIT_INDEX_FILE; ${script.replaceAll("git ", `${real} `)}) >/dev/null 2>&1`,
      `fi;; esac`,
      `exec ${real} "$@"`,
    ];
    writeFileSync(join(folder, "git"), `#!/bin/sh\n${lines.join("\n")}\n`);
    chmodSync(join(folder, "git"), 0o755);
    onTestFinished(setVariables({ PATH: `${folder}:${process.env["PATH"] ?? ""}` }));
  }

  const inHead = (root: string, path: string) => git(root, "show", `HEAD:${path}`);
  const state = (root: string) => [git(root, "diff", "--cached", "--name-only"), git(root, "status", "--porcelain")];

  test("a commit of theirs that comes between keeps the change from none: it is committed after it", async () => {
    const { root, write, commits } = await repository();
    writeFileSync(join(root, "b.txt"), "B\n");
    meanwhile("git commit -q -m theirs -- b.txt");
    expect(await write("a.txt", "A\n")).toContain("Committed to git as");
    expect([commits(), inHead(root, "a.txt"), inHead(root, "b.txt")]).toEqual([3, "A\n", "B\n"]);
    expect(state(root)).toEqual(["", ""]);
  });

  test("a commit of theirs that takes the change along leaves nothing staged that would take it back", async () => {
    const { root, write, commits } = await repository();
    meanwhile("git commit -q -m theirs");
    expect(await write("a.txt", "A\n")).not.toContain("Not committed");
    expect([commits(), inHead(root, "a.txt")]).toEqual([2, "A\n"]);
    expect(state(root)).toEqual(["", ""]);
    expect(await write("a.txt", "AA\n")).toContain("Committed to git as");
  });

  test("an index that they have locked for a moment is waited for", async () => {
    const { root, write } = await repository();
    const lock = join(root, ".git", "index.lock");
    writeFileSync(lock, "");
    // The first look at the lock is over when git is asked the next time.
    const folder = temporaryFolder();
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const script = `case " $* " in *" --git-path index.lock "*) mkdir '${folder}/seen' 2>/dev/null || rm -f '${lock}';; esac`;
    writeFileSync(join(folder, "git"), `#!/bin/sh\n${script}\nexec ${real} "$@"\n`);
    chmodSync(join(folder, "git"), 0o755);
    onTestFinished(setVariables({ PATH: `${folder}:${process.env["PATH"] ?? ""}` }));
    expect(await write("a.txt", "A\n")).toContain("Committed to git as");
  });
});

test("a disk that has no room for what a commit needs leaves the change made, and that is said", async () => {
  const { write, commits } = await repository();
  onTestFinished(setVariables({ TMPDIR: join(temporaryFolder(), "gone") }));
  expect(await write("a.txt", "A\n")).toMatch(/a\.txt: changed; Not committed to git\..*ENOENT/);
  expect(commits()).toBe(1);
});
