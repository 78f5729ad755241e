import * as z from "zod";
import type { ChatModel } from "../../../shared/llm/chat-model.ts";
import { fileSummarySystem } from "../../../shared/llm/prompts/file-summary-system.ts";
import { headAndTail, shownCharacters } from "../../../shared/llm/shown-text.ts";
import { delimited, escapedName } from "../../../shared/privacy/delimiters.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { Summarizer } from "./summaries.ts";

const answer = z.object({ summary: z.string() });
const timeoutMs = 60_000;

/** Summaries by a language model. @param name of the model, kept with what it writes */
export function modelSummarizer(model: ChatModel, name: string): Summarizer {
  return {
    name,
    async summarize(text, { path, maxTokens }) {
      const shown = headAndTail(text, shownCharacters.file);
      const { value } = await model.complete({
        system: fileSummarySystem.text,
        user: new Transient(`At most ${maxTokens} tokens.\n${delimited(shown, escapedName(path))}`),
        schema: answer,
        schemaName: "file_summary",
        maxOutputTokens: maxTokens * 2 + 100,
        timeoutMs,
      });
      return value.reveal().summary;
    },
  };
}
