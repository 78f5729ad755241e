import { expect, test } from "vitest";
import { contentOf } from "../../../../shared/scouts/connectors/gmail/message.ts";
import { message, text } from "./parts.ts";

const textOf = (payload: Parameters<typeof message>[0]) => contentOf(message(payload)).text.reveal();

test("an invitation without an end says how long it lasts, and its reminder says nothing of it", () => {
  const card = (...lines: readonly string[]) =>
    textOf(
      text("text/calendar", ["METHOD:REQUEST", "BEGIN:VEVENT", "SUMMARY:Beds", ...lines, "END:VEVENT"].join("\n")),
    );
  const when = (start: string, duration: string) =>
    /When: (.*)/.exec(card(`DTSTART${start}`, "BEGIN:VALARM", "DURATION:PT5M", "END:VALARM", duration))?.[1];
  expect(when(":20261124T130000Z", "DURATION:PT1H30M")).toBe("2026-11-24 13:00 UTC to 2026-11-24 14:30 UTC");
  expect(when(";TZID=Asia/Kolkata:20261124T233000", "DURATION:PT45M")).toBe(
    "2026-11-24 23:30 to 2026-11-25 00:15 (Asia/Kolkata)",
  );
  expect(when(";VALUE=DATE:20261231", "DURATION:P2D")).toBe("2026-12-31 to 2027-01-01");
  expect(when(":20261231", "DURATION:P1W")).toBe("2026-12-31 to 2027-01-06");
  for (const none of ["DURATION:soon", "DURATION:P", "DURATION:PT", "DURATION:-PT1H", `DURATION:P${"9".repeat(40)}D`]) {
    expect([none, when(":20261124T130000Z", none)]).toEqual([none, "2026-11-24 13:00 UTC"]);
  }
  const reminder = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:This is an event reminder", "END:VALARM"];
  expect(card(...reminder, "DESCRIPTION:Bring a spade")).toBe("Invitation: Beds\nBring a spade");
  expect(card(...reminder)).toBe("Invitation: Beds");
});

test("an invitation whose words are HTML is read as its reader sees them", () => {
  const words =
    '<html-blob>Bring <b>gloves</b>\\; see <a href="https://example.org/p">the plan</a>.<br>Bea &amp\\; Jo</html-blob>';
  const card = (line: string) => textOf(text("text/calendar", `BEGIN:VEVENT\nSUMMARY:Beds\n${line}\nEND:VEVENT`));
  expect(card(`DESCRIPTION:${words}`)).toBe("Event: Beds\nBring gloves; see the plan.\nBea & Jo");
  expect(card("DESCRIPTION:Fewer than 5 <beds> & 3 < 4")).toBe("Event: Beds\nFewer than 5 <beds> & 3 < 4");
});
