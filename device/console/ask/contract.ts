import * as z from "zod";
import type { RunStatus } from "../../../events/frames/agents.ts";
import type { FilePlace } from "../../actions/action-result.ts";
import type { Evidence } from "../../agent/evidence.ts";
import type { NotAllRead } from "../../agent/not-all-read.ts";
import type { AttachmentOutcome } from "../../attachments/gather-attachments.ts";
import type { Charge } from "../../usage/price.ts";
import type { Told } from "../told.ts";

/** The longest question, in UTF-16 code units; a request has room for it in any script's UTF-8. */
export const longestQuestion = 8_000;

/** A project's id as a page knows it: text, which the routes parse. */
const projectId = z.string().max(64);

/** A question, as a person writes it. */
export const askRequest = z.strictObject({
  text: z.string().max(longestQuestion),
  projectId: projectId.optional(),
  /** The answer it goes on from. */
  follows: z.string().max(64).optional(),
  /** What goes along: files of the project, `https:` addresses, `proposal:REF`. */
  attachments: z.array(z.string().min(1).max(4_096)).max(8).optional(),
});

export const conversationsRequest = z.strictObject({ projectId: projectId.optional() });

export const placeRequest = z.strictObject({
  projectId,
  path: z.string().min(1).max(4_096),
  line: z.int().positive().max(100_000_000),
});

/** What a tab hears while its question is answered, one a line. */
export type AskLine =
  | { readonly type: "text"; readonly kind: "append" | "replace"; readonly text: string }
  /** The device has looked something up for the answer. */
  | { readonly type: "step"; readonly step: AskStep }
  /** The home is out of reach, or in reach again. */
  | { readonly type: "connection"; readonly state: "lost" | "back" }
  /** Nothing has come, and the device is there. */
  | { readonly type: "beat" }
  | { readonly type: "end"; readonly end: AskEnd }
  /** It ended otherwise. */
  | { readonly type: "failed"; readonly error: Told };

export interface AskStep {
  readonly action: string;
  /** What it was about: a path, words that were looked for; "" for neither. */
  readonly about: string;
  readonly fromLine: number | null;
  readonly toLine: number | null;
  /** Why it came to nothing. */
  readonly error: string | null;
  readonly places: readonly FilePlace[];
}

export interface AskEnd {
  readonly status: RunStatus;
  /** Why it did not end well. */
  readonly why: Told | null;
  readonly tokens: number;
  /** What they came to, where the person has said a price. */
  readonly charge: Charge | null;
  /** Under which it is kept, and gone on from; null for what is not kept. */
  readonly answerId: string | null;
  readonly evidence: Evidence;
  /** What became of what was attached. */
  readonly attachments: readonly AttachmentOutcome[];
  /** Projects of whose folders not all had been read. */
  readonly notAllRead: readonly NotAllRead[];
  /** More came than is shown. */
  readonly isCut: boolean;
}
