import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type LinkOptions, linkFolder } from "../../../device/folders/indexer/link-folder.ts";
import type { OpenPreparer } from "../../../device/folders/indexer/prepare.ts";
import { type RescanOptions, rescanProject } from "../../../device/folders/indexer/rescan-project.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import type { ProjectId } from "../../../events/ids.ts";
import { ownContent } from "../../own-content.ts";
import { oneSession } from "../content/setting.ts";
import { temporaryFolder, temporaryStore } from "../setting.ts";
import { type FolderCloud, startFolderCloud } from "./folder-cloud.ts";

/** Files as they are, without a thread that reads documents. */
const plainPreparer: OpenPreparer = (files) => ({
  async prepare({ relPath, kind, sizeBytes, mtimeMs, contentHash }) {
    const content = new TextDecoder().decode(await files.read(relPath));
    if (content.startsWith("%")) return { outcome: "skipped", reason: "no_text" };
    return { outcome: "ready", file: { relPath, kind, sizeBytes, mtimeMs, contentHash, content }, tokens: null };
  },
  close: async () => {},
});

export interface FolderSetting {
  readonly cloud: FolderCloud;
  readonly store: DeviceStore;
  readonly root: string;
  readonly projectId: ProjectId;
  write(name: string, text: string): void;
  /** Links the folder, or scans it again. */
  link(options?: Partial<LinkOptions>): ReturnType<typeof linkFolder>;
  rescan(options?: Partial<RescanOptions>): ReturnType<typeof rescanProject>;
  /** Paths and summaries of the manifest. */
  summaries(): Record<string, string | null>;
}

/** A project, a folder with these files, a cloud that summarises; the folder is not linked yet. */
export async function folderSetting(texts: Readonly<Record<string, string>>): Promise<FolderSetting> {
  const cloud = await startFolderCloud();
  oneSession(cloud);
  const store = temporaryStore();
  const root = path.join(temporaryFolder(), "documents");
  mkdirSync(root);
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  for (const [name, text] of Object.entries(texts)) write(name, text);
  const { id: projectId } = store.projects.add("Papers");
  const api = { apiUrl: cloud.url, auth: async () => "token" };
  const ground = {
    store,
    api,
    projectId,
    openPreparer: plainPreparer,
    ...ownContent(store, api, { backoff: { baseMs: 4, capMs: 20 } }),
  };
  return {
    cloud,
    store,
    root,
    projectId,
    write,
    link: (options = {}) => linkFolder({ ...ground, folderPath: root, ...options }),
    rescan: (options = {}) => rescanProject({ ...ground, ...options }),
    summaries: () =>
      Object.fromEntries(store.folderFiles.list(projectId).map(({ relativePath, summary }) => [relativePath, summary])),
  };
}

/** So many small files. */
export const numbered = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${String(n).padStart(3, "0")}.md`, `This is no. ${n}.`]),
  );
