import type { Verdict } from "../../events/verdict.ts";
import type { FileSummary } from "../../shared/folders/summarize/file-result.ts";
import { head, shownCharacters } from "../../shared/llm/shown-text.ts";
import { describeImage } from "./file/describe-image.ts";
import { describeText } from "./file/describe-text.ts";
import { tagOf } from "./file/file-tag.ts";
import { fileIn } from "./file/file-view.ts";
import { extractSummary } from "./summary.ts";
import { type Classifier, loadClassifier } from "./triage/classifier.ts";
import { itemBlock, parseItem, purposeOf } from "./triage/prompt.ts";
import { reasonOf } from "./triage/reason.ts";
import { reasonCodeOf } from "./triage/reason-code.ts";

const maxHeaderCharacters = 500;
/** Below it a mail is called relevant: what is as likely wanted as not is shown under its kind and not as a suspicion. */
const leastToAccuse = 0.7;

/** A job the built-in model knows, told from others by the name of the answer's JSON schema. */
export type ModelTask = (prompt: string, images: readonly string[]) => unknown;

/** What to do for each `response_format.json_schema.name`. To teach the model a job, add a line. */
export type TaskTable = ReadonlyMap<string, ModelTask>;

/** The jobs of the built-in model. */
export function builtInTasks(classifier: Classifier = loadClassifier()): TaskTable {
  return new Map<string, ModelTask>([
    ["triage_verdict", (prompt) => triage(classifier, prompt)],
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

/** Judges the item in a triage prompt. What the item says about how to be judged is text like any other. */
export function triage(classifier: Classifier, prompt: string): Verdict {
  const item = parseItem(itemBlock(prompt));
  const view = {
    subject: item.subject.slice(0, maxHeaderCharacters).toWellFormed(),
    sender: item.sender.slice(0, maxHeaderCharacters).toWellFormed(),
    body: head(item.body, shownCharacters.letter),
    ...(item.header === undefined ? {} : { header: item.header }),
  };
  const { spamProbability, unsure, features } = classifier.classify(view, purposeOf(prompt));
  const spam = spamProbability >= leastToAccuse;
  const confidence = spam ? spamProbability : Math.max(0.5, 1 - spamProbability);
  return {
    verdict: spam ? "spam" : "relevant",
    reason: reasonOf(view, classifier.model, spam, unsure),
    reasonCode: reasonCodeOf(view, features.signals, classifier.kinds, spam),
    confidence: Math.round(confidence * 1e4) / 1e4,
  };
}

/** The answer when no schema is asked for: a few sentences of the material itself. */
export function freeAnswer(prompt: string): string {
  return extractSummary(itemBlock(prompt)) || "There is nothing to read.";
}
