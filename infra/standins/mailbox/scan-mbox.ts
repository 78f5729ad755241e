import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../transaction.ts";
import type { MailFile } from "./formats/mail-files.ts";
import { type MboxMessage, scanMbox } from "./formats/mbox.ts";
import { hasGone, isOfOneFile } from "./formats/refusals.ts";
import { readSlice } from "./store/content.ts";
import { type Origin, originOf, sha256 } from "./store/origin.ts";
import type { KnownFile, Slices } from "./store/slices.ts";

const messagesPerTransaction = 500;
/** Messages whose bytes are compared before a file counts as merely grown. */
const samples = 50;

interface Found {
  readonly message: MboxMessage;
  readonly origin: Origin;
}

/**
 * Brings the state up to date with one mbox.
 *
 * @param waits whether a last message that does not look finished is left for later: as it was, when a part of it was known
 * @returns whether one was; `failed` where the file cannot be read though it was opened, `brokeOff` where that is so from some
 *   message on: what was known behind stays
 */
export async function scanMboxFile(
  database: DatabaseSync,
  slices: Slices,
  file: MailFile,
  before: KnownFile | undefined,
  waits: boolean,
): Promise<"whole" | "waits" | "brokeOff" | "failed"> {
  let from = 0;
  try {
    if (before !== undefined) from = await resumePoint(slices, file, before);
  } catch (error) {
    return failedAt(file, error);
  }
  const lifted = slices.inFile(file.path, from);
  inTransaction(database, () => slices.liftFrom(file.path, from));
  let chunk: Found[] = [];
  const placeChunk = () =>
    inTransaction(database, () => {
      for (const { message, origin } of chunk) slices.place(file, message, origin);
      chunk = [];
    });

  let last: Found | undefined;
  try {
    for await (const message of scanMbox(file.path, from)) {
      if (last) chunk.push(last);
      if (chunk.length >= messagesPerTransaction) placeChunk();
      last = { message, origin: await originOf(file.path, lifted.get(message.offset), message) };
    }
  } catch (error) {
    if (!isOfOneFile(error)) throw error;
    if (last) chunk.push(last);
    placeChunk();
    const readTo = last === undefined ? from : last.message.offset + last.message.length;
    const behind = [...lifted.values()].filter(({ offset }) => offset >= readTo);
    inTransaction(database, () => slices.keepUnread(file, behind));
    return last === undefined && from === 0 ? failedAt(file, error) : "brokeOff";
  }
  placeChunk();
  if (last === undefined || !(waits && !last.message.looksFinished && isNews(slices, last))) {
    if (last) chunk.push(last);
    placeChunk();
    inTransaction(database, () => slices.saveFile(file, last?.message.separatorOffset ?? from));
    return "whole";
  }
  const { message, origin } = last;
  inTransaction(database, () => {
    if (origin.how !== "other") slices.keep(file, origin.before);
    // Read up to here, and so not whole: the next scan goes on with this message.
    slices.saveFile({ ...file, sizeBytes: message.separatorOffset }, message.separatorOffset);
  });
  return "waits";
}

/** One that has gone meanwhile is found to be away by the next scan. @throws error where it is not of this file alone */
async function failedAt({ path }: MailFile, error: unknown): Promise<"whole" | "failed"> {
  if (!isOfOneFile(error)) throw error;
  return (await hasGone(path)) ? "whole" : "failed";
}

/** Whether there is something to be told of it that was not told before. */
function isNews(slices: Slices, { message, origin }: Found): boolean {
  return origin.how === "grown" || (origin.how === "other" && !slices.isKnown(message.identity));
}

/**
 * Where reading an mbox may go on when mail was appended: at its last message, which may have been cut short. A newer
 * export in the file's place is longer too, so samples of what was read have to lie where they lay; what they miss shows
 * when it is read.
 */
async function resumePoint(slices: Slices, file: MailFile, before: KnownFile): Promise<number> {
  if (before.size_bytes < 0 || file.sizeBytes <= before.size_bytes) return 0;
  const start = await readSlice(file.path, before.resume_at, 5);
  if (start?.toString("latin1") !== "From ") return 0;
  for (const { offset, length, hash } of slices.sample(file.path, before.resume_at, samples)) {
    const bytes = await readSlice(file.path, offset, length);
    if (bytes === undefined || sha256(bytes) !== hash) return 0;
  }
  return before.resume_at;
}
