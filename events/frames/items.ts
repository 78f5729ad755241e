import * as z from "zod";
import { frameId, proposalId } from "../ids.ts";
import { itemHeader } from "../proposals/item.ts";
import { toldCode } from "../told-code.ts";
import { socketLimits } from "./limits.ts";

const id = frameId;

const itemRequest = z.object({
  type: z.literal("scout_item_request"),
  id,
  proposalId,
  /** Nobody waits for it: what its source allows a minute stays free for those who do. */
  background: z.literal(true).optional(),
});
/** Nobody waits for these: what their source allows a minute stays free for those who do. */
const itemsRequest = z.object({
  type: z.literal("scout_items_request"),
  id,
  proposalIds: z.array(proposalId).min(1).max(socketLimits.itemsPerFrame),
});

/** How a device asks for what proposals are about. */
export const itemClientFrames = [itemRequest, itemsRequest] as const;

const itemPart = z.object({
  proposalId,
  subject: z.string().nullable(),
  sender: z.string().nullable(),
  /** With the first part, where the source has one. */
  header: itemHeader.optional(),
  part: z.number().int().positive(),
  parts: z.number().int().positive(),
  text: z.string(),
  /** This part of what it says for programs: all parts together are the JSON of `itemMachineParts`, or nothing. */
  machine: z.string().optional(),
});
export type ItemPart = z.infer<typeof itemPart>;

const scoutItem = itemPart.extend({ type: z.literal("scout_item"), inReplyTo: frameId });
/** As many parts as one message holds, and which items cannot be read; more such frames follow until each is answered. */
const scoutItems = z.object({
  type: z.literal("scout_items"),
  inReplyTo: frameId,
  parts: z.array(itemPart),
  refused: z.array(z.object({ proposalId, code: toldCode })),
});

/** How the cloud answers. */
export const itemServerFrames = [scoutItem, scoutItems] as const;
