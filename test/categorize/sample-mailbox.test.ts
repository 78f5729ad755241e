import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { categorizeByRules } from "../../device/categorize/rules.ts";
import { messageResource } from "../../infra/standins/mailbox/api/message-resource.ts";
import { proposalFrame } from "../../shared/devices/proposal-frame.ts";
import { contentOf } from "../../shared/scouts/connectors/gmail/message.ts";
import { itemRow } from "../../shared/scouts/items/item-row.ts";
import { item as judgedItem } from "../unit/scouts/setting.ts";
import { item, known } from "./case.ts";

const folder = join(import.meta.dirname, "../../infra/standins/sample-mailbox");

/** A mail of the sample mailbox, which arrives there and is read at a moment. */
async function readOn(name: string, moment: string) {
  const atMs = Date.parse(moment);
  const row = { id: "1", thread_id: "1", labels: ["INBOX"], history_id: "1", internal_date_ms: atMs };
  const content = contentOf(messageResource(row, readFileSync(join(folder, name)), "full", []));
  const judged = itemRow.parse({ ...judgedItem("m1"), sourceType: "mailbox", status: "delivered", triagedAt: atMs });
  const { proposal } = proposalFrame(judged, content, null);
  const { rawSubject, metadata = null, triagedAt } = proposal;
  const view = item({ subject: rawSubject ?? "", text: content.text.reveal(), metadata, triagedAt });
  return categorizeByRules(view, known({ nowMs: atMs, isSenderKnown: false }));
}

test.each([
  ["before it", "2026-11-17T10:00:00Z", "later"],
  ["a week after it", "2026-11-26T09:00:00Z", "none"],
  ["in the next year", "2027-10-01T09:00:00Z", "none"],
])("the appointment of the sample mailbox is on its own day, read %s", async (_, moment, priority) => {
  const { category, priority: own, draft } = await readOn("36-appointment-reminder.eml", moment);
  expect([category, own]).toEqual(["event", priority]);
  expect([draft.start, draft.zone]).toEqual(["2026-11-19T10:40:00", "Europe/Berlin"]);
});
