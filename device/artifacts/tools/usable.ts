import { ArtifactError } from "../errors.ts";
import type { FileMetadata } from "../metadata.ts";
import type { ArtifactStore } from "../store/artifact-store.ts";
import type { ArtifactSession } from "./artifact-session.ts";

/** An artifact this session may see. Another's is as if it were not there. @throws ArtifactError as `Artifacts.find` */
export async function usable(
  { artifacts, mayUse }: ArtifactSession,
  id: string,
): Promise<{ store: ArtifactStore; metadata: FileMetadata }> {
  const found = await artifacts.find(id);
  if (!mayUse(found.metadata)) throw new ArtifactError("not_found", { detail: JSON.stringify(id) });
  return found;
}
