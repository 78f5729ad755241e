import { OpenedProjects } from "../../device/actions/opened-projects.ts";
import type { ProjectId } from "../../events/ids.ts";
import { type LinkedFolder, linkedFolder } from "../device/scanner/setting.ts";
import type { ConsoleHome, HomeOptions } from "./console-home.ts";
import { startConsole } from "./setting.ts";

/** A console whose device has a project "garden", with a folder that has been read and summarised. */
export interface ProjectHome {
  readonly home: ConsoleHome;
  readonly token: string;
  readonly id: ProjectId;
  readonly folder: LinkedFolder;
  /** A request of a tab about the project, and what it is answered. */
  about(path: string, body?: object, method?: string): Promise<{ readonly status: number; readonly body: unknown }>;
  /** What a file is named by in addresses. */
  numberOf(path: string): number;
}

export async function startProject(
  tree: Record<string, string | Uint8Array>,
  options: HomeOptions = {},
): Promise<ProjectHome> {
  const home = await startConsole(options);
  const folder = linkedFolder(tree, home.store);
  const { id } = folder.project;
  home.store.localScouts.put(id);
  folder.summarize(await folder.scan());
  const token = await home.token();
  return {
    ...{ home, token, id, folder },
    async about(path, body, method = body === undefined ? "GET" : "POST") {
      const answer = await home.ask(method, `/api/projects/${id}${path}`, { token, ...(body && { body }) });
      return { status: answer.status, body: await answer.json() };
    },
    numberOf(path) {
      const rows = home.store.listedFiles.page(id, { words: [] }, { from: 0, limit: 100_000 });
      const found = rows.find(({ relativePath }) => relativePath === path);
      if (found === undefined) throw new Error(`${path} is not in the manifest`);
      return found.id;
    },
  };
}

/** What a program's write to a file leaves as history: two versions of the file. */
export async function changedByAgent({ home, folder }: ProjectHome, path: string, content: string): Promise<void> {
  const opened = new OpenedProjects({
    store: home.store,
    dataFolder: home.store.dataFolder,
    caller: "agent",
    now: Date.now,
  });
  await opened.within(folder.project.id, async ({ project, session }) => {
    await project.access.call(session, "read_file", { path, full: true });
    const written = await project.access.call(session, "write_file", { path, content });
    return { text: JSON.stringify(written.ok) };
  });
  opened.close();
}
