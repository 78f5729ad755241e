import { chmodSync, linkSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { FileAccess } from "../../device/access/file-access.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { memoryAccessStore } from "../memory/access-store.ts";
import { bytesOf, complaint, type EditCase, editCases, patchOf } from "./edit-cases.ts";
import { patchWith } from "./in-memory-setting.ts";

/** Makes generated edits through `apply_patch` on a disk, now and then through a symbolic link or on a hard-linked file. */
export async function editsOnDisk(count: number, seed: number): Promise<{ edits: number; complaints: string[] }> {
  const root = mkdtempSync(join(tmpdir(), "scouts-edits-"));
  const complaints: string[] = [];
  try {
    for (const [index, edit] of fc.sample(editCases, { numRuns: count, seed }).entries()) {
      const found = await editOnDisk(root, edit, index);
      if (found !== undefined) complaints.push(`${index}: ${found}: ${JSON.stringify(edit)}`);
    }
    return { edits: count, complaints };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function editOnDisk(root: string, edit: EditCase, index: number): Promise<string | undefined> {
  const file = join(root, "file.txt");
  const [hardLink, symbolicLink] = [join(root, "hard.txt"), join(root, "soft.txt")];
  for (const path of [file, hardLink, symbolicLink]) rmSync(path, { force: true });
  const before = bytesOf(edit);
  writeFileSync(file, before);
  chmodSync(file, edit.mode);
  if (index % 5 === 1) linkSync(file, hardLink);
  if (index % 5 === 2) symlinkSync("file.txt", symbolicLink);
  const { mode, ino } = statSync(file);
  const files = new FsProjectFiles(root, { durable: false });
  const access = new FileAccess({ ...systemTimeAndIds, files, store: memoryAccessStore() });
  const patch = patchOf(edit, index % 5 === 2 ? "soft.txt" : "file.txt");

  const result = await patchWith(access, access.openSession({ caller: "generator" }), { patch });

  if (!result.success) return result.message;
  if (statSync(file).mode !== mode) return "the mode changed";
  if (index % 5 === 1 && (statSync(hardLink).ino !== ino || statSync(file).ino !== ino)) return "the hard link broke";
  return complaint(edit, before, readFileSync(file));
}
