import type { FileTag } from "../../events/folders.ts";
import { entryDocuments } from "../../shared/access/registry.ts";
import { nameOf } from "../../shared/files/project-path.ts";
import type { ManifestFile } from "./manifest-file.ts";

/**
 * How much a kind of file tells of its project. Tests are last of what is read: models reach for them too often (arXiv
 * 2606.11976).
 */
const tagWeights: Record<FileTag, number> = { doc: 1, code: 0.9, data: 0.8, config: 0.6, test: 0.5, image: 0.4 };
const untaggedWeight = 0.7;
/** Of a file nothing is known about but its name. */
const unreadableShare = 0.3;
/** What is left of a weight for the file that was changed longest ago. */
const oldestShare = 0.4;

const notEntry = entryDocuments.length;
const entryRank = (path: string) => {
  const rank = entryDocuments.findIndex((pattern) => pattern.test(nameOf(path)));
  return rank === -1 ? notEntry : rank;
};
const depthOf = (path: string) => path.split("/").length;

/**
 * Files in the order in which a manifest that is too long makes room for them: README and manifest-like files first, the
 * topmost before the rest, then by the weight of the tag and by how lately each was changed compared with the others. The
 * present time is not looked at: the same files give the same order tomorrow.
 */
export function byPriority(files: readonly ManifestFile[]): ManifestFile[] {
  const newestFirst = files.toSorted((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  const last = Math.max(1, newestFirst.length - 1);
  const ranked = newestFirst.map((file, place) => ({
    file,
    entry: entryRank(file.path),
    depth: depthOf(file.path),
    weight: weightOf(file) * (1 - (1 - oldestShare) * (place / last)),
  }));
  return ranked
    .sort((a, b) => {
      const [aIsEntry, bIsEntry] = [a.entry < notEntry, b.entry < notEntry];
      if (aIsEntry !== bIsEntry) return aIsEntry ? -1 : 1;
      if (aIsEntry) return a.depth - b.depth || a.entry - b.entry || (a.file.path < b.file.path ? -1 : 1);
      return b.weight - a.weight || (a.file.path < b.file.path ? -1 : 1);
    })
    .map(({ file }) => file);
}

function weightOf({ tag, kind }: ManifestFile): number {
  const weight = tag === null ? untaggedWeight : tagWeights[tag];
  return kind === "skipped" ? weight * unreadableShare : weight;
}
