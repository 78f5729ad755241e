import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Redactor, sentinelIn } from "../../shared/privacy/redaction/redact.ts";
import { hasData } from "./data.ts";
import { measureSecrets, secretCases } from "./measure-secrets.ts";

if (!hasData) console.log("skipped: ../shared/data is not there, so redaction is not measured on published tokens");

const redactor = new Redactor(Buffer.alloc(32, 7));
/** Made here, so that no scanner takes this file for a leak. */
const invented = ["AKIA", "QYLPMN5HHHFPZAM2"].join("");

test("a credential gives way to a sentinel that names its kind, the same one everywhere in the text", () => {
  const { text, count } = redactor.redact(`key: ${invented}\nagain ${invented}\n`);
  expect(count).toBe(2);
  expect(text).toMatch(
    /^key: ⟦redacted:aws-access-key-id#[0-9a-f]{6}⟧\nagain ⟦redacted:aws-access-key-id#[0-9a-f]{6}⟧\n$/,
  );
  expect(new Set(text.match(/#[0-9a-f]{6}/g))).toHaveLength(1);
});

test("redaction keeps the number of lines, so that line numbers stay true", () => {
  const body = Buffer.alloc(64, "Ab3").toString("base64");
  const key = ["-----BEGIN RSA PRIVATE", "KEY-----"].join(" ");
  const text = `a\r\n${key}\r\n${body}\r\n${body}\r\n${key.replace("BEGIN", "END")}\r\nb\r\n`;
  const redacted = redactor.redact(text).text;
  expect(redacted.split("\r\n")).toHaveLength(text.split("\r\n").length);
  expect(redacted).not.toContain(body);
});

test.each([
  "const token = getToken(request);",
  "password: string;",
  'apiKey: process.env["API_KEY"]',
  "secret: $\u007b{ secrets.DEPLOY_KEY }}",
  "Authorization: Bearer <token>",
  "postgres://user:$\u007bPASSWORD}@localhost/db",
  "commit 5808b77453dec299d4daf8557b05a80be832a5b8",
  '"integrity": "sha512-k6s1Bv8zYk0q3p9ZQmXvTqYkQwT1d5u2h8cX0l3z9w=="',
  "the secret of a good key is a password nobody guesses",
])("ordinary text stays: %s", (line) => {
  expect(redactor.redact(line)).toEqual({ text: line, count: 0 });
});

test("whatever stands around it, a credential goes, and its sentinel is recognised on its way back", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom("", `token = "${invented}"`),
      (noise, secret) => {
        const { text, count } = redactor.redact(noise + secret);
        expect(text.includes(invented)).toBe(false);
        if (count > 0) expect(sentinelIn(text)).toBeDefined();
      },
    ),
  );
});

test.each([
  "⟦redacted:token#a1b2c3⟧",
  "[redacted:token#a1b2c3]",
  "[[redacted:token#a1b2c3]]",
  "【redacted:token#a1b2c3】",
])("a sentinel is recognised as a model may write it: %s", (written) =>
  expect(sentinelIn(`x = "${written}"`)).toBe(written),
);

test("words about redaction are no sentinel", () => {
  expect(sentinelIn("[redacted] and [redacted: name], ⟦redacted⟧")).toBeUndefined();
});

describe.skipIf(!hasData)("published tokens", () => {
  test("recall of at least 0.88 at a precision of at least 0.75", () => {
    const cases = secretCases();
    const gitleaks = measureSecrets(cases.filter(({ source }) => source === "gitleaks"));
    const all = measureSecrets(cases.filter(({ source, label }) => source === "gitleaks" || label === "positive"));
    process.stdout.write(
      `secrets/cases: ${cases.length} (gitleaks recall ${gitleaks.recall.toFixed(3)}, precision ${gitleaks.precision.toFixed(3)}; all positives ${all.positives}, recall ${all.recall.toFixed(3)})\n`,
    );
    expect(Math.min(gitleaks.recall, all.recall)).toBeGreaterThanOrEqual(0.88);
    expect(Math.min(gitleaks.precision, all.precision)).toBeGreaterThanOrEqual(0.75);
  });
});
