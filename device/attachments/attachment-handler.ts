import type { AttachmentKind } from "./attachment-ref.ts";

/** What a handler may spend on one attachment. */
export interface AttachmentBounds {
  readonly bytes: number;
  readonly characters: number;
  /** Aborted when time is up, or the person cancels. */
  readonly signal: AbortSignal;
}

/** What was read of one attachment: text without credentials. */
export interface AttachedText {
  readonly text: string;
  /** Not all of it is in the text. */
  readonly isCut: boolean;
}

/**
 * Reads one kind of attachment. An implementation MUST keep to the bounds, MUST take credentials out, and MUST fail with a
 * DeviceError that says what helps.
 */
export interface AttachmentHandler {
  /** @param of what stands behind the kind's colon @throws DeviceError, AccessError, ScoutsError */
  read(of: string, bounds: AttachmentBounds): Promise<AttachedText>;
}

/** Those a way in has. What is left out cannot be attached there. */
export type AttachmentHandlers = { readonly [K in AttachmentKind]?: AttachmentHandler };
