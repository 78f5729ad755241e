import { describe, expect, test } from "vitest";
import { isTornWrite } from "../../device/access/changes/torn-write.ts";
import { FileAccess } from "../../device/access/file-access.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { ProjectFilesError } from "../../device/files/errors.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { memoryAccessStore } from "../memory/access-store.ts";
import { quick, whole } from "../rounds.ts";
import { after, before, contentsOf, fiveFilePatch, watched } from "./five-file-patch.ts";
import { patchWith } from "./in-memory-setting.ts";
import { killAt, steps } from "./kill-step.ts";

describe("a patch of five files is applied as a whole or not at all", () => {
  test.each(steps)("when the disk fails at step %i", async (failing) => {
    const disk = new InMemoryProjectFiles(before, systemTimeAndIds);
    const files = watched(disk, (step) => {
      if (step === failing) throw new ProjectFilesError("StorageFailed", { detail: "no space left" });
    });
    const access = new FileAccess({ ...systemTimeAndIds, files, store: memoryAccessStore() });
    await access.start();

    const result = await patchWith(access, access.openSession({ caller: "model" }), { patch: fiveFilePatch });

    expect(result).toMatchObject({ success: false, code: "write_failed" });
    expect(await contentsOf(disk)).toEqual(before);
    expect(access.kit.store.journal.open()).toEqual([]);
    expect(access.audit.verify()).toMatchObject({ ok: true });
  });

  test.each(steps)("when everything fails from step %i on, and it starts again", async (failing) => {
    const disk = new InMemoryProjectFiles(before, systemTimeAndIds);
    const store = memoryAccessStore();
    const files = watched(disk, (step) => {
      if (step >= failing) throw new ProjectFilesError("StorageFailed", { detail: "gone" });
    });
    const access = new FileAccess({ ...systemTimeAndIds, files, store });
    await access.start();
    await patchWith(access, access.openSession({ caller: "model" }), { patch: fiveFilePatch });

    await new FileAccess({ ...systemTimeAndIds, files: disk, store }).start();

    const left = await contentsOf(disk);
    expect([before, after]).toContainEqual(left);
    expect(store.journal.open()).toEqual([]);
  });

  test.skipIf(quick)(
    "when the process is killed early, halfway and late (every step: node test/access/prove.ts kill)",
    {
      timeout: 240_000,
    },
    async () => {
      expect(await killAt(7)).toBe("undone");
      expect(await killAt(12)).toBe("completed");
      if (!whole) return;
      expect(await killAt(1)).toBe("undone");
      expect(await killAt(9, "dry")).toBe("undone");
      expect(await killAt(60, "merge")).toBe("undone");
    },
  );

  test("recovery leaves alone what somebody else has changed since", async () => {
    const disk = new InMemoryProjectFiles(before, systemTimeAndIds);
    const store = memoryAccessStore();
    const access = new FileAccess({
      ...systemTimeAndIds,
      files: watched(disk, (step) => {
        if (step >= 4) throw new ProjectFilesError("StorageFailed");
      }),
      store,
    });
    await access.start();
    await patchWith(access, access.openSession({ caller: "model" }), { patch: fiveFilePatch });
    await disk.write("a.txt", Buffer.from("by hand\n"));

    const { recovery } = await new FileAccess({ ...systemTimeAndIds, files: disk, store }).start();

    expect(recovery).toMatchObject({ undone: 1, leftAlone: ["a.txt"] });
    expect(await contentsOf(disk)).toEqual({ ...before, "a.txt": "by hand\n" });
  });
});

test("an overwrite interrupted halfway is told from somebody's change", () => {
  const [old, fresh] = [Buffer.from("aaaaaa"), Buffer.from("bbbbbbbb")];
  const torn = ["bbaaaa", "bbbbbb", "bbbbbbb"].map((text) => isTornWrite(Buffer.from(text), old, fresh));
  expect(torn).toEqual([true, true, true]);
  expect(isTornWrite(Buffer.from("bbcaaa"), old, fresh)).toBe(false);
  expect(isTornWrite(Buffer.from("other"), old, fresh)).toBe(false);
});
