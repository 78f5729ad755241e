import { describe, expect, test } from "vitest";
import { featuresOf } from "../../infra/model/triage/features.ts";

const isBroken = (body: string): boolean =>
  featuresOf({ subject: "Minutes", sender: "Ada Berg <ada.berg@example.org>", body }).signals.has("broken words");

describe("a word of advertising that is taken apart", () => {
  test.each([
    ["by a blank", "your mo rtgage is ready"],
    ["into letters", "v i a g r a and more"],
    ["into letters and signs", "buy c * i * a * l * i * s"],
    ["by a sign", "start ord . ering today"],
    ["by a sign a tokeniser has joined", "all sav`ings of the week"],
    ["with other letters", "we sell v1 @gra"],
    ["at its end", "our medicat ions"],
  ])("%s is seen", (_how, body) => expect(isBroken(body)).toBe(true));
});

describe("nobody has taken a word apart", () => {
  test.each([
    ["where two words hold it", "Your social security card, the financial statements and our official site."],
    ["where it is whole", "The software is ready. Software updates and a university diploma."],
    ["where a letter stands beside it", "message, e tu; channel: 1; special [1] meeting; price: $; s. special forces"],
    ["where words are joined", "e-mail, and/or, on-line, on/line, an info-rmation of don't"],
    ["where it ends a line", "the order\ning of rows"],
    ["in an address", "https://mo.rtgage.example/via.gra"],
    ["in other languages", "ci laissent, amb l'enviament; spécial ice; die Software e.V."],
  ])("%s", (_where, body) => expect(isBroken(body)).toBe(false));
});
