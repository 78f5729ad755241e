import type { MergeProposer } from "../../device/access/merge-proposer.ts";
import type { ProjectFiles } from "../../device/files/project-files.ts";

/** Five files in one patch, one of each kind of change. */
export const before: Record<string, string> = {
  "a.txt": "one\ntwo\n",
  "b.txt": "three\r\nfour\r\n",
  "old/c.txt": "five\n",
  "d.txt": "six\n",
};
export const after: Record<string, string> = {
  "a.txt": "one\nTWO\n",
  "b.txt": "THREE\r\nfour\r\n",
  "new/c.txt": "FIVE\n",
  "e.txt": "seven\n",
};
export const fiveFilePatch = `*** Begin Patch
*** Update File: a.txt
@@
-two
+TWO
*** Update File: b.txt
@@
-three
+THREE
*** Update File: old/c.txt
*** Move to: new/c.txt
@@
-five
+FIVE
*** Delete File: d.txt
*** Add File: e.txt
+seven
*** End Patch
`;

/** The same patch, after somebody has changed a line it is about: it takes a merge, and the merge this is. */
export const changedMeanwhile: Record<string, string> = { ...before, "a.txt": "one\ntwo, they say\n" };
export const afterMerge: Record<string, string> = { ...after, "a.txt": "one\nTWO, they say\n" };
export const proposesMerge: MergeProposer = { propose: async () => afterMerge["a.txt"] };

/** What happens at a change of the disk; counts from 1, twice for each change: before it and after it. */
export type AtStep = (step: number) => void;

/** Files that tell of every change of the disk, and of every look at it when `looks`, just before and just after it. */
export function watched(files: ProjectFiles, atStep: AtStep, looks = false): ProjectFiles {
  let step = 0;
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    atStep(++step);
    const result = await work();
    atStep(++step);
    return result;
  };
  const aroundLook = <T>(work: () => Promise<T>): Promise<T> => (looks ? around(work) : work());
  return {
    displayRoot: files.displayRoot,
    folding: files.folding,
    isReadOnly: false,
    read: (path, options) => aroundLook(() => files.read(path, options)),
    exists: (path) => files.exists(path),
    metadata: (path) => aroundLook(() => files.metadata(path)),
    listDir: (path) => files.listDir(path),
    walk: (options) => files.walk(options),
    rename: (from, to) => files.rename(from, to),
    grep: (pattern, options) => files.grep(pattern, options),
    materialize: (options) => files.materialize(options),
    canonical: (path) => files.canonical(path),
    write: (path, bytes, options) => around(() => files.write(path, bytes, options)),
    delete: (path, options) => around(() => files.delete(path, options)),
  };
}

export async function contentsOf(files: ProjectFiles): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { path } of files.walk()) found[path] = Buffer.from(await files.read(path)).toString("utf8");
  return found;
}
