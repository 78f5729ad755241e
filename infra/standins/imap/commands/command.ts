import type { Selected } from "../session/selected.ts";
import type { Completion, Session } from "../session/session.ts";
import type { Account } from "../store/account.ts";
import type { Value } from "../wire/values.ts";

/** In which state a command may be given; those of a later one may be given in every state after. */
export type Needs = "nothing" | "signIn" | "folder";

export interface Command {
  readonly needs: Needs;
  /** Whether message numbers must stay as they are while it is answered (RFC 3501 §7.4.1). */
  readonly keepsNumbers?: true;
  /** @throws SyntaxFault */
  readonly run: (session: Session, words: readonly Value[]) => Promise<Completion>;
}

/** A command of whoever has signed in. */
export const signedIn = (
  run: (session: Session, words: readonly Value[], account: Account) => Promise<Completion>,
): Command => ({
  needs: "signIn",
  run: async (session, words) => (session.account ? run(session, words, session.account) : "BAD Sign in first"),
});

/** A command about the selected folder. */
export const inFolder = (
  run: (session: Session, words: readonly Value[], selected: Selected) => Promise<Completion>,
  keepsNumbers = false,
): Command => ({
  needs: "folder",
  run: async (session, words) =>
    session.selected ? run(session, words, session.selected) : "BAD Select a folder first",
  ...(keepsNumbers ? { keepsNumbers } : {}),
});
