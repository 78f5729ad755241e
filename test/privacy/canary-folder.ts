import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { linkFolder } from "../../device/folders/indexer/link-folder.ts";
import type { ProjectId } from "../../events/ids.ts";
import { ownContent } from "../own-content.ts";
import type { CanarySystem } from "./canary-system.ts";

export interface CanaryFolder {
  readonly projectId: ProjectId;
  /** A file to be read, one in a folder below, and one that is too long to be shown whole. */
  readonly short: string;
  readonly nested: string;
  readonly long: string;
}

/**
 * A project whose folder holds canaries wherever there is a name or a text, linked and summarised.
 *
 * @param more words for a file's text, such as the name of a script
 */
export async function linkCanaryFolder(
  { system, canaries, dataFolder }: CanarySystem,
  more: { readonly short?: string; readonly nested?: string } = {},
): Promise<CanaryFolder> {
  const plant = (what: string) => canaries.plant(what);
  const root = join(dataFolder, "..", plant("name of the folder"));
  const files = {
    short: [
      `${plant("name of a file")}.md`,
      `# ${plant("title of a file")}\n\nAll about ${plant("text of a file")}.\n${more.short ?? ""}\n`,
    ],
    nested: [
      `${plant("folder in the folder")}/${plant("name of a nested file")}.csv`,
      `${plant("column")},euros\n1,2\n${more.nested ?? ""}\n`,
    ],
    long: [`${plant("name of a long file")}.txt`, `${"so on ".repeat(9_000)}${plant("end of a long file")}\n`],
  } as const;
  for (const [name, text] of Object.values(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const { store, api } = system;
  const { id: projectId } = store.projects.add(plant("name of a project"));
  await linkFolder({ store, api, projectId, folderPath: root, ...ownContent(store, api) });
  return { projectId, short: files.short[0], nested: files.nested[0], long: files.long[0] };
}
