import { describe, expect, test } from "vitest";
import { measureSecrets, secretCases } from "./measure-secrets.ts";
import { hasData } from "./published.ts";

describe.skipIf(!hasData)("published tokens", () => {
  test("recall of at least 0.88 at a precision of at least 0.80", () => {
    const cases = secretCases();
    const gitleaks = measureSecrets(cases.filter(({ source }) => source === "gitleaks"));
    const all = measureSecrets(cases.filter(({ source, label }) => source === "gitleaks" || label === "positive"));
    process.stdout.write(
      `secrets/cases: ${cases.length} (gitleaks recall ${gitleaks.recall.toFixed(3)}, precision ${gitleaks.precision.toFixed(3)}; all positives ${all.positives}, recall ${all.recall.toFixed(3)})\n`,
    );
    expect(Math.min(gitleaks.recall, all.recall)).toBeGreaterThanOrEqual(0.88);
    expect(Math.min(gitleaks.precision, all.precision)).toBeGreaterThanOrEqual(0.8);
  });
});
