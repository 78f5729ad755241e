import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { accessErrorSentences } from "../../device/access/errors.ts";
import { statuses } from "../../device/console/failure.ts";
import { fileStatuses } from "../../device/console/projects/file-codes.ts";
import { findings } from "../../device/doctor/findings.ts";
import { type DeviceErrorCode, sentenceOf } from "../../device/errors.ts";
import { exactSentences } from "../../device/exact-sentences.ts";
import { omissionReasons, skipReasons } from "../../device/folders/scanner/reasons.ts";
import { type ErrorCode, errorCodes } from "../../events/error-kinds.ts";

/** English is the device's own: there the page has no words for failures. */
const languages = ["it", "es", "fr", "de"] as const;

/** Codes of the cloud that end in the device or a program: between sockets, queues and what is asked of agents. */
const neverShown: readonly ErrorCode[] = [
  ...(["invalid_frame", "unknown_frame", "invalid_message", "protocol_unsupported"] as const),
  ...(["ticket_invalid", "ticket_spent", "method_not_allowed", "unsupported_media_type"] as const),
  ...(["idempotency_conflict", "upload_missing", "index_unknown", "index_ended"] as const),
  ...(["run_unknown", "run_ended", "step_replayed", "state_invalid", "action_unknown"] as const),
];

/** Codes of the device that no request fails with: checks of the doctor quote them. */
const quoted: readonly DeviceErrorCode[] = [
  ...(["credentials_unreadable", "store_missing", "store_unreadable", "store_newer", "folder_unusable"] as const),
  ...(["auth_failed", "ticket_refused", "ticket_unavailable", "issuer_unusable", "address_insecure"] as const),
];

const catalogue = (language: string): Readonly<Record<string, string>> =>
  z
    .record(z.string(), z.string())
    .parse(
      JSON.parse(
        readFileSync(new URL(`../../device/console/page/texts/errors/${language}.json`, import.meta.url), "utf8"),
      ),
    );

const exact = Object.entries<Readonly<Record<string, string>>>(exactSentences).flatMap(([code, sentences]) =>
  Object.entries(sentences).map(([about, sentence]) => [`${code}_${about}`, sentence] as const),
);
/** Every text a failure or a code may be, by its key, in English. `usage` is of the command line: here it is always exact. */
const english = new Map<string, string>([
  ...[...errorCodes.filter((code) => !neverShown.includes(code)), ...codesWithStatus(), ...quoted].map(
    (code) => [code, sentenceOf(code)] as const,
  ),
  ...exact,
  ...Object.entries(skipReasons),
  ...Object.entries(omissionReasons),
  ...fileCodes(),
]);
english.delete("usage");

function codesWithStatus() {
  return z.array(z.custom<keyof typeof statuses>()).parse(Object.keys(statuses));
}

/** Refusals of files. Their codes are a list of their own, which some of the device's are in as well. */
function fileCodes() {
  const codes = z.array(z.custom<keyof typeof fileStatuses>()).parse(Object.keys(fileStatuses));
  return codes.map((code) => [`file_${code}`, accessErrorSentences[code]] as const);
}

const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([found]) => found).sort();

describe.each(languages)("what can fail in the console, in %s", (language) => {
  const texts = catalogue(language);

  it("has words for every code a person can meet there, and for nothing else", () => {
    expect(Object.keys(texts).sort()).toEqual([...english.keys()].sort());
  });

  it("says to who adds a source that asks for patience to try again: nobody asks one again that was not added", () => {
    for (const text of [english.get("source_rate_limited"), texts["source_rate_limited"]]) {
      expect(text).toMatch(/scout.*(?:try again|noch einmal|réessayez|inténtalo|riprova)/i);
    }
  });

  it("calls encryption by the name that the form has for it", () => {
    const file = new URL(`../../device/console/page/texts/${language}.json`, import.meta.url);
    const { settingChoice } = z
      .object({ settingChoice: z.object({ implicit: z.string() }) })
      .parse(JSON.parse(readFileSync(file, "utf8")));
    expect(texts["source_unavailable_encrypted"]).toContain(settingChoice.implicit);
  });

  it("names what the English sentence names, and is another sentence", () => {
    for (const [key, sentence] of english) {
      expect(placeholders(texts[key] ?? ""), key).toEqual(placeholders(sentence));
      expect(texts[key], key).not.toBe(sentence);
    }
  });

  it("keeps the commands and settings as they are typed", () => {
    const typed = (text: string) => [...text.matchAll(/OPENAI_[A-Z_]+|`scouts [^`]+`/g)].map(([found]) => found).sort();
    for (const [key, text] of Object.entries(texts)) {
      const known = new Set([...typed(english.get(key) ?? ""), "OPENAI_BASE_URL", "OPENAI_MODEL"]);
      expect(
        typed(text).filter((each) => !known.has(each)),
        key,
      ).toEqual([]);
    }
  });
});

describe("what can fail in the console, in English", () => {
  it("says of options of the command line that they are, where a source is added and changed, and something is taken back", () => {
    const told = exact.filter(([key]) => /^(?:source|change)_/.test(key));
    const withOptions = told.filter(([, sentence]) => /--\w/.test(sentence));
    expect(withOptions.length).toBeGreaterThan(3);
    for (const [key, sentence] of withOptions) expect(sentence, key).toMatch(/\(on the command line (?:by )?--/);
  });

  it("calls encryption by the name that the form has for it", () => {
    const file = new URL("../../device/console/page/texts/en.json", import.meta.url);
    const { settingChoice } = z
      .object({ settingChoice: z.object({ implicit: z.string() }) })
      .parse(JSON.parse(readFileSync(file, "utf8")));
    expect(english.get("source_unavailable_encrypted")).toContain(settingChoice.implicit);
  });
});

it("calls what a device connects to its home, in every sentence", () => {
  const found = Object.values(findings).flatMap((texts) => Object.values(texts));
  // A file that a cloud keeps for a disk is another thing.
  expect([...english.values(), ...found].filter((sentence) => /(?<!kept in )\bthe cloud\b/i.test(sentence))).toEqual(
    [],
  );
});
