import type { ProjectId } from "../../events/ids.ts";
import type { ProposalMetadata } from "../../events/proposals/metadata.ts";
import type { ShownReasonCode } from "../../events/proposals/verdict.ts";

/** What is looked at of an item; all of it is a stranger's words but the reason code. */
export interface ItemView {
  readonly subject: string;
  /** What a person reads of it; its snippet where it could not be read in full. */
  readonly text: string;
  /** Null where its source told nothing of it. */
  readonly metadata: ProposalMetadata | null;
  readonly reasonCode: ShownReasonCode;
  /** When it was judged, in milliseconds since the epoch. */
  readonly triagedAt: number;
  /** Its calendar parts (RFC 5545), as they are written. */
  readonly calendars: readonly string[];
  /** Its JSON-LD (schema.org), as it is written. */
  readonly linkedData: readonly string[];
}

/** What the device knows besides: never from the item itself. */
export interface Known {
  readonly nowMs: number;
  /** The person's IANA zone. */
  readonly zone: string;
  /** The sender is among the person's people, was approved before, or wrote in a conversation that was. */
  readonly isSenderKnown: boolean;
  readonly projects: readonly { readonly id: ProjectId; readonly name: string }[];
  /** The newest revision that is known of an event: the person's own, or its sender's, its own proposal left out. */
  readonly revisionOf: (uid: string, recurrenceId: string) => KnownRevision | undefined;
}

/** What is known of an event that is named again. */
export interface KnownRevision {
  readonly sequence: number;
  readonly stampedAt: number | null;
  readonly status: "confirmed" | "tentative" | "cancelled";
  readonly title: string;
  readonly start: string | null;
  readonly end: string | null;
  readonly zone: string | null;
  readonly isAllDay: boolean;
  /** The person has it from somebody else than the sender. */
  readonly isOfAnother: boolean;
}
