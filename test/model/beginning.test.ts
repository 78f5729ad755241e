import { describe, expect, test } from "vitest";
import { mailFeaturesOf } from "../../infra/model/triage/features.ts";
import { mailOdds, rawOdds } from "../../infra/model/triage/linear-model.ts";
import { shippedClassifier } from "../../infra/model/triage/shipped.ts";

const { model } = shippedClassifier();
const pitch =
  "Claim your lottery prize of one million dollars today: send your bank account number and the transfer fee.";
const talk = "On Sunday we walked along the river, the children fed the ducks and my sister read under a tree. ".repeat(
  9,
);
const viewOf = (body: string) => ({ subject: "Hello", sender: "Ada Berg <ada.berg@example.org>", body });
const oddsOf = (body: string) => mailOdds(model, mailFeaturesOf(viewOf(body)));

describe("how a mail begins", () => {
  test("is all there is of a short mail, which is judged once", () => {
    const features = mailFeaturesOf(viewOf(pitch));
    expect(features.beginning.signals).toEqual(features.signals);
    expect(mailOdds(model, features)).toBe(rawOdds(model, features));
  });

  test("counts beside the whole: who appends a letter to what they want changes less of it", () => {
    const features = mailFeaturesOf(viewOf(`${pitch} ${talk}`));
    expect(mailOdds(model, features)).toBeGreaterThan(rawOdds(model, features));
    expect(oddsOf(`${pitch} ${talk}`)).toBeGreaterThan(oddsOf(`${talk} ${pitch}`));
  });
});
