import { expect, test } from "vitest";
import { PathLocks } from "../../device/access/changes/path-locks.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import type { NameFolding } from "../../device/files/paths/containment.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { setting } from "./setting.ts";

const composed = "caf\u00e9.md";
const decomposed = "cafe\u0301.md";
const capital = "CAF\u00c9.md";

const disks: readonly (readonly [name: string, folding: NameFolding, same: readonly string[]])[] = [
  ["that takes every spelling for itself", { foldsCase: false, foldsUnicode: false }, []],
  ["that folds case alone, as NTFS", { foldsCase: true, foldsUnicode: false }, [capital]],
  ["that folds Unicode alone, as APFS with case", { foldsCase: false, foldsUnicode: true }, [decomposed]],
  ["that folds both, as APFS", { foldsCase: true, foldsUnicode: true }, [capital, decomposed]],
];
const others = [capital, decomposed];

test.each(disks)(
  "a patch names a file twice when the disk has one file of both names: on a disk %s",
  async (_, folding, same) => {
    for (const other of others) {
      const files = new InMemoryProjectFiles({}, { ...systemTimeAndIds, folding });
      const { patch } = await setting({}, { files });
      const result = await patch(
        `*** Begin Patch\n*** Add File: ${composed}\n+a\n*** Add File: ${other}\n+b\n*** End Patch`,
      );
      const refused = { success: false, code: "overlapping_edits" };
      expect(result, other).toMatchObject(same.includes(other) ? refused : { success: true });
    }
  },
);

test.each(disks)(
  "changes of one file wait for each other, of two files not: on a disk %s",
  async (_, folding, same) => {
    for (const other of others) {
      const locks = new PathLocks(folding);
      const done: string[] = [];
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const first = locks.run([composed], () => released.then(() => void done.push("first")));
      const second = locks.run([other], async () => void done.push("second"));
      // Whoever waits for nobody has run by then.
      await new Promise<void>((resolve) => setImmediate(resolve));
      release();
      await Promise.all([first, second]);
      expect(done, other).toEqual(same.includes(other) ? ["first", "second"] : ["second", "first"]);
    }
  },
);
