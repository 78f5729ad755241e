import { code } from "./source-tree.ts";

const registry = "functions/compose/connectors.ts";
const form = /^shared\/scouts\/connectors\/([\w-]+)\/connector\.ts$/;

/** The sources there are, by the connectors that the one registry imports; each is a folder of that name. */
export const sources: readonly string[] = [
  ...new Set(
    code
      .filter(({ path }) => path === registry)
      .flatMap(({ imports }) => imports.map(({ target }) => form.exec(target)?.[1]))
      .filter((name) => name !== undefined),
  ),
];

export const connectorFolders = sources.map((name) => `shared/scouts/connectors/${name}/`);
