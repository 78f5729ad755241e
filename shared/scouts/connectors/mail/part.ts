/** A header field, unfolded. Its value may still hold encoded words (RFC 2047). */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/**
 * A part of a mail, wherever it was read from: a mail API's tree, IMAP's BODYSTRUCTURE, a file. The root is the mail
 * itself, with its own header. An attached message (`message/rfc822`) has its content as its one child.
 */
export interface MailPart {
  /** Lower case, without parameters. */
  readonly mimeType: string;
  /** Decoded; empty when it has none. */
  readonly fileName: string;
  readonly headers: readonly HeaderField[];
  /** Of the body, transfer encoding undone. */
  readonly sizeBytes: number;
  /** The text of a text part, decoded, cut at so many characters; absent where the source keeps it back. */
  readonly text?: (maxCharacters: number) => string;
  /** Its source was asked for the beginning of that text only. */
  readonly isCut?: true;
  readonly parts: readonly MailPart[];
}

/** Real mail nests some ten levels and has tens of parts; what goes beyond is left out. */
export const partLimits = { depth: 200, parts: 10_000 } as const;

/** The first field of that name, any case; empty when there is none. */
export function fieldOf(headers: readonly HeaderField[], name: string): string {
  const wanted = name.toLowerCase();
  return headers.find((field) => field.name.toLowerCase() === wanted)?.value ?? "";
}

/** Every field of that name, in order. */
export function fieldsOf(headers: readonly HeaderField[], name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter((field) => field.name.toLowerCase() === wanted).map(({ value }) => value);
}

/** A parameter of a structured value (`text/plain; charset="utf-8"`), lower case; empty when it is not there. */
export function parameterOf(value: string, name: string): string {
  const pattern = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]{0,200})"|([^\\s;"]{1,200}))`, "i");
  const found = pattern.exec(value.slice(0, 4_000));
  return (found?.[1] ?? found?.[2] ?? "").trim().toLowerCase();
}

/** `attachment`, `inline`, or empty where the part does not say (RFC 2183). */
export function dispositionOf(part: MailPart): string {
  const [word = ""] = fieldOf(part.headers, "content-disposition").slice(0, 200).split(";");
  return word.trim().toLowerCase();
}
