import { ScoutsError } from "../../../events/errors.ts";
import { readPayload } from "../../devices/payloads.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import { type Prompt, promptLabel } from "../../llm/prompt.ts";
import { folderFileSummaryImage } from "../../llm/prompts/folder-file-summary-image.ts";
import { folderFileSummaryText } from "../../llm/prompts/folder-file-summary-text.ts";
import { headAndTail, shownCharacters } from "../../llm/shown-text.ts";
import type { Objects } from "../../ports/objects.ts";
import { delimited, escapedName } from "../../privacy/delimiters.ts";
import type { SessionSealer } from "../../privacy/session-sealer.ts";
import { Transient } from "../../privacy/transient.ts";
import { cleanSummary } from "./clean-summary.ts";
import { type FileSummary, fileSummary } from "./file-result.ts";
import type { QueuedFile } from "./queued-file.ts";
import { maxOutputTokens } from "./token-estimate.ts";

/** An image comes as data, never as an address that somebody would have to fetch (RFC 2397). */
const imageUrl = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

export interface Summarized {
  readonly summary: Transient<FileSummary>;
  readonly tokens: number;
  readonly prompt: string;
  readonly model: string;
}

/** Asks for one file's line in the index. @throws upload_missing, sealed_unreadable, item_unreadable, model_… */
export async function summarizeFile(
  { objects, model }: { readonly objects: Objects; readonly model: ChatModel },
  sealer: SessionSealer,
  file: Transient<QueuedFile>,
  timeoutMs: number,
): Promise<Summarized> {
  const { relPath, kind, content, sizeBytes } = file.reveal();
  const text = await readPayload(objects, sealer, content);
  const isImage = kind === "image";
  if (isImage && !imageUrl.test(text.reveal())) throw new ScoutsError("item_unreadable");
  const prompt: Prompt = isImage ? folderFileSummaryImage : folderFileSummaryText;
  const shown = isImage ? "" : headAndTail(text.reveal(), shownCharacters.file);
  const answer = await model.complete({
    system: prompt.text,
    user: new Transient(`Kind: ${kind}\nBytes: ${sizeBytes}\n${delimited(shown, escapedName(relPath))}`),
    ...(isImage ? { image: text } : {}),
    schema: fileSummary,
    schemaName: prompt.name,
    maxOutputTokens,
    timeoutMs,
    // What is set aside covers one answer.
    tries: 1,
  });
  const { inputTokens, outputTokens } = answer.usage;
  const summary = answer.value.map(({ summary: words, tag }) => ({ summary: cleanSummary(words), tag }));
  if (summary.reveal().summary === "") {
    throw new ScoutsError("model_answer_invalid", { data: { inputTokens, outputTokens } });
  }
  return { summary, tokens: inputTokens + outputTokens, prompt: promptLabel(prompt), model: answer.model };
}
