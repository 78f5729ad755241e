import { describe, expect, test } from "vitest";
import { FileAccess } from "../../device/access/file-access.ts";
import type { ApprovalQuestion } from "../../device/access/policy/approver.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { ProjectFilesError } from "../../device/files/errors.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { memoryAccessStore } from "../memory/access-store.ts";
import {
  afterMerge,
  before,
  changedMeanwhile,
  contentsOf,
  fiveFilePatch,
  proposesMerge,
  watched,
} from "./five-file-patch.ts";
import { patchWith } from "./in-memory-setting.ts";

interface Trial {
  readonly answer?: boolean;
  readonly failingFrom?: number;
  readonly onAsked?: (disk: InMemoryProjectFiles) => Promise<void>;
  readonly more?: Record<string, unknown>;
  readonly patch?: string;
}

/** The five-file patch of a session that has read a file that somebody has changed since. */
async function patched({
  answer = true,
  failingFrom = Infinity,
  onAsked,
  more = {},
  patch = fiveFilePatch,
}: Trial = {}) {
  const disk = new InMemoryProjectFiles(before, systemTimeAndIds);
  const questions: ApprovalQuestion[] = [];
  let [step, isArmed] = [0, false];
  const files = watched(
    disk,
    () => {
      if (isArmed && ++step >= failingFrom) throw new ProjectFilesError("StorageFailed", { detail: "gone" });
    },
    true,
  );
  const approve = async (question: ApprovalQuestion) => {
    questions.push(question);
    await onAsked?.(disk);
    return answer;
  };
  const store = memoryAccessStore();
  const access = new FileAccess({
    ...systemTimeAndIds,
    files,
    store,
    approver: { approve },
    mergeProposer: proposesMerge,
  });
  await access.start();
  const session = access.openSession({ caller: "model" });
  for (const path of Object.keys(before)) await access.call(session, "read_file", { path });
  await disk.write("a.txt", Buffer.from(changedMeanwhile["a.txt"] ?? ""));
  isArmed = true;
  const result = await patchWith(access, session, { patch, onConflict: "propose_merge", ...more });
  return { result, disk, store, access, questions, steps: step };
}

describe("a patch with a proposed merge is applied as a whole or not at all (C1)", () => {
  test("approved: every file of it, the merged one, the moved, the deleted and the new", async () => {
    const { result, disk, access, questions } = await patched();
    expect(result).toMatchObject({ success: true, conflict: false });
    expect(await contentsOf(disk)).toEqual(afterMerge);
    expect(questions).toHaveLength(1);
    expect(access.audit.newest(1)).toMatchObject([{ tool: "apply_patch", outcome: "ok", decision: "approved" }]);
    expect(
      access.audit
        .newest(1)[0]
        ?.files.map(({ path }) => path)
        .sort(),
    ).toEqual(["a.txt", "b.txt", "d.txt", "e.txt", "new/c.txt", "old/c.txt"].sort());
  });

  test("what the person is asked shows all the patch does", async () => {
    const { questions } = await patched();
    const [question] = questions;
    expect(question?.paths).toEqual(["a.txt", "b.txt", "new/c.txt", "old/c.txt", "d.txt", "e.txt"]);
    for (const effect of [
      "-two, they say\n+TWO, they say",
      "+THREE",
      "rename from old/c.txt\nrename to new/c.txt",
      "+FIVE",
      "-six",
      "+seven",
    ]) {
      expect(question?.diff?.replaceAll("\r", "")).toContain(effect);
    }
  });

  test("refused: nothing", async () => {
    const { result, disk, store } = await patched({ answer: false });
    expect(result).toMatchObject({ success: false, code: "approval_refused" });
    expect(await contentsOf(disk)).toEqual(changedMeanwhile);
    expect([store.journal.open(), store.versions.all()]).toEqual([[], []]);
  });

  test("a dry run shows all of it, asks nobody and writes nothing", async () => {
    const { result, disk, store, questions } = await patched({ more: { dryRun: true } });
    expect(result).toMatchObject({ success: true, versionId: null });
    expect(result.files.map(({ path }) => path)).toContain("new/c.txt");
    expect(result.diff).toContain("+TWO, they say");
    expect(await contentsOf(disk)).toEqual(changedMeanwhile);
    expect([questions, store.versions.all()]).toEqual([[], []]);
  });

  test("a file that changes while the person looks: nothing", async () => {
    for (const path of ["a.txt", "b.txt", "d.txt"]) {
      const { result, disk } = await patched({
        onAsked: (files) => files.write(path, Buffer.from("changed again\n")),
      });
      expect(result).toMatchObject({ success: false, conflict: true });
      expect(await contentsOf(disk)).toEqual({ ...changedMeanwhile, [path]: "changed again\n" });
    }
  });

  test("one part that cannot be done: nothing, and nobody is asked", async () => {
    const patch = fiveFilePatch.replace("-three", "-absent");
    const { result, disk, questions } = await patched({ patch });
    expect(result).toMatchObject({ success: false, code: "no_match" });
    expect(await contentsOf(disk)).toEqual(changedMeanwhile);
    expect(questions).toEqual([]);
  });

  test("a conflict in a file that moves is merged at its new place", async () => {
    const patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: z.txt\n@@\n-two\n+TWO\n*** End Patch\n";
    const { result, disk } = await patched({ patch });
    expect(result).toMatchObject({ success: true });
    const { "a.txt": merged, ...others } = { ...before, "a.txt": afterMerge["a.txt"] };
    expect(await contentsOf(disk)).toEqual({ ...others, "z.txt": merged });
  });

  test("stopped at any look at the disk or change of it, and started again: all or nothing, and the trail says which", async () => {
    const { steps } = await patched();
    const ends = new Set<string>();
    for (let failingFrom = 1; failingFrom <= steps; failingFrom++) {
      const { disk, store } = await patched({ failingFrom });
      const again = new FileAccess({ ...systemTimeAndIds, files: disk, store });
      await again.start();
      const left = await contentsOf(disk);
      const end = left["a.txt"] === changedMeanwhile["a.txt"] ? "nothing" : "all";
      ends.add(end);
      expect(left).toEqual(end === "all" ? afterMerge : changedMeanwhile);
      expect(store.journal.open()).toEqual([]);
      expect(again.audit.verify()).toMatchObject({ ok: true });
      const said = [...again.audit.records()].filter(({ tool, outcome }) => tool === "apply_patch" && outcome === "ok");
      expect(said).toHaveLength(end === "all" ? 1 : 0);
    }
    expect(steps).toBeGreaterThan(60);
    expect(ends).toEqual(new Set(["nothing", "all"]));
  });
});
