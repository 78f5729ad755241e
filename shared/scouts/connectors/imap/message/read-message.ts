import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";
import { ScoutsError } from "../../../../../events/errors.ts";
import { Transient } from "../../../../privacy/transient.ts";
import { withoutBlankLines } from "../../../../text/without-blank-lines.ts";
import type { Reading } from "../../../triage/readable-text.ts";
import type { ItemContent } from "../../connector.ts";
import { envelopeOf } from "../../mail/envelope.ts";
import { traitsOf } from "../../mail/form/form.ts";
import { letterOf, shownLetterOf } from "../../mail/letter.ts";
import { carriedParts } from "../../mail/machine-parts.ts";
import type { HeaderField, MailPart } from "../../mail/part.ts";
import { isMessage } from "../../mail/split.ts";
import { threadRefOf } from "../../mail/thread.ts";
import { itemMetadata, shownHeader } from "../../metadata.ts";
import { fetchUids } from "../folders.ts";
import { receivedAtMs } from "../identity.ts";
import { maxHeaderBytes } from "../limits.ts";
import { blinded, type ImapAccess } from "../settings.ts";
import { partTreeOfSource } from "./source-tree.ts";
import { stateOf } from "./state.ts";
import { headerOf, partTreeOf, textParts } from "./structure.ts";

const snippetCharacters = 200;

const header = { key: "HEADER", start: 0, maxLength: maxHeaderBytes };
const query = {
  uid: true,
  flags: true,
  internalDate: true,
  bodyStructure: true,
  threadId: true,
  bodyParts: [header],
} satisfies FetchQueryObject;

export interface ReadOn {
  readonly client: ImapFlow;
  readonly access: ImapAccess;
  readonly nowMs: number;
  /** Of all texts of the message. */
  readonly maxBytes: number;
  /** The last try met a structure longer than a response may be: the message is read from its beginning instead. */
  readonly bounded: boolean;
}

/** Reads a message of the selected folder, in parts of bounded size, and leaves its flags alone. @throws item_gone */
export async function readMessage(on: ReadOn, uid: number, reading: Reading = "words"): Promise<ItemContent> {
  const { client, access, nowMs } = on;
  const message = await fetched(on, uid);
  if (!message) throw new ScoutsError("item_gone");
  const fields = headerOf(message);
  const tree = await treeOf(on, message, fields);
  const { text, otherText, isCut, attachments } = letterOf(tree);
  const envelope = envelopeOf(fields, access.user.includes("@") ? access.user : undefined);
  const metadata = itemMetadata({
    ...envelope,
    snippet: withoutBlankLines(text).slice(0, snippetCharacters),
    receivedAtMs: receivedAtMs(message) ?? envelope.sentAt ?? nowMs,
    present: !message.flags?.has("\\Deleted"),
    threadRef: threadOf(access, message, fields),
    attachments,
    state: stateOf(message.flags),
  });
  return {
    ...metadata,
    ...carriedParts(tree),
    header: shownHeader(fields),
    text: new Transient(reading === "shown" ? shownLetterOf(tree) : text),
    traits: traitsOf(tree, text),
    ...(otherText === undefined ? {} : { otherText: new Transient(otherText) }),
    ...(isCut && { isCut }),
  };

  async function treeOf(of: ReadOn, from: FetchMessageObject, head: readonly HeaderField[]): Promise<MailPart> {
    const { bodyStructure } = from;
    // Of a mail that is nothing but another one the letter is in that, whose parts servers number in ways of their own.
    if (!bodyStructure?.type || isMessage(bodyStructure.type.toLowerCase()))
      return partTreeOfSource(await source(client, uid, of.maxBytes));
    const parts = textParts(bodyStructure, of.maxBytes);
    const [read] = parts.length > 0 ? await fetchUids(client, [uid], { uid: true, bodyParts: parts }) : [];
    return partTreeOf(bodyStructure, head, read?.bodyParts ?? new Map());
  }
}

async function fetched({ client, bounded }: ReadOn, uid: number): Promise<FetchMessageObject | undefined> {
  const { bodyStructure: _, ...withoutStructure } = query;
  const [whole] = bounded ? [] : await fetchUids(client, [uid], query);
  if (whole) return whole;
  const [less] = await fetchUids(client, [uid], withoutStructure);
  return less;
}

async function source(client: ImapFlow, uid: number, maxLength: number): Promise<Uint8Array> {
  const [message] = await fetchUids(client, [uid], { uid: true, source: { start: 0, maxLength } });
  return message?.source instanceof Uint8Array ? message.source : new Uint8Array();
}

/** The server's own thread where it has one (RFC 8474), else the message a conversation began with, blinded. */
function threadOf(
  access: ImapAccess,
  { threadId }: FetchMessageObject,
  fields: readonly HeaderField[],
): string | undefined {
  if (threadId) return blinded(access, "thread", `server ${threadId}`);
  return threadRefOf(Buffer.from(access.refKey, "base64url"), fields);
}
