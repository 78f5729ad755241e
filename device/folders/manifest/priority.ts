import type { FileTag } from "../../../events/frames/folders.ts";
import { entryDocuments } from "../../access/registry.ts";
import { nameOf, parentOf } from "../../files/paths/project-path.ts";
import type { ManifestFile } from "./manifest-file.ts";

/**
 * How much a kind of file tells of its project. Tests are last of what is read: models reach for them too often (arXiv
 * 2606.11976).
 */
const tagWeights: Record<FileTag, number> = { doc: 1, code: 0.9, data: 0.8, config: 0.6, test: 0.5, image: 0.4 };
const untaggedWeight = 0.7;
/** Of a file nothing is known about but its name. */
const unreadableShare = 0.3;
/** A file that was changed so much earlier than the newest one weighs half. Files of one checkout are equally new. */
const halfWeightMs = 30 * 24 * 3_600_000;

const notEntry = entryDocuments.length;
const entryRank = (path: string) => {
  const rank = entryDocuments.findIndex((pattern) => pattern.test(nameOf(path)));
  return rank === -1 ? notEntry : rank;
};
const depthOf = (path: string) => path.split("/").length;

/**
 * Files in the order in which a manifest that is too long makes room for them: README and manifest-like files first, the
 * topmost before the rest; then folders take turns, each with its weightiest files (by tag, and by how lately they were
 * changed compared with the newest), and a lighter file waits longer for its turn. So no folder is left out because another
 * one is large. The present time is not looked at: the same files give the same order tomorrow.
 */
export function byPriority(files: readonly ManifestFile[]): ManifestFile[] {
  const newestMs = files.reduce((newest, { mtimeMs }) => Math.max(newest, mtimeMs), Number.NEGATIVE_INFINITY);
  const isEntry = (path: string) => entryRank(path) < notEntry;
  const entries = files
    .filter(({ path }) => isEntry(path))
    .sort((a, b) => depthOf(a.path) - depthOf(b.path) || entryRank(a.path) - entryRank(b.path) || byPath(a, b));
  const weighed = files
    .filter(({ path }) => !isEntry(path))
    .map((file) => ({ file, weight: weightOf(file) / (1 + (newestMs - file.mtimeMs) / halfWeightMs) }));
  const turns = [...Map.groupBy(weighed, ({ file }) => parentOf(file.path)).values()].flatMap((folder) =>
    folder
      .sort((a, b) => b.weight - a.weight || byPath(a.file, b.file))
      .map(({ file, weight }, place) => ({ file, turn: (place + 1) / weight })),
  );
  return [...entries, ...turns.sort((a, b) => a.turn - b.turn || byPath(a.file, b.file)).map(({ file }) => file)];
}

const byPath = (a: ManifestFile, b: ManifestFile) => (a.path < b.path ? -1 : 1);

function weightOf({ tag, kind }: ManifestFile): number {
  const weight = tag === null ? untaggedWeight : tagWeights[tag];
  return kind === "skipped" ? weight * unreadableShare : weight;
}
