import { expect, test } from "vitest";
import { joinProposalId } from "../../../events/ids.ts";
import { itemParts } from "../../../shared/devices/frames/item-parts.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { ItemContent } from "../../../shared/scouts/connectors/connector.ts";
import { letterOf } from "../../../shared/scouts/connectors/mail/letter.ts";
import { itemMetadata } from "../../../shared/scouts/connectors/metadata.ts";
import { carriedContent, contentOf } from "../../../shared/scouts/connectors/remote/carried.ts";
import { inbox, ref } from "../scouts/setting.ts";

const goesOn = /\[It goes on: [^\]]+\]$/;

/** A mail of so many lines, as a person who opens it reads it. */
function read(lines: number, other?: string): string {
  const source = Array.from({ length: lines }, (_, at) => `Line ${at} of the letter.`).join("\n");
  const part = { mimeType: "text/plain", fileName: "", headers: [], sizeBytes: source.length, parts: [] };
  const { text, isCut } = letterOf({ ...part, text: (most) => source.slice(0, most) });
  const found: ItemContent = {
    ...itemMetadata({
      ...{ subject: "Report", sender: { name: "", address: "" }, snippet: "", receivedAtMs: 0, present: true },
      ...{ relation: "to", automatic: false },
    }),
    text: new Transient(text),
    ...(other !== undefined && { otherText: new Transient(other) }),
    ...(isCut && { isCut }),
  };
  const parts = itemParts(joinProposalId(inbox, ref("m1")), contentOf(carriedContent(found)));
  return parts.map((each) => each.text).join("");
}

test("nothing silent: of a mail that is longer than what is read of one, its reader is told that it goes on", () => {
  expect(read(20_000)).toMatch(goesOn);
  expect(read(60_000)).toMatch(goesOn);
  expect(read(20_000, "Another version.")).toMatch(goesOn);
});

test("one that is read to its end says no such thing", () => {
  expect(read(5_000)).toMatch(/Line 4999 of the letter\.$/);
});
