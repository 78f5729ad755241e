import * as z from "zod";
import { callId } from "../../../events/ids.ts";

const call = z.object({ callId, name: z.string(), arguments: z.string() });
export type Call = z.infer<typeof call>;

/** Text of others: `nonce` is part of the marker lines it stands between, made for it and unknown to whoever wrote it. */
const quoted = z.object({ nonce: z.string(), text: z.string() });
export type Quoted = z.infer<typeof quoted>;

const turn = z.discriminatedUnion("role", [
  z.object({ role: z.literal("person"), text: z.string() }),
  z.object({ role: z.literal("model"), text: z.string(), calls: z.array(call) }),
  z.object({ role: z.literal("result"), callId, ...quoted.shape }),
]);
export type Turn = z.infer<typeof turn>;

/**
 * A run so far: what its next step has to know. It exists in a worker's memory, and sealed on its way to the device and
 * back. It goes on as it began: with the instructions, and so the version, of its first step.
 */
export const conversation = z.object({
  v: z.literal(1),
  /** Name and version of the instructions. */
  prompt: z.string(),
  instructions: z.string(),
  /** What the first hop brought: the `<linked_folder>` block. */
  folder: quoted.nullable(),
  turns: z.array(turn),
  /** Calls the device is to answer; those of the first hop no model made, and the first of them brings the list of files. */
  open: z.array(call),
  firstHop: z.boolean(),
});
export type Conversation = z.infer<typeof conversation>;
