import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { patchWith, replacing } from "./in-memory-setting.ts";
import { setting, temporaryFolder } from "./setting.ts";

async function script() {
  const root = temporaryFolder();
  const path = join(root, "run.sh");
  writeFileSync(path, "one\ntwo\n");
  chmodSync(path, 0o644);
  const { access } = await setting({}, { files: new FsProjectFiles(root, { ripgrep: false }) });
  const session = () => access.openSession({ caller: "agent" });
  const mode = () => statSync(path).mode & 0o777;
  const undo = (id: string) => access.undoSession(access.openSession({ caller: "person" }), id);
  return { access, path, session, mode, undo };
}

test("undoing a session leaves the permissions that a person has given the file before it, and since", async () => {
  const { access, path, session, mode, undo } = await script();
  await patchWith(access, session(), { patch: replacing("run.sh", "one", "1") });
  chmodSync(path, 0o755);
  const undone = session();
  await patchWith(access, undone, { patch: replacing("run.sh", "two", "2") });
  expect(await undo(undone.id)).toMatchObject({ ok: true });
  expect([readFileSync(path, "utf8"), mode()]).toEqual(["1\ntwo\n", 0o755]);
  const again = session();
  await patchWith(access, again, { patch: replacing("run.sh", "two", "2") });
  chmodSync(path, 0o700);
  expect(await undo(again.id)).toMatchObject({ ok: true });
  expect(mode()).toBe(0o700);
});

test("a file that a session deleted, or made anew, comes back with the permissions it had then", async () => {
  const { access, path, session, mode, undo } = await script();
  await patchWith(access, session(), { patch: replacing("run.sh", "one", "1") });
  const deletion = "*** Begin Patch\n*** Delete File: run.sh\n*** End Patch\n";
  chmodSync(path, 0o755);
  const deleting = session();
  await patchWith(access, deleting, { patch: deletion });
  expect(await undo(deleting.id)).toMatchObject({ ok: true });
  expect([readFileSync(path, "utf8"), mode()]).toEqual(["1\ntwo\n", 0o755]);
  const making = session();
  await patchWith(access, making, { patch: deletion });
  await access.call(making, "write_file", { path: "run.sh", content: "anew\n", mode: "create" });
  expect(mode()).toBe(0o644);
  expect(await undo(making.id)).toMatchObject({ ok: true });
  expect([readFileSync(path, "utf8"), mode()]).toEqual(["1\ntwo\n", 0o755]);
});
