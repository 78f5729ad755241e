import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { openProject } from "../../device/access/open-project.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Screen } from "../device/screen.ts";
import { setting, temporaryFolder } from "./setting.ts";

const approver = { approve: async () => true };

/** A folder of so many small files. */
function folderOf(files: number): string {
  const root = temporaryFolder();
  mkdirSync(join(root, "notes"));
  for (let each = 0; each < files; each++) writeFileSync(join(root, "notes", `${each}.md`), `note ${each}\n`);
  return root;
}

test("a look at all files of a folder tells how far it is, ends when it is given up, and goes on from there", async () => {
  const [root, dataFolder] = [folderOf(600), temporaryFolder()];
  const given = new AbortController();
  const told: number[] = [];
  const onFile = (files: number) => {
    told.push(files);
    if (files === 550) given.abort();
  };

  const opening = openProject({ ...systemTimeAndIds, root, dataFolder, approver, signal: given.signal, onFile });

  await expect(opening).rejects.toMatchObject({ code: "interrupted" });
  expect(told).toEqual(Array.from({ length: 550 }, (_, each) => each + 1));
  const known = await openProject({ ...systemTimeAndIds, root, dataFolder, approver, refreshesRegistry: false });
  expect(known.access.kit.registry.list()).toHaveLength(550);
  expect(await known.access.start()).toMatchObject({ files: 600, changed: 50 });
  known.close();
});

test("a list that its caller gives up ends", async () => {
  const { access, session, files } = await setting({ "a.txt": "one\n", "b.txt": "one\n" });
  const given = new AbortController();
  const walking = files.walk.bind(files);
  files.walk = (options) => {
    given.abort();
    return walking(options);
  };

  expect(await access.call(session, "list_files", {}, given.signal)).toMatchObject({
    ok: false,
    error: { code: "cancelled" },
  });
});

/** `scouts` in a folder, interrupted as soon as it has said something, or before. */
async function scouts(root: string, dataFolder: string, words: readonly string[], signal: AbortSignal) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal };
  const context = { io, environment: readEnvironment({}), workingFolder: root, ...systemTimeAndIds };
  const code = await runCommand([...words, "--data", dataFolder], context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

test.each([
  ["list", ["files", "list"]],
  ["read", ["files", "read", "notes/1.md"]],
  ["grep", ["files", "grep", "note"]],
])("Ctrl-C ends scouts files %s", async (_name, words) => {
  const ended = await scouts(folderOf(3), temporaryFolder(), words, AbortSignal.abort());

  expect(ended).toEqual({ code: exitCodes.interrupted, stdout: "", stderr: "scouts: Interrupted. (interrupted)\n" });
});

test("a command that names its file looks at no other", async () => {
  const [root, dataFolder] = [folderOf(3), temporaryFolder()];

  const read = await scouts(root, dataFolder, ["files", "read", "notes/1.md"], new AbortController().signal);

  expect(read).toMatchObject({ code: exitCodes.done, stdout: "note 1\n" });
  const known = await openProject({ ...systemTimeAndIds, root, dataFolder, approver, refreshesRegistry: false });
  expect(known.access.kit.registry.list()).toEqual([]);
  known.close();
});
