import type { Attachment } from "../connector.ts";
import { decodedField } from "./fields.ts";
import { dispositionOf, fieldOf, type MailPart } from "./part.ts";
import { isShownText } from "./shown-text.ts";

/** Signatures and reports for programs, unless somebody has given them a file's name. */
const machine =
  /^(?:application\/(?:pgp-signature|pgp-encrypted|x-?pkcs7-signature|pkcs7-signature|ms-tnef)|message\/(?:delivery-status|global-delivery-status|disposition-notification|feedback-report)|text\/(?!rtf$).*)$/;

/**
 * Whether a part is somebody's file and not a piece of the letter: it says so, or has a file's name and does not say
 * `inline`, or is no text.
 */
export function isAttachment(part: MailPart): boolean {
  const disposition = dispositionOf(part);
  if (disposition === "attachment") return true;
  return part.fileName !== "" && !(disposition === "inline" && isShownText(part));
}

/**
 * The name a part goes by in a list of attachments; none for pictures a letter draws from (they have no name but an id)
 * and for what only programs read. An attached message goes by its subject.
 */
export function attachmentOf(part: MailPart): Attachment | undefined {
  const { sizeBytes } = part;
  if (part.mimeType === "message/rfc822" || part.mimeType === "message/global") {
    return { name: messageName(part), sizeBytes };
  }
  if (part.fileName !== "") return { name: part.fileName, sizeBytes };
  const isPartOfLetter = fieldOf(part.headers, "content-id") !== "" && dispositionOf(part) !== "attachment";
  if (isPartOfLetter || machine.test(part.mimeType) || part.mimeType.startsWith("multipart/")) return undefined;
  return { name: part.mimeType, sizeBytes };
}

/** As mail programs name a message that is forwarded as a file. */
function messageName(part: MailPart): string {
  const inner = part.parts[0] ? fieldOf(part.parts[0].headers, "subject") : "";
  const subject = decodedField(inner || fieldOf(part.headers, "subject"));
  return subject === "" ? part.fileName || "message.eml" : `${subject}.eml`;
}
