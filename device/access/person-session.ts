import type { FileAccess } from "./file-access.ts";
import type { Approver } from "./policy/approver.ts";
import type { Backend } from "./policy/profiles.ts";
import type { AccessSession } from "./session/session.ts";

/** How a person's session differs from another one. */
export interface PersonOptions {
  /** Shows as much as such a model is shown; default what judges changes, which sees whole files. */
  readonly backend?: Backend | undefined;
  /** Who is asked, where that is not who was given when the project was opened. */
  readonly approver?: Approver;
  /** As in `SessionOptions`. */
  readonly isEditor?: boolean;
}

/** A session of the person whose device this is, at a terminal or at a page: hashes and history are called by their own names. */
export const openPersonSession = (
  access: FileAccess,
  { backend = "review", approver, isEditor = false }: PersonOptions = {},
): AccessSession =>
  access.openSession({
    ...{ caller: "person", backend, seesCredentials: true, seesKept: true, isEditor },
    ...(approver && { approver }),
  });
