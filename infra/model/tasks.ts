import type { FileSummary } from "../../shared/folders/summarize/file-result.ts";
import { describeImage } from "./file/describe-image.ts";
import { describeText } from "./file/describe-text.ts";
import { tagOf } from "./file/file-tag.ts";
import { fileIn } from "./file/file-view.ts";
import { extractSummary } from "./summary.ts";
import { itemBlock } from "./triage/prompt.ts";
import { shippedClassifier } from "./triage/shipped.ts";
import { verdictOf } from "./triage/verdict.ts";

/** A job the built-in model knows, told from others by the name of the answer's JSON schema. */
export type ModelTask = (prompt: string, images: readonly string[]) => unknown;

/** What to do for each `response_format.json_schema.name`. To teach the model a job, add a line. */
export type TaskTable = ReadonlyMap<string, ModelTask>;

/** The jobs of the built-in model. Its weights are decoded with the first mail: a home that is given none need not wait for them. */
export function builtInTasks(): TaskTable {
  return new Map<string, ModelTask>([
    ["triage_verdict", (prompt) => verdictOf(shippedClassifier(), prompt)],
    ["folder_file_summary_text", summarizeText],
    ["folder_file_summary_image", summarizeImage],
  ]);
}

/** What a file of a project says of itself. */
function summarizeText(prompt: string): FileSummary {
  const file = fileIn(prompt);
  return { summary: describeText(file), tag: tagOf(file.path) };
}

function summarizeImage(prompt: string, [image = ""]: readonly string[]): FileSummary {
  return { summary: describeImage(fileIn(prompt).path, image), tag: "image" };
}

/** The answer when no schema is asked for: a few sentences of the material itself. */
export function freeAnswer(prompt: string): string {
  return extractSummary(itemBlock(prompt)) || "There is nothing to read.";
}
