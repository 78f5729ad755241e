import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { isScoutsError } from "../../../../../events/errors.ts";
import type { ItemRef } from "../../../../../events/ids.ts";
import type { ScoutAtSource } from "../../connector.ts";
import { isMachineCalendar, machinePartsOf, mostCalendars } from "../../mail/machine-parts.ts";
import { partLimits } from "../../mail/part.ts";
import type { GmailClient } from "../client.ts";
import { mailPartOf, partTreeOf } from "../part-tree.ts";

/**
 * The calendars that a message has as files, base64url, by the ids of their attachments: Gmail keeps files back. Asked for
 * only where the letter has none in place; each costs as much as a message, and hardly any mail has one.
 *
 * @throws as {@link GmailClient.call}; of a file that is gone, nothing is known
 */
export async function attachedCalendars(
  client: GmailClient,
  scout: ScoutAtSource,
  messageId: ItemRef,
  payload: gmail_v1.Schema$MessagePart | undefined,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const ids = calendarFiles(payload);
  if (ids.length === 0 || machinePartsOf(partTreeOf(payload)).calendars.length > 0) return found;
  for (const id of ids) {
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

function calendarFiles(payload: gmail_v1.Schema$MessagePart | undefined): string[] {
  const ids: string[] = [];
  const waiting = payload ? [payload] : [];
  for (let looked = 0; looked < partLimits.parts && ids.length < mostCalendars; looked++) {
    const part = waiting.shift();
    if (part === undefined) break;
    const { mimeType = "", body } = part;
    // What is in an attached message is not read.
    if (mimeType?.toLowerCase().startsWith("message/")) continue;
    waiting.push(...(part.parts ?? []).slice(0, partLimits.parts));
    if (body?.attachmentId && isMachineCalendar(mailPartOf(part))) ids.push(body.attachmentId);
  }
  return ids;
}
