import type { ItemPart } from "../../../events/frames/items.ts";
import type { ProposalId } from "../../../events/ids.ts";
import { itemMarks } from "../../../events/proposals/item-marks.ts";
import { metadataBounds } from "../../../events/proposals/metadata.ts";
import type { ItemContent } from "../../scouts/connectors/connector.ts";
import { senderLine } from "../../scouts/connectors/metadata.ts";
import { maxReadableCharacters } from "../../scouts/triage/readable-text.ts";

/** Long texts go in parts below API Gateway's 128 KB a message; a character is at most three bytes of JSON's UTF-8, or
 * six when escaped, hence the small number. */
const partCharacters = 16_000;

/** An item as a device gets it: its text, and what it says for programs, in parts that each fit one message. */
export function itemParts(proposalId: ProposalId, content: ItemContent): ItemPart[] {
  const { subject, sender, header, text, otherText, isCut, machineParts } = content;
  const letter = text.reveal();
  const other = otherText?.reveal() ?? "";
  const whole = [
    letter,
    ...(other === "" ? [] : [`${itemMarks.otherText}\n${other}`]),
    // Whoever reads it must not take the end of what is read for the end of what was written.
    ...(isCut || letter.length >= maxReadableCharacters ? [itemMarks.goesOn] : []),
  ].join("\n\n");
  const machine = machineParts === undefined ? "" : JSON.stringify(machineParts.reveal());
  // The first part has less room where the header is beside it.
  const firstCharacters = header === undefined ? partCharacters : partCharacters - metadataBounds.header;
  const rest = Math.max(whole.length, machine.length) - firstCharacters;
  const parts = 1 + Math.max(0, Math.ceil(rest / partCharacters));
  const endOf = (part: number) => firstCharacters + (part - 1) * partCharacters;
  const pieceOf = (all: string, part: number) => all.slice(part === 1 ? 0 : endOf(part - 1), endOf(part));
  return Array.from({ length: parts }, (_, index) => index + 1).map((part) => ({
    proposalId,
    subject: subject.reveal(),
    sender: senderLine(sender.reveal()),
    ...(header !== undefined && part === 1 && { header: header.reveal() }),
    part,
    parts,
    text: pieceOf(whole, part),
    ...(machine === "" ? {} : { machine: pieceOf(machine, part) }),
  }));
}
