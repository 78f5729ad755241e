import type { FileToolInput } from "../../events/agent-tools/file-tools.ts";
import { withoutMentions } from "../../shared/llm/mentions.ts";
import { escapedName } from "../../shared/privacy/delimiters.ts";
import { projectsAbout } from "../knowledge/search/projects-about.ts";
import type { DeviceStore } from "../store/open.ts";
import type { ActionResult } from "./action-result.ts";
import { oneLine, searchContent } from "./file-tools.ts";
import type { OpenedProjects } from "./opened-projects.ts";

/**
 * Passages about some words from all projects that have a folder here: what `search_content` finds in each that has some of
 * the best files, under a line that names the project. Each is asked by its own rules, within what the run may read of it, and
 * says so in its own trail; the others are not opened.
 */
export async function searchProjects(
  { query: given, limit }: FileToolInput<"search_content">,
  {
    store,
    now,
    projects,
  }: { readonly store: DeviceStore; readonly now: () => number; readonly projects: OpenedProjects },
): Promise<ActionResult> {
  const names = store.projects.linked().map(({ name }) => name);
  const query = withoutMentions(given, names);
  const about = await projectsAbout({ store, now }, query, limit);
  const found: ActionResult[] = [];
  for (const { id, name, files } of about.projects) {
    const ofProject = await projects.within(id, (opened) => searchContent(opened, { query, limit: files }));
    found.push({ ...ofProject, text: `== project ${id} ${escapedName(name)}\n${ofProject.text}` });
  }
  const facts = {
    projectsSearched: about.projectsSearched,
    filesSearched: about.files,
    ...(about.near.length > 0 && { near: about.near }),
    ...(about.notSearched.length > 0 && { notSearched: about.notSearched }),
    ...(about.notes.length > 0 && { notes: about.notes }),
  };
  return {
    text: [oneLine(facts), ...found.map(({ text }) => text)].join("\n"),
    filesRead: found.flatMap(({ filesRead = [] }) => filesRead),
    parts: found.flatMap(({ parts = [] }) => parts),
  };
}
