import { expect, onTestFinished, test } from "vitest";
import { saidAtMs } from "../../../shared/scouts/connectors/feed/document/dates.ts";
import { envelopeOf } from "../../../shared/scouts/connectors/mail/envelope.ts";
import { setVariables } from "../../environment.ts";

/** As a mail and as a feed say it. */
const readers: Readonly<Record<string, (date: string) => number | undefined>> = {
  mail: (date) => envelopeOf([{ name: "Date", value: date }]).sentAt,
  feed: saidAtMs,
};

test.each([
  ["Mon, 23 Nov 2026 10:00:00 CET", "2026-11-23T09:00:00Z"],
  ["Mon, 23 Nov 2026 10:00:00 +0100 CET", "2026-11-23T09:00:00Z"],
  ["Thu, 23 Jul 2026 10:00:00 BST", "2026-07-23T09:00:00Z"],
  ["Thu, 23 Jul 2026 10:00:00 CEST (Central Europe)", "2026-07-23T08:00:00Z"],
  ["Tue, 23 Nov 1999 15:14:23 CET (+0100)", "1999-11-23T14:14:23Z"],
  ["Mon, 23 Nov 2026 10:00:00 JST", "2026-11-23T01:00:00Z"],
  ["Mon, 23 Nov 2026 10:00:00 PST", "2026-11-23T18:00:00Z"],
  ["Mon, 23 Nov 2026 10:00:00 +0100 (CET)", "2026-11-23T09:00:00Z"],
  ["Wed, 14 Jul 2004 16:50:16 +01", "2004-07-14T15:50:16Z"],
  ["Mon, 23 Nov 2026 10:00 GMT+0100", "2026-11-23T09:00:00Z"],
  // Without a zone: the same on every machine.
  ["Mon, 23 Nov 2026 10:00:00", "2026-11-23T10:00:00Z"],
  ["2026-11-23T10:00:00", "2026-11-23T10:00:00Z"],
  ["2026-11-23 10:00:00", "2026-11-23T10:00:00Z"],
  ["23 Nov 2026", "2026-11-23T00:00:00Z"],
  ["2026-11-23", "2026-11-23T00:00:00Z"],
  ["2026-11-23T10:00:00.000000Z", "2026-11-23T10:00:00Z"],
  ["2026-11-23T10:00:00+0100", "2026-11-23T09:00:00Z"],
  ["11/23/2026 10:00:00 AM", "2026-11-23T10:00:00Z"],
  ["never", undefined],
  ["", undefined],
])("a date written %j is %s, whatever zone the machine is in", (date, moment) => {
  for (const zone of ["America/New_York", "Asia/Kolkata"]) {
    const putBack = setVariables({ TZ: zone });
    onTestFinished(putBack);
    for (const [source, read] of Object.entries(readers)) {
      expect(read(date), `${source} in ${zone}`).toBe(moment === undefined ? undefined : Date.parse(moment));
    }
    putBack();
  }
});
