import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { isScoutsError } from "../../../../../events/errors.ts";
import type { ItemRef } from "../../../../../events/ids.ts";
import type { ScoutAtSource } from "../../connector.ts";
import { isAttachment } from "../../mail/attachments.ts";
import { isMachineCalendar, machinePartsOf } from "../../mail/machine-parts.ts";
import { partLimits } from "../../mail/part.ts";
import { isShownText } from "../../mail/shown-text.ts";
import type { GmailClient } from "../client.ts";
import { mailPartOf, partTreeOf } from "../part-tree.ts";

/** Each costs as much as a message; hardly any mail has one. */
const mostFiles = 3;
/** As much as is looked at of one part. */
const mostTextBytes = 1_000_000;

type Part = gmail_v1.Schema$MessagePart;

/**
 * What Gmail keeps back as files, for their names, and a mail program shows: text of the letter that bears a name, and
 * calendars, where none stands in the letter. Base64url, by the ids of their attachments.
 *
 * @throws as {@link GmailClient.call}; of a file that is gone, nothing is known
 */
export async function filesRead(
  client: GmailClient,
  scout: ScoutAtSource,
  messageId: ItemRef,
  payload: Part | undefined,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const id of idsOfRead(payload)) {
    const asked = { userId: "me", messageId, id };
    const file = await client
      .call(scout, (users) => users.messages.attachments.get(asked))
      .catch((error: unknown) => {
        if (isScoutsError(error, "item_gone")) return undefined;
        throw error;
      });
    if (file?.data) found.set(id, file.data);
  }
  return found;
}

function idsOfRead(payload: Part | undefined): string[] {
  const texts: string[] = [];
  const calendars: string[] = [];
  const waiting = payload ? [payload] : [];
  for (let looked = 0; looked < partLimits.parts; looked++) {
    const part = waiting.shift();
    if (part === undefined) break;
    const own = mailPartOf(part);
    // What is in an attached message is not read.
    if (own.mimeType.startsWith("message/")) continue;
    waiting.push(...(part.parts ?? []).slice(0, partLimits.parts));
    const id = part.body?.attachmentId;
    if (!id) continue;
    if (isMachineCalendar(own)) calendars.push(id);
    // A name must not hide a letter: a message that is nothing but a text is one.
    else if (isShownText(own) && own.sizeBytes <= mostTextBytes && (!isAttachment(own) || part === payload))
      texts.push(id);
  }
  const isWithout = calendars.length > 0 && machinePartsOf(partTreeOf(payload)).calendars.length === 0;
  return [...texts, ...(isWithout ? calendars : [])].slice(0, mostFiles);
}
