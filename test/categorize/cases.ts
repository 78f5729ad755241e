import type { CategorizeCase } from "./case.ts";
import { calendarCases } from "./cases/calendar.ts";
import { howItCameCases } from "./cases/how-it-came.ts";
import { letterCases } from "./cases/letters.ts";
import { linkedDataCases } from "./cases/linked-data.ts";
import { spanCases } from "./cases/spans.ts";
import { whenSentCases } from "./cases/when-sent.ts";
import { wordCases } from "./cases/words.ts";
import { writersClockCases } from "./cases/writers-clock.ts";

/** Made from the standards' own words (RFC 5545, RFC 5546, schema.org), and from how people write in five languages. */
export const cases: readonly CategorizeCase[] = [
  ...calendarCases,
  ...linkedDataCases,
  ...wordCases,
  ...letterCases,
  ...spanCases,
  ...whenSentCases,
  ...writersClockCases,
  ...howItCameCases,
];
