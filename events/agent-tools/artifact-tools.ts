import * as z from "zod";

const id = z
  .string()
  .min(1)
  .max(600)
  .describe("Id of an artifact, as the conversation or artifact_list gives it: thread/task/call.json");

/** One tool: what it takes, and how it is called. All of them only read. */
interface ArtifactToolDefinition {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The tools a language model has for results that were stored instead of shown. A name is part of the protocol: it may be
 * added, never renamed.
 */
export const artifactTools = {
  artifact_list: {
    title: "List artifacts",
    description: "Stored results of this conversation: id, type, size, shape, and which tool gave them.",
    input: z.strictObject({
      globs: z
        .array(z.string().min(1).max(1_000))
        .max(100)
        .optional()
        .describe("Patterns for ids in gitignore syntax; one with ! in front leaves artifacts out."),
      limit: z.int().min(1).max(500).default(50),
      after: id.optional().describe("Last id of the page before."),
    }),
    examples: [{}, { globs: ["*.json"], limit: 20 }],
  },
  artifact_read: {
    title: "Read an artifact",
    description:
      "A part of a stored result's text: lines from startLine to endLine, or maxChars characters from startChar (UTF-16 code units), which also serves one endless line.",
    input: z.strictObject({
      id,
      startLine: z.int().min(1).max(10_000_000_000).optional(),
      endLine: z.int().min(1).max(10_000_000_000).optional().describe("Last line, inclusive."),
      startChar: z.int().min(0).max(1_000_000_000_000).optional(),
      maxChars: z.int().min(1).max(100_000).default(8_000).describe("Longer text is cut, and said to be."),
    }),
    examples: [
      { id: "thr_1/task_1/call_1.log", startLine: 1, endLine: 40 },
      { id: "thr_1/task_1/call_2.json", startChar: 20_000, maxChars: 4_000 },
    ],
  },
  artifact_grep: {
    title: "Search in artifacts",
    description:
      "Lines of stored results that hold a text, or match an RE2 regular expression, with lines around them.",
    input: z.strictObject({
      pattern: z.string().min(1).max(2_000),
      regex: z.boolean().default(false),
      ignoreCase: z.boolean().default(false),
      ids: z.array(id).max(100).optional().describe("Only in these; in all of this conversation when left out."),
      globs: z.array(z.string().min(1).max(1_000)).max(100).optional(),
      contextLines: z.int().min(0).max(20).default(0),
      maxMatches: z.int().min(1).max(500).default(50),
    }),
    examples: [{ pattern: "ERROR", ids: ["thr_1/task_1/call_1.log"], contextLines: 2 }],
  },
  artifact_query: {
    title: "Query an artifact",
    description:
      "A JMESPath expression (https://jmespath.org) on a stored result: JSON as it is, JSON Lines and CSV as an array of rows (objects by column; numbers as numbers).",
    input: z.strictObject({
      id,
      query: z.string().min(1).max(4_000),
      maxChars: z.int().min(100).max(100_000).default(8_000).describe("A longer answer is stored as an artifact."),
    }),
    examples: [
      { id: "thr_1/task_1/call_2.json", query: "items[?price > `10`].name | [:20]" },
      { id: "thr_1/task_1/call_3.csv", query: "length(@)" },
    ],
  },
} as const satisfies Record<string, ArtifactToolDefinition>;

export type ArtifactToolName = keyof typeof artifactTools;
export type ArtifactToolInput<T extends ArtifactToolName> = z.output<(typeof artifactTools)[T]["input"]>;

/**
 * Stands for an artifact's content wherever a tool takes an argument: the device fills it in, and the content never passes
 * through the model. What the tool gave is filled in as it was (JSON as a value, text as text) unless `as` says otherwise.
 */
export const artifactReference = z.strictObject({
  $artifact: id,
  as: z.enum(["json", "text", "base64"]).optional(),
});
export type ArtifactReference = z.infer<typeof artifactReference>;
