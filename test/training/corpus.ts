import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import PostalMime from "postal-mime";
import * as z from "zod";
import { hash } from "../../infra/model/triage/features.ts";
import { type MailKind, mailKinds } from "../../infra/model/triage/kinds/mail-kinds.ts";
import { fold, joined, words } from "../../infra/model/triage/text.ts";
import type { HeaderFacts, MailView } from "../../infra/model/triage/view.ts";
import { shownCharacters } from "../../shared/llm/shown-text.ts";
import { partTreeOfSource } from "../../shared/scouts/connectors/imap/message/source-tree.ts";
import { envelopeOf } from "../../shared/scouts/connectors/mail/envelope.ts";
import { traitsOf } from "../../shared/scouts/connectors/mail/form/form.ts";
import { readableText } from "../../shared/scouts/triage/readable-text.ts";
import { withoutBlankLines } from "../../shared/text/without-blank-lines.ts";

/** A labelled message as the data folder stores it, one JSON object a line. */
const rowSchema = z.object({
  id: z.string(),
  source: z.string(),
  label: z.enum(["ham", "spam"]),
  raw_base64: z.string(),
  cluster: z.string().optional(),
  subset: z.string().optional(),
  kind: z.enum(mailKinds).optional(),
  language: z.string().nullish(),
  invented: z.array(z.enum(["from", "subject"])).optional(),
});

/** Replacements that take out what gives a corpus away (its collector's address, its lists' names). */
const scrubSchema = z.object({ replace: z.array(z.tuple([z.string(), z.string()])) });

/** A labelled message reduced to what a model may see of it. */
export interface LabelledMail {
  readonly id: string;
  readonly source: string;
  readonly subset: string;
  /** Near-duplicates share a cluster and must stay in one fold. */
  readonly cluster: string;
  readonly spam: boolean;
  /** What sort of mail it is; empty where the source does not say. */
  readonly kind: MailKind | "";
  readonly language: string;
  /** What its collector made up. */
  readonly invented: readonly ("from" | "subject")[];
  /** Five words in a row each, by hash: mails that share most of them are near-duplicates. */
  readonly shingles: readonly number[];
  readonly view: MailView;
  /** How it came, where its header is as it was sent; never part of the view, because it gives most collections away. */
  readonly header?: HeaderFacts;
}

/** Applies the corpus's scrub replacements to a text that may start with a header line. */
export type Scrub = (text: string) => string;

/** Reads SCRUB.json: patterns of Python's dialect whose flags lead inline, such as `(?im)^…`. */
export function readScrub(path: string): Scrub {
  const { replace } = scrubSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  const rules = replace.map(([pattern, replacement]) => {
    const flags = /^\(\?([a-z]+)\)/.exec(pattern);
    const source = flags ? pattern.slice(flags[0].length) : pattern;
    return { expression: new RegExp(source, `g${flags?.[1] ?? ""}`), replacement };
  });
  return (text) =>
    rules.reduce((scrubbed, { expression, replacement }) => scrubbed.replace(expression, replacement), text);
}

/** Finds the SCRUB.json that belongs to a data file: beside it or one folder up. */
export function findScrub(file: string): string | undefined {
  const folder = dirname(file);
  return [join(folder, "SCRUB.json"), join(dirname(folder), "SCRUB.json")].find((path) => existsSync(path));
}

/** Parses a raw RFC 822 message (an mbox "From " line may lead) into the scrubbed visible view and what its header says. */
async function readRaw(raw: Buffer, scrub: Scrub): Promise<Pick<LabelledMail, "view" | "header">> {
  const mboxLine = raw.subarray(0, 5).toString("latin1") === "From " ? raw.indexOf(0x0a) + 1 : 0;
  const source = raw.subarray(mboxLine);
  const mail = await PostalMime.parse(source);
  const sender = mail.from ? `${mail.from.name ?? ""} <${mail.from.address ?? ""}>`.trim() : "";
  const text = readableText({
    ...(mail.html === undefined ? {} : { html: mail.html }),
    ...(mail.text === undefined ? {} : { text: mail.text }),
  });
  const body = withoutBlankLines(text);
  const view = {
    subject: scrub(`Subject: ${oneLine(mail.subject ?? "")}`).replace(/^subject:\s*/i, ""),
    sender: scrub(oneLine(sender)),
    body: scrub(body).slice(0, shownCharacters.letter).toWellFormed(),
  };
  const header = headerFacts(mail.headers);
  // A mail that a collector put together has the form they gave it.
  const traits = header === undefined ? undefined : traitsOf(partTreeOfSource(source), text);
  return {
    view: { ...view, ...(traits === undefined ? {} : { traits }) },
    ...(header === undefined ? {} : { header }),
  };
}

/** What the prompt would say of how a mail came; of a header that a collector made up, which bears no id, nothing. */
function headerFacts(fields: readonly { key: string; value: string }[]): HeaderFacts | undefined {
  if (!fields.some(({ key }) => key === "message-id")) return undefined;
  const { relation, listId, automatic } = envelopeOf(fields.map(({ key, value }) => ({ name: key, value })));
  return { addressed: addressedBy[relation], hasListId: listId !== "", isAutomatic: automatic, attachments: "" };
}

const addressedBy = { to: "reader", cc: "reader", list: "list", bulk: "many", unknown: "unknown" } as const;

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Reads a `.jsonl` or `.jsonl.gz` file of labelled mail. Throws on the first line that is no such row, naming it. */
export async function readCorpus(file: string, scrub: Scrub = (text) => text): Promise<LabelledMail[]> {
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const mails: LabelledMail[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const row = rowSchema.safeParse(parseJson(line));
    if (!row.success) throw new Error(`${basename(file)} line ${index + 1} is not {id, source, label, raw_base64}`);
    const { id, source, label, cluster, subset, kind, language, invented, raw_base64 } = row.data;
    const { view, header } = await readRaw(Buffer.from(raw_base64, "base64"), scrub);
    mails.push({
      id,
      source,
      subset: subset ?? "",
      cluster: cluster ?? id,
      spam: label === "spam",
      kind: kind ?? "",
      language: language ?? "",
      invented: invented ?? [],
      shingles: shinglesOf(view.body),
      view,
      ...(header === undefined ? {} : { header }),
    });
  }
  return mails;
}

/** What tells near-duplicates of a text: five words in a row each, by hash. */
export function shinglesOf(body: string): number[] {
  const long = words(fold(joined(body))).filter((word) => word.length > 2);
  return long.slice(4).map((_, at) => hash(long.slice(at, at + 5).join(" ")));
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
