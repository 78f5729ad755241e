import * as z from "zod";
import { type ProjectId, scoutId } from "../../events/ids.ts";
import type { RescanProgress } from "../folders/indexer/rescan-project.ts";
import type { ShownProposal } from "./inbox/shown.ts";
import type { Preferences } from "./settings/contract.ts";

/** What a tab trades for its token: the code of one launch, 32 bytes in base64url. */
export const sessionRequest = z.strictObject({ code: z.string().regex(/^[\w-]{43}$/) });

export const dismissedQuery = z.object({ scout: scoutId, cursor: z.string().max(1_000).optional() });

/** Where a tab has heard events to: `{run}.{number}`. */
export const eventQuery = z.object({ after: z.string().max(64) });

/** What a tab is told while it is open. */
export type ConsoleEvent =
  /** A proposal is new, or is another than it was: decided, undone, closed. */
  | { readonly type: "proposal"; readonly proposal: ShownProposal }
  /** Another process has written, or a project is another than it was: whatever is shown may have changed. */
  | { readonly type: "changed" }
  /** A scout lost its source, works again, or has something to tell; a folder is being read, or has been. */
  | { readonly type: "scouts" }
  /** How far the scan of a folder is. */
  | { readonly type: "scan"; readonly project: ProjectId; readonly scan: RescanProgress }
  /** A file of a project's folder was written by the console. */
  | { readonly type: "files"; readonly project: ProjectId }
  /** A task, an event, a note, a person or a fact is another than it was, new or gone. */
  | { readonly type: "work" }
  /** Something was asked of the person, or was done; or that has ended. */
  | { readonly type: "activity" }
  /** An answer was kept, or forgotten. */
  | { readonly type: "answers" }
  /** Somebody has chosen other colours, say. */
  | { readonly type: "preferences"; readonly preferences: Preferences }
  | { readonly type: "connection"; readonly online: boolean }
  /** The mail that lay there when the program began has been read. */
  | { readonly type: "read" }
  /** What happened since is not known here any more: ask for everything anew. The first word to every new tab. */
  | { readonly type: "reset"; readonly online: boolean; readonly isReading: boolean }
  /** Nothing happened, and the device is there. */
  | { readonly type: "beat" };

export interface LoggedEvent {
  /** Where a tab goes on that has read this line. */
  readonly at: string;
  readonly event: ConsoleEvent;
}
