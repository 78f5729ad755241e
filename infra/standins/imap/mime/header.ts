/** A header field as it stands in a message: its lines, and its value without folds. Bytes are latin1 characters. */
export interface RawField {
  readonly name: string;
  readonly value: string;
  /** With its line end and continuation lines. */
  readonly lines: string;
}

/** The fields of a header, in order. Lines that are no field are left out. */
export function fieldsIn(header: Buffer): RawField[] {
  const fields: string[] = [];
  for (const line of header.toString("latin1").match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const last = fields.length - 1;
    if (/^[ \t]/.test(line) && last >= 0) fields[last] += line;
    else fields.push(line);
  }
  return fields.flatMap((lines) => {
    const [, name] = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:/.exec(lines) ?? [];
    if (name === undefined) return [];
    const value = lines.slice(lines.indexOf(":") + 1).replace(/\r?\n/g, "");
    return [{ name: name.toLowerCase(), value: value.trim(), lines }];
  });
}

/** The first field of that name (lower case). */
export const fieldValue = (fields: readonly RawField[], name: string): string | undefined =>
  fields.find((field) => field.name === name)?.value;

/** A structured value (RFC 2045 §5.1): `text/plain; charset="utf-8"`. */
export interface Structured {
  readonly word: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** A header field's first word and its parameters (RFC 2045, section 5.1); names are in lower case, and quotes are gone. */
export function structured(value: string): Structured {
  // A semicolon between quotes parts nothing.
  const [word = "", ...rest] = [...value.matchAll(/((?:[^;"]|"[^"]*(?:"|$))*)(?:;|$)/g)].map(([, part = ""]) => part);
  const parameters = rest.flatMap((part) => {
    const [, name = "", quoted, plain = ""] = /^\s*([^\s=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s]*))/.exec(part) ?? [];
    return name === "" ? [] : [[name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain] as const];
  });
  return { word: word.trim().toLowerCase(), parameters };
}
