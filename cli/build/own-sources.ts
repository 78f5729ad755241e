import type { Metafile } from "esbuild";

/** What decides which packages there are. */
const packages = "package-lock.json";

/** The checkout's own files among what bundles were made of, and what says which packages went in. */
export function ownSources(metafiles: readonly Metafile[]): string[] {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const own = inputs.filter((file) => !/(^|\/)node_modules\//.test(file) && !file.includes(":"));
  return [packages, ...new Set(own)].sort();
}
