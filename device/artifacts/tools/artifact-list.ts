import type { ArtifactToolInput } from "../../../events/agent-tools/artifact-tools.ts";
import { pathFilter } from "../../files/paths/path-filter.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import { renderList, sizeText } from "../description/context.ts";
import type { FileMetadata } from "../metadata.ts";
import { attempt } from "../store/verified-files.ts";
import type { ArtifactSession, ArtifactToolAnswer } from "./artifact-session.ts";

/**
 * The artifacts a session may see, in the order of their ids, `limit` at a time; `next` is what to give as `after` for
 * the next page. `unreadable` counts those whose metadata cannot be read.
 *
 * @throws ArtifactError `pattern_refused` (a glob), `store_unavailable`
 */
export async function artifactList(
  { artifacts, mayUse }: ArtifactSession,
  { globs, limit, after }: ArtifactToolInput<"artifact_list">,
): Promise<ArtifactToolAnswer> {
  const wanted = await attempt(async () => pathFilter(globs ? { globs } : {}, false));
  const found: FileMetadata[] = [];
  let broken = 0;
  for await (const metadata of artifacts.list(() => broken++)) {
    const { id } = metadata;
    if (!mayUse(metadata) || (wanted !== undefined && !wanted(id, nameOf(id)))) continue;
    found.push(metadata);
  }
  found.sort((a, b) => (a.id < b.id ? -1 : 1));
  const rest = after === undefined ? found : found.filter(({ id }) => id > after);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const states = await Promise.all(page.map((metadata) => artifacts.stateOf(metadata)));
  return {
    facts: {
      artifacts: page.map(({ id, sizeBytes, contentType, origin, createdAt }, at) => ({
        id,
        ...(states[at] !== "stored" && { state: states[at] }),
        size: sizeText(sizeBytes),
        contentType,
        tool: origin.tool,
        createdAt: new Date(createdAt).toISOString(),
      })),
      total: found.length,
      ...(rest.length > page.length && last && { next: last.id }),
      ...(broken > 0 && { unreadable: broken }),
    },
    text: renderList(page, artifacts.templates),
  };
}
