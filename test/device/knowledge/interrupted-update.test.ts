import { expect, test } from "vitest";
import { ProjectFilesError } from "../../../device/files/errors.ts";
import { IndexThread } from "../../../device/knowledge/index/index-thread.ts";
import { updateIndex } from "../../../device/knowledge/index/update-index.ts";
import { indexedFolder } from "./setting.ts";

const files = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`${n}.md`, `# File ${n}`]));

test("nothing silent: an update of an index that fails reads nothing more, and leaves no thread behind that keeps its command from ending", async () => {
  const { store, project, start } = indexedFolder(files);
  const scan = await start();
  let reads = 0;
  const update = updateIndex({
    store,
    projectId: project.id,
    holds: scan.holds,
    readText: async ({ relPath }) => {
      reads += 1;
      if (reads === 1) throw new ProjectFilesError("StorageFailed", { path: relPath });
      return "none";
    },
  });
  await expect(update).rejects.toThrow(ProjectFilesError);
  // The other of the two that read side by side.
  expect(reads).toBeLessThanOrEqual(2);
});

test("an index that was closed, or whose thread has ended, takes no order: it would begin a thread that nobody ends", async () => {
  const { indexFile } = indexedFolder();
  for (const how of ["end", "close"] as const) {
    const thread = new IndexThread(indexFile);
    await thread.ask({ do: "known" });
    await thread[how]();
    await expect(thread.ask({ do: "known" })).rejects.toMatchObject({ code: "internal" });
  }
});
