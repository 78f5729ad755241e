import type { Artifacts } from "./artifacts.ts";
import type { ArtifactOrigin } from "./metadata.ts";

/**
 * Where tools that run as programs leave what they print: everything becomes an artifact, and the reference is its id, or
 * the text itself when it could be stored nowhere.
 */
export function outputsOf(artifacts: Artifacts, originOf: (name: string) => ArtifactOrigin) {
  return {
    async store(output: Uint8Array, about: { name: string; mediaType: string }): Promise<string> {
      const kept = await artifacts.keep(output, originOf(about.name), about);
      return kept.kind === "file" ? kept.metadata.id : String(kept.result);
    },
  };
}
