import * as z from "zod";
import { projectId, proposalId, scoutId, taskId } from "../../../events/ids.ts";
import { categories, priorities } from "../../../events/proposals/categorize.ts";
import { shownReasonCodeSchema } from "../../../events/proposals/verdict.ts";
import { draftForm } from "../../proposals/draft/draft-form.ts";
import { type TitleLanguage, titleLanguages } from "../../proposals/draft/draft-outcome.ts";
import { shownStatuses } from "../../proposals/proposal-page.ts";

/** What a list is narrowed to. Words are in a body and not in an address, which is kept in places that content is not. */
export const narrowedRequest = z.strictObject({
  status: z.enum(shownStatuses).default("pending"),
  scout: scoutId.optional(),
  why: shownReasonCodeSchema.optional(),
  category: z.enum([...categories, "unprocessed"]).optional(),
  priority: z.enum(priorities).optional(),
  project: projectId.optional(),
  words: z.string().max(200).default(""),
});

export const pageRequest = z.strictObject({
  ...narrowedRequest.shape,
  /** Names a look at the list in the order of attention; without one it is newest first. */
  look: z.string().min(1).max(64).optional(),
  /** How many lie before the page. */
  from: z.number().int().nonnegative().default(0),
});

/** What a tab speaks, as the header of its requests names it (RFC 9110 §12.5.4); English where it is none that the console has. */
export function languageIn(header: string | undefined): TitleLanguage {
  const spoken = header?.slice(0, 2).toLowerCase();
  return titleLanguages.find((each) => each === spoken) ?? "en";
}

const revision = z.string().length(16);

/** @property seen the revision of the draft that is approved */
export const decisionRequest = z.strictObject({
  outcome: z.enum(["approved", "rejected"]),
  seen: revision.optional(),
});

export const formRequest = z.strictObject({ form: draftForm, seen: revision });
export const convertRequest = z.strictObject({ form: draftForm });

/** Proposals that are chosen together; as many as fit a request. */
const ids = z.array(proposalId).min(1).max(150);
export const idsRequest = z.strictObject({ ids });
export const decisionsRequest = z.strictObject({ ids, outcome: z.enum(["approved", "rejected"]) });
export const snoozeRequest = z.strictObject({
  ids,
  /** A moment that was shown (milliseconds since the epoch), a time as a person writes it, or null for now. */
  until: z.union([z.number().int(), z.string().max(100)]).nullable(),
});
export const assignRequest = z.strictObject({ ids, project: projectId.nullable() });
export const mergeRequest = z.strictObject({ ids, task: taskId });

/** All that is pending of a proposal's conversation, or from its sender. */
export const alikeRequest = z.strictObject({ by: z.enum(["thread", "sender"]) });
export const muteRequest = z.strictObject({ muted: z.boolean() });
export const tasksRequest = z.strictObject({ words: z.string().max(200) });
