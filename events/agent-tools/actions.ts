import * as z from "zod";
import { relPath } from "../frames/folders.ts";
import { projectId, proposalId } from "../ids.ts";
import { artifactTools } from "./artifact-tools.ts";
import { fileTools } from "./file-tools.ts";
import { workTools } from "./work-tools.ts";

/**
 * One thing the cloud may ask of a device. Nothing else is executable there, and none of it writes; `run_tool` runs what the
 * person offers, on a copy.
 */
interface ActionDefinition {
  readonly description: string;
  readonly input: z.ZodObject;
}

const inProject = { project_id: projectId.describe("The project whose folder is meant.") };

/** Tools of file-tools.ts that a run may use, each with the project it is about. */
const fileAction = <T extends "list_files" | "read_lines" | "grep_files">(name: T) => ({
  description: fileTools[name].description,
  input: fileTools[name].input.extend(inProject),
});

/** Results that were too long to be shown stay on the device; these give parts of them. */
const artifactAction = <T extends keyof typeof artifactTools>(name: T) => ({
  description: artifactTools[name].description,
  input: artifactTools[name].input,
});

/** What a run may ask of the device, by name. A name is part of the protocol: it may be added, never renamed. */
export const deviceActions = {
  list_projects_with_folder_manifests: {
    description: "All projects with a linked folder, each with its five most recently changed files.",
    input: z.strictObject({}),
  },
  read_project_folder_manifest: {
    description: "The files of a project's linked folder with a summary of each, within a token budget.",
    input: z.strictObject(inProject),
  },
  read_project_folder_file: {
    description: "One file of a project's linked folder; long ones are cut, and it says so.",
    input: z.strictObject({ ...inProject, relative_path: relPath }),
  },
  list_files: fileAction("list_files"),
  read_lines: fileAction("read_lines"),
  grep_files: fileAction("grep_files"),
  search_content: {
    description: fileTools.search_content.description,
    input: fileTools.search_content.input.extend({
      project_id: projectId.optional().describe("The project whose folder is meant; all of them when left out."),
    }),
  },
  list_projects: {
    description: "The person's projects: id and name of each.",
    input: z.strictObject({}),
  },
  read_item: {
    description:
      "The item a proposal is about, in full, read from its source now. Only of the proposal that is asked about.",
    input: z.strictObject({ proposal_id: proposalId }),
  },
  read_attachments: {
    description: "What the person attached to the question: files, pages and the like, as text.",
    input: z.strictObject({}),
  },
  recall: {
    description: "Facts the person has had kept about some words, best first: id, fact and where it is from.",
    input: z.strictObject({
      query: z.string().min(1).max(1_000).describe("Words, or a question."),
      limit: z.int().min(1).max(20).default(5),
    }),
  },
  artifact_list: artifactAction("artifact_list"),
  artifact_read: artifactAction("artifact_read"),
  artifact_grep: artifactAction("artifact_grep"),
  artifact_query: artifactAction("artifact_query"),
  run_tool: {
    description:
      "Runs a program the person offers, as they have set it up, on a copy of the project: what it changes there waits for the person. The list of files names those of its project.",
    input: z.strictObject({
      project_id: projectId.optional().describe("The project it is offered in."),
      tool: z.string().min(1).max(64).describe("Its name."),
    }),
  },
  ...workTools,
} as const satisfies Record<string, ActionDefinition>;

export type DeviceActionName = keyof typeof deviceActions;
export const deviceActionNames = Object.keys(deviceActions) as [DeviceActionName, ...DeviceActionName[]];
/** What a run of `categorize` may ask: nobody has asked for it, so a device does nothing else for one. */
export const categorizeActionNames = [
  "read_item",
  "list_projects",
  "list_tasks",
  "list_events",
  "search_notes",
  "search_content",
  "recall",
] as const satisfies readonly DeviceActionName[];
export type DeviceActionInput<A extends DeviceActionName> = z.output<(typeof deviceActions)[A]["input"]>;
