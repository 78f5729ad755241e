import * as z from "zod";
import type { ChatModel } from "../../shared/llm/chat-model.ts";
import { mergeProposalSystem } from "../../shared/llm/prompts/merge-proposal-system.ts";
import { shownCharacters } from "../../shared/llm/shown-text.ts";
import { delimited, escapedName } from "../../shared/privacy/delimiters.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import type { MergeProposer } from "./merge-proposer.ts";

const answer = z.object({ merged: z.string() });
const timeoutMs = 120_000;

/** Merge proposals by the review model. */
export function modelMergeProposer(model: ChatModel): MergeProposer {
  return {
    async propose({ path, base, edited, current }) {
      if (Math.max(base.length, edited.length, current.length) > shownCharacters.merge) return undefined;
      const texts = [
        delimited(base, `base ${escapedName(path)}`),
        delimited(edited, "the base with the edit"),
        delimited(current, "the file as it is now"),
      ];
      const { value } = await model.complete({
        system: mergeProposalSystem.text,
        user: new Transient(texts.join("\n")),
        schema: answer,
        schemaName: "merge_proposal",
        maxOutputTokens: 16_000,
        timeoutMs,
      });
      const { merged } = value.reveal();
      return merged === "" ? undefined : merged;
    },
  };
}
