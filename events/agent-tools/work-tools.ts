import * as z from "zod";
import { projectId, proposalId } from "../ids.ts";

const query = z
  .string()
  .min(1)
  .max(1_000)
  .describe('Words, or a question; found in any form and order. from:Ada finds by sender, "in quotes" as it stands.');
const limit = z.int().min(1).max(50).default(20);
const project = projectId.optional().describe("Only what belongs to this project.");
const day = z.iso.date();

/** One tool for what a person's scouts proposed and what the person keeps. All of them only read. */
interface WorkToolDefinition {
  readonly description: string;
  readonly input: z.ZodObject;
}

/**
 * The tools a language model has for a person's proposals, tasks, events and notes. Each answer is a line of JSON about the
 * whole and one for each thing. A name is part of the protocol: it may be added, never renamed.
 */
export const workTools = {
  list_pending_scout_suggestions: {
    description:
      "What the person's scouts proposed (mail and other messages) and the person has not decided yet: id, sender, subject, when, what it asks for, and words of it as they stand there. With a query those that are about it, best first; without one, those first that deserve attention most.",
    input: z.strictObject({
      query: query.optional(),
      decided: z.boolean().default(false).describe("Also what the person has approved or rejected, or what has ended."),
      project_id: project,
      limit,
    }),
  },
  read_suggestion: {
    description:
      "One suggestion: its sender and subject, the beginning of its text, quotes from it, the task, event or note that was drafted from it, and what the person decided. The message itself is at its source.",
    input: z.strictObject({ id: proposalId.describe("As list_pending_scout_suggestions gives it.") }),
  },
  list_tasks: {
    description: "The person's tasks, those due first at the top: id, title, due, priority, status, project, note.",
    input: z.strictObject({
      status: z.enum(["open", "done", "all"]).default("open"),
      due_before: day.optional().describe("Only tasks due before this day."),
      project_id: project,
      query: query.optional(),
      limit,
    }),
  },
  list_events: {
    description:
      "The person's events in order of time, from today on unless another day is named: id, title, start, end, zone, place, people, status, note. A series stands at its next time, with its rule.",
    input: z.strictObject({
      from: day.optional().describe("First day; today when left out."),
      until: day.optional().describe("Last day, inclusive."),
      query: query.optional(),
      limit,
    }),
  },
  search_notes: {
    description: "The person's notes about some words, best first: id, title and the lines that hold the words.",
    input: z.strictObject({ query, limit: limit.default(5) }),
  },
} as const satisfies Record<string, WorkToolDefinition>;

export type WorkToolName = keyof typeof workTools;
export type WorkToolInput<T extends WorkToolName> = z.output<(typeof workTools)[T]["input"]>;
