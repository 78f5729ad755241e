import { findScrub, type LabelledMail, readCorpus, readScrub } from "../training/corpus.ts";
import { EvaluationError } from "./evaluation-error.ts";

/** A labelled mail in the scrubbed visible view. */
export type CorpusMail = LabelledMail;

/** Reads files of labelled mail, scrubbed by the SCRUB.json beside or above each. Throws {@link EvaluationError}. */
export async function loadMail(files: readonly string[]): Promise<CorpusMail[]> {
  const mails: CorpusMail[] = [];
  for (const file of files) {
    const scrubFile = findScrub(file);
    if (scrubFile === undefined) console.error(`${file}: no SCRUB.json beside it or above it, so nothing is scrubbed.`);
    try {
      for (const mail of await readCorpus(file, scrubFile === undefined ? undefined : readScrub(scrubFile)))
        mails.push(mail);
    } catch (error) {
      throw new EvaluationError(
        `${file} cannot be read as labelled mail: ${error instanceof Error ? error.message : "unknown"}.`,
      );
    }
  }
  if (mails.length === 0) throw new EvaluationError("The files hold no mail.");
  return mails;
}
