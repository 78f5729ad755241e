import { joined, list, string } from "../wire/written.ts";
import { envelope } from "./envelope.ts";
import { fieldValue, structured } from "./header.ts";
import type { Part } from "./part.ts";

/**
 * BODYSTRUCTURE, or without its extensions BODY (RFC 3501 §7.4.2).
 *
 * @param isNil whether everything that may be NIL is
 */
export function bodyStructure(bytes: Buffer, part: Part, isExtended: boolean, isNil = false): Buffer {
  const write = (each: Part): Buffer => {
    const [type = "", subtype = ""] = each.type.word.split("/");
    if (type === "multipart") {
      const parts = each.parts.length > 0 ? each.parts : [emptyPart(each)];
      const extension = isExtended ? [parametersOf(each.type.parameters), ...placeOf(each)] : [];
      return list([Buffer.concat(parts.map(write)), upper(subtype), ...extension]);
    }
    const fields = [
      upper(type),
      upper(subtype),
      isNil ? "NIL" : parametersOf(each.type.parameters),
      isNil ? "NIL" : string(fieldValue(each.fields, "content-id")),
      isNil ? "NIL" : string(fieldValue(each.fields, "content-description")),
      upper(fieldValue(each.fields, "content-transfer-encoding")?.trim() || "7bit"),
      String(each.end - each.bodyStart),
    ];
    const [content] = each.parts;
    if (each.type.word === "message/rfc822" && content !== undefined) {
      fields.push(joined([envelope(content.fields), write(content), String(linesIn(bytes, each))]));
    } else if (type === "text") fields.push(String(linesIn(bytes, each)));
    return list([...fields, ...(isExtended ? [string(fieldValue(each.fields, "content-md5")), ...placeOf(each)] : [])]);
  };

  /** Disposition, language and location. */
  const placeOf = (each: Part): Buffer[] => {
    const disposition = fieldValue(each.fields, "content-disposition");
    if (disposition === undefined || isNil) return [string(undefined), string(undefined), string(undefined)];
    const { word, parameters } = structured(disposition);
    const language = string(fieldValue(each.fields, "content-language"));
    return [
      list([upper(word), parametersOf(parameters)]),
      language,
      string(fieldValue(each.fields, "content-location")),
    ];
  };
  return write(part);
}

const upper = (word: string): Buffer => string(word.toUpperCase());

function parametersOf(parameters: Part["type"]["parameters"]): Buffer {
  if (parameters.length === 0) return string(undefined);
  return list(parameters.flatMap(([name, value]) => [upper(name), string(value)]));
}

/** The grammar has no multipart without a part. */
const emptyPart = (part: Part): Part => ({
  fields: [],
  type: { word: "text/plain", parameters: [] },
  start: part.end,
  bodyStart: part.end,
  end: part.end,
  parts: [],
});

function linesIn(bytes: Buffer, { bodyStart, end }: Part): number {
  let lines = 0;
  for (let at = bytes.indexOf(10, bodyStart); at >= 0 && at < end; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}
