import type { ManifestFile } from "../../../device/folders/manifest/manifest-file.ts";
import type { ManifestInput } from "../../../device/folders/manifest/render.ts";
import { projectId } from "../../../events/ids.ts";

export const project = { id: projectId.parse("prj_01JD0000000000000000000003"), name: "Garden" };
export const hourMs = 3_600_000;
export const nowMs = 1_800_000_000_000;

export function manifestFile(path: string, more: Partial<ManifestFile> = {}): ManifestFile {
  return {
    path,
    kind: "text",
    tag: "doc",
    summary: `About ${path}`,
    mtimeMs: nowMs - hourMs,
    state: "current",
    ...more,
  };
}

export function manifestOf(files: readonly ManifestFile[], more: Partial<ManifestInput> = {}): ManifestInput {
  return {
    project,
    folderName: "garden",
    files,
    scan: { status: "idle", endedAtMs: nowMs - 3 * hourMs, errorCode: null, isReachable: true },
    ...more,
  };
}
