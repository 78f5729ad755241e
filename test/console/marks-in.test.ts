import { expect, test } from "vitest";
import { marksIn } from "../../device/console/page/item/marks-in.ts";
import german from "../../device/console/page/texts/de.json" with { type: "json" };
import { joinProposalId } from "../../events/ids.ts";
import { itemMarks } from "../../events/proposals/item-marks.ts";
import { itemParts } from "../../shared/devices/frames/item-parts.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { itemMetadata } from "../../shared/scouts/connectors/metadata.ts";
import { inbox, ref } from "../unit/scouts/setting.ts";

test("what the cloud says in a letter that goes on, and before its other text, is said in the reader's language", () => {
  const letter = {
    ...itemMetadata({
      ...{ subject: "Report", sender: { name: "", address: "" }, snippet: "", receivedAtMs: 0, present: true },
      ...{ relation: "to", automatic: false },
    }),
    text: new Transient("Guten Tag."),
    otherText: new Transient("Hallo."),
    isCut: true as const,
  };
  const [part] = itemParts(joinProposalId(inbox, ref("m1")), letter);
  const { goesOn, otherText } = german.item;
  const shown = marksIn(part?.text ?? "", { goesOn, otherText });
  expect(shown).toBe(`Guten Tag.\n\n${otherText}\nHallo.\n\n${goesOn}`);
  for (const mark of Object.values(itemMarks)) expect(shown).not.toContain(mark);
});
