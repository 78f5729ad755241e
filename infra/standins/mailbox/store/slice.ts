import * as z from "zod";

export const sliceRow = z.object({ offset: z.number(), length: z.number(), hash: z.string(), message_id: z.string() });
/** A message's bytes as they lay in a file when it was read last. */
export type KnownSlice = z.infer<typeof sliceRow>;

/** A message's bytes as found in a file. */
export interface FoundSlice {
  readonly offset: number;
  readonly length: number;
  readonly hash: string;
  /** The hash of what was received, whatever an export or a mail program has added: what a message is known by. */
  readonly identity: string;
  readonly head: Buffer;
}
