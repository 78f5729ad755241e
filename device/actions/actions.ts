import type { DeviceActionInput, DeviceActionName } from "../../events/agent-tools/actions.ts";
import type { ArtifactToolName } from "../../events/agent-tools/artifact-tools.ts";
import { fileTools } from "../../events/agent-tools/file-tools.ts";
import type { ProjectId, ProposalId } from "../../events/ids.ts";
import { withoutMentions } from "../../shared/llm/mentions.ts";
import type { ReadsDocuments } from "../folders/extraction/read-document.ts";
import { readManifest, readRecent } from "../folders/manifest/read-manifest.ts";
import type { DeviceStore } from "../store/open.ts";
import type { OfferedTools } from "../tools/offered-tools.ts";
import { type ActionResult, failed } from "./action-result.ts";
import { grepFiles, listFiles, readLines, searchContent } from "./file-tools.ts";
import type { OpenedProjects } from "./opened-projects.ts";
import { readProjectFile } from "./read-project-file.ts";
import type { RunArtifacts } from "./run-artifacts.ts";
import { searchProjects } from "./search-projects.ts";
import { listEvents, listTasks, recallFacts, searchNotes } from "./work/list-work.ts";
import { projectLines } from "./work/project-lines.ts";
import { listSuggestions, readSuggestion } from "./work/suggestions.ts";

export interface ActionPorts {
  readonly store: DeviceStore;
  readonly extract: ReadsDocuments;
  /** A manifest that was read is out of date: a scan may begin, nobody waits for it. */
  readonly onStale?: (projectId: ProjectId) => void;
  /** The text of the one item that is asked about; without it no item is read. */
  readonly readItem?: (id: ProposalId) => Promise<string | undefined>;
  /** Programs the person offers; without it there are none. */
  readonly tools?: OfferedTools;
  /** What the person attached to the question. */
  readonly attachments?: ActionResult | undefined;
  /** The only project whose files may be asked for; any when left out. */
  readonly onlyProject?: ProjectId | undefined;
  /** Where results go that are too long to be shown; without it they are cut. */
  readonly artifacts?: RunArtifacts;
  readonly now: () => number;
}

export type Actions = { readonly [A in DeviceActionName]: (input: DeviceActionInput<A>) => Promise<ActionResult> };

/** All that may happen on the device because the cloud asks for it. Nothing of it writes; a tool works in a copy. */
export function actionsOn(ports: ActionPorts, projects: OpenedProjects): Actions {
  const { store, artifacts, now } = ports;
  const artifact = async (name: ArtifactToolName, input: unknown): Promise<ActionResult> =>
    artifacts === undefined ? failed("refused", "Nothing is kept in this run.") : artifacts.call(name, input);
  return {
    async list_projects_with_folder_manifests() {
      return { text: (await readRecent({ store, now })).text };
    },
    async read_project_folder_manifest({ project_id }) {
      const { text, wantsScan } = await readManifest(project_id, { store, now });
      if (wantsScan) ports.onStale?.(project_id);
      return { text: `${text}${ports.tools?.linesFor(project_id) ?? ""}` };
    },
    read_project_folder_file: ({ project_id, relative_path }) =>
      projects.withinFile(project_id, "read_file", relative_path, (opened) => {
        const summaryOf = (path: string) => store.folderFiles.find(project_id, path)?.summary ?? null;
        const { extract } = ports;
        return readProjectFile(opened, relative_path, { extract, summaryOf, keepsWhole: artifacts !== undefined });
      }),
    list_files: ({ project_id, ...input }) =>
      projects.within(project_id, (opened) => listFiles(opened, fileTools.list_files.input.parse(input))),
    read_lines({ project_id, ...given }) {
      const input = fileTools.read_lines.input.parse(given);
      return projects.withinFile(project_id, "read_lines", input.path, (opened) => readLines(opened, input));
    },
    grep_files: ({ project_id, ...input }) =>
      projects.within(project_id, (opened) => grepFiles(opened, fileTools.grep_files.input.parse(input))),
    search_content({ project_id = ports.onlyProject, ...given }) {
      const input = fileTools.search_content.input.parse(given);
      if (project_id === undefined) return searchProjects(input, { store, now, projects });
      return projects.within(project_id, (opened) => {
        // A run begins with the person's own words: the project they are for is not what is looked for.
        const query = withoutMentions(input.query, [store.projects.get(project_id).name]);
        return searchContent(opened, { ...input, query });
      });
    },
    list_projects: async () => ({ text: projectLines(store) }),
    async read_item({ proposal_id }) {
      const text = await ports.readItem?.(proposal_id);
      return text === undefined ? failed("refused", "This item is not the one that is asked about.") : { text };
    },
    read_attachments: async () => ports.attachments ?? failed("refused", "Nothing is attached to the question."),
    recall: (input) => recallFacts(input, { store, now }),
    artifact_list: (input) => artifact("artifact_list", input),
    artifact_read: (input) => artifact("artifact_read", input),
    artifact_grep: (input) => artifact("artifact_grep", input),
    artifact_query: (input) => artifact("artifact_query", input),
    run_tool: async ({ tool, project_id }) =>
      ports.tools?.run(tool, project_id) ?? failed("refused", "No tool is offered in this run."),
    list_pending_scout_suggestions: (input) => listSuggestions(input, { store, now }),
    read_suggestion: async (input) => readSuggestion(input, { store, now }),
    list_tasks: (input) => listTasks(input, { store, now }),
    list_events: (input) => listEvents(input, { store, now }),
    search_notes: (input) => searchNotes(input, { store, now }),
  };
}
