import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shippedClassifier } from "../../infra/model/triage/shipped.ts";
import { verdictOf } from "../../infra/model/triage/verdict.ts";
import { messageResource } from "../../infra/standins/mailbox/api/message-resource.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { contentOf } from "../../shared/scouts/connectors/gmail/message.ts";
import { spamThreshold } from "../../shared/scouts/triage/triage.ts";
import { triagePrompt } from "../../shared/scouts/triage/triage-prompt.ts";
import { promptOf, unwantedMail } from "./messages.ts";

const folder = join(import.meta.dirname, "../../infra/standins/sample-mailbox");
const classifier = shippedClassifier();
const profile = new Transient({ name: "Inbox", purpose: "What people want" });

function isHidden(name: string): boolean {
  const row = { id: "1", thread_id: "1", labels: ["INBOX"], history_id: "1", internal_date_ms: 0 };
  const content = contentOf(messageResource(row, readFileSync(join(folder, name)), "full", []));
  const prompt = triagePrompt("gmail", profile, content, Date.UTC(2026, 10, 22)).user.reveal();
  const { verdict, confidence } = verdictOf(classifier, prompt);
  return verdict === "spam" && confidence >= spamThreshold;
}

describe("the sample mailbox under the built-in model", () => {
  const hidden = readdirSync(folder).filter((name) => name.endsWith(".eml") && isHidden(name));

  test("hides fraud and advertising, and nothing that a person wrote", () => {
    expect(hidden.map((name) => name.slice(3, -4))).toEqual([
      "phishing-mailbox-full",
      "phishing-bank-with-logo",
      "fake-parcel-fee",
      "advance-fee-scam",
      "pharma-spam",
      "casino-bonus-spam",
      "malware-invoice-zip",
      "crypto-doubling-scam",
    ]);
  });
});

describe("what the model cannot read it does not accuse", () => {
  const confidenceOf = (mail: Parameters<typeof promptOf>[0]) => {
    const { verdict, confidence } = verdictOf(classifier, promptOf(mail));
    return verdict === "spam" ? confidence : 0;
  };
  const pills = unwantedMail["pills"] ?? { subject: "", sender: "", body: "" };

  test("no sender, no subject: unsure, however the text reads", () => {
    expect(confidenceOf(pills)).toBeGreaterThanOrEqual(spamThreshold);
    expect(confidenceOf({ ...pills, sender: "" })).toBeLessThan(spamThreshold);
    expect(confidenceOf({ ...pills, subject: "" })).toBeLessThan(spamThreshold);
  });

  test.each([
    ["Greek", "Καλημέρα, θα έρθω το Σάββατο στις δέκα με τα παιδιά. Να φέρω γλυκό!!! 100 €"],
    ["Hindi", "नमस्ते, मैं शनिवार को दस बजे आऊँगी। बच्चे भी साथ होंगे!!! 100 €"],
    ["Thai", "สวัสดีค่ะ วันเสาร์นี้จะไปถึงประมาณสิบโมง เด็กๆ จะไปด้วย!!! 100 €"],
    ["Hungarian", "Sziasztok, szombaton tízkor érkezünk a gyerekekkel!!! Hozzunk süteményt? 100 €"],
  ])("a language it hardly knows (%s) is shown", (_language, body) => {
    const sender = "offers2291 <x9k2z@mailer3.example>";
    expect(confidenceOf({ subject: body.slice(0, 40), sender, body })).toBeLessThan(spamThreshold);
  });

  test("disguise is understood without the words", () => {
    const mail = {
      subject: "Your Аmаzоn аccоunt — 您的帐户已被锁定",
      sender: "Аmazon Suppоrt <support_1x9k2@mailer.example>",
      body: "您的帐户已被锁定。请立即点击此处验证您的密码。Please vеrify уour аccоunt раssword: click here within 24 hours.",
    };
    expect(confidenceOf(mail)).toBeGreaterThanOrEqual(spamThreshold);
  });
});
