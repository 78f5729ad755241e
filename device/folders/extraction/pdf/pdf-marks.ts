/** Flags of an annotation that nobody sees: hidden, and not on a screen (ISO 32000-1, 12.5.3). */
const unseen = 0b10_0010;
/** What is drawn for another annotation, or leads somewhere. */
const withoutText: ReadonlySet<unknown> = new Set(["Popup", "Link"]);

/**
 * What is written on a page and is no part of it: values of its form's fields, and what people have remarked, each once.
 *
 * @param annotations as pdf.js gives them
 */
export function markTexts(annotations: readonly object[]): string[] {
  const texts = annotations.map((annotation) => {
    const mark: Mark = annotation;
    if ((Number(mark.annotationFlags ?? 0) & unseen) !== 0 || withoutText.has(mark.subtype)) return "";
    return mark.subtype === "Widget" ? fieldText(mark) : remarkText(mark);
  });
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== "");
}

/** What pdf.js says of an annotation, unproven. */
interface Mark {
  readonly subtype?: unknown;
  readonly annotationFlags?: unknown;
  readonly fieldType?: unknown;
  readonly fieldValue?: unknown;
  readonly options?: unknown;
  readonly password?: unknown;
  readonly alternativeText?: unknown;
  readonly contentsObj?: unknown;
}

/** Text and choices: what a box is worth that is ticked, its page says beside it. */
function fieldText({ fieldType, fieldValue, options, password, alternativeText }: Mark): string {
  if ((fieldType !== "Tx" && fieldType !== "Ch") || password === true) return "";
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter((value) => typeof value === "string");
  const value = values
    .map((each) => shownChoice(each, options))
    .join(", ")
    .trim();
  return value !== "" && typeof alternativeText === "string" && alternativeText !== ""
    ? `${alternativeText}: ${value}`
    : value;
}

/** A choice as people see it; a program may know it by another word (ISO 32000-1, 12.7.4.4). */
function shownChoice(value: string, options: unknown): string {
  const choices: readonly unknown[] = Array.isArray(options) ? options : [];
  const shown = choices.flatMap((choice) => {
    const isIt =
      typeof choice === "object" && choice !== null && "exportValue" in choice && choice.exportValue === value;
    return isIt && "displayValue" in choice && typeof choice.displayValue === "string" ? [choice.displayValue] : [];
  });
  return shown[0] ?? value;
}

function remarkText({ contentsObj }: Mark): string {
  const isText = typeof contentsObj === "object" && contentsObj !== null && "str" in contentsObj;
  return isText && typeof contentsObj.str === "string" ? contentsObj.str : "";
}
