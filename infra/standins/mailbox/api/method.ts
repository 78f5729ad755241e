import type { Changes } from "../changes.ts";
import type { Faults } from "../faults.ts";
import { googleErrors } from "../google-error.ts";
import type { ReadContent } from "../store/content.ts";
import type { History } from "../store/history.ts";
import type { MessageRow, Messages } from "../store/messages.ts";
import type { Watch } from "../watch.ts";
import type { MethodName } from "./method-name.ts";

/** What the methods work on. */
export interface MailboxState {
  readonly address: string;
  readonly messages: Messages;
  readonly history: History;
  readonly changes: Changes;
  readonly watch: Watch;
  readonly readContent: ReadContent;
  readonly faults: Faults;
  readonly clock: () => number;
  /** Its files cannot be read: what is new nobody knows. */
  readonly isAway: () => boolean;
  /** A watch was made: mail may arrive, and the state is announced at once. */
  readonly onWatch: () => void;
}

export interface ApiCall {
  /** The variable parts of the path after the user. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface ApiMethod {
  readonly name: MethodName;
  readonly verb: "GET" | "POST";
  /** Path after `/gmail/v1/users/{userId}`. */
  readonly path: RegExp;
  /** Any of these scopes allows the call. */
  readonly scopes: readonly string[];
  /** The answer's body; undefined is 204. Throws GoogleApiError. */
  run(state: MailboxState, call: ApiCall): unknown;
}

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;
const full = "https://mail.google.com/";
export const modifyScopes: readonly string[] = [scope("gmail.modify"), full];
export const readScopes: readonly string[] = [scope("gmail.readonly"), ...modifyScopes];
export const metadataScopes: readonly string[] = [scope("gmail.metadata"), ...readScopes];

/** Whoever asks for news is told that there is nobody to ask, and not that there is none. Throws GoogleApiError. */
export function requireThere(state: MailboxState): void {
  if (state.isAway()) throw googleErrors.backendError(503);
}

/** An arrived, present message; undefined for every other id. */
export function findMessage(state: MailboxState, id: string | undefined): MessageRow | undefined {
  const message = id === undefined ? undefined : state.messages.byId(id);
  return message !== undefined && message.arrived === 1 && message.gone === 0 ? message : undefined;
}
