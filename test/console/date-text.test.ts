import { expect, it } from "vitest";
import { dateText } from "../../device/console/page/app/shown-text.ts";
import { languages } from "./languages.ts";

const day = 86_400_000;
const now = new Date(2026, 5, 15, 12).getTime();
const year = 2026;

it.each(languages)(
  "in %s a date has its year where that is not this one: years were half of what lists said",
  (language) => {
    expect(dateText(now - 3 * day, language, year)).not.toContain("26");
    expect(dateText(now - 3 * day, language, year)).toContain("12");
    expect(dateText(now - 365 * day, language, year)).toContain("2025");
    expect(dateText(now + 365 * day, language, year)).toContain("2027");
  },
);
