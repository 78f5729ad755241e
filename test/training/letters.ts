import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mailKinds, unwantedKinds } from "../../infra/model/triage/kinds/mail-kinds.ts";
import { shownCharacters } from "../../shared/llm/shown-text.ts";
import { readableText } from "../../shared/scouts/triage/readable-text.ts";
import { withoutBlankLines } from "../../shared/text/without-blank-lines.ts";
import { type LabelledMail, shinglesOf } from "./corpus.ts";

/** What the project's own letters are called as a source. */
export const lettersSource = "letters";

const folder = join(import.meta.dirname, "letters");
/** `=== en phishing: parcel fee`, then `From:`, `Subject:`, an empty line and the text. */
const beginning = /^=== (?<language>[a-z]{2}) (?<kind>[a-z]+): (?<sort>.*)$/;

/**
 * Whole mails written for this project (`letters/*.txt`): wanted and unwanted, of seven kinds, 1997 to 2026, in 35 languages.
 *
 * @throws Error naming the file and the line that is no such beginning
 */
export function letters(): LabelledMail[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  return files.sort().flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split(/^(?==== )/m)
      .map((text, at) => letterOf(text, file, at)),
  );
}

function letterOf(text: string, file: string, at: number): LabelledMail {
  const [first = "", from = "", subject = "", empty, ...body] = text.trimEnd().split("\n");
  const { language = "", kind = "", sort = "" } = beginning.exec(first)?.groups ?? {};
  const known = mailKinds.find((each) => each === kind);
  if (known === undefined || !from.startsWith("From: ") || !/^Subject:/.test(subject) || empty !== "") {
    throw new Error(`${file}, letter ${at + 1}: "${first}" does not begin a letter`);
  }
  const id = `${lettersSource} ${file} ${at}`;
  const shown = withoutBlankLines(readableText({ text: body.join("\n") })).slice(0, shownCharacters.letter);
  return {
    id,
    source: lettersSource,
    subset: sort,
    cluster: id,
    spam: unwantedKinds.includes(known),
    kind: known,
    language,
    invented: [],
    shingles: shinglesOf(shown),
    view: {
      sender: from.slice("From: ".length).trim(),
      subject: subject.slice("Subject:".length).trim(),
      body: shown,
    },
  };
}
