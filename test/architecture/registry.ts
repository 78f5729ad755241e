import { code } from "./source-tree.ts";

/** What one function alone can read is made beside it. */
const registries = ["functions/compose/connectors.ts", "functions/compose/work/imap.ts"];
const form = /^shared\/scouts\/connectors\/([\w-]+)\/connector\.ts$/;

/** The sources there are, by the connectors that are imported where functions are composed; each is a folder of that name. */
export const sources: readonly string[] = [
  ...new Set(
    code
      .filter(({ path }) => registries.includes(path))
      .flatMap(({ imports }) => imports.map(({ target }) => form.exec(target)?.[1]))
      .filter((name) => name !== undefined),
  ),
];

export const connectorFolders = sources.map((name) => `shared/scouts/connectors/${name}/`);
