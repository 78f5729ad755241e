import { ArtifactError } from "../errors.ts";

/** What a template may be filled with. Functions are not data, so nothing can be run. */
export type TemplateValue = string | number | boolean | null | undefined | TemplateData | readonly TemplateValue[];
export interface TemplateData {
  readonly [name: string]: TemplateValue;
}

type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly name: string }
  | { readonly kind: "section"; readonly name: string; readonly inverted: boolean; readonly parts: Part[] };

const maxTemplateChars = 100_000;
const maxDepth = 20;
const maxOutputChars = 2_000_000;
const tag = /\{\{\s*(?:([#^/])\s*)?([A-Za-z_][\w.]*|\.)\s*\}\}/g;

/**
 * A logic-less template, a part of Mustache (mustache(5)): `{{name}}`, `{{a.b}}`, `{{.}}`, `{{#list}}…{{/list}}`,
 * `{{^missing}}…{{/missing}}`. No partials, no lambdas, no other delimiters; names are looked up among own properties only.
 * Values go through `quote`.
 * @throws ArtifactError `template_invalid`
 */
export function compileTemplate(template: string): (data: TemplateData, quote?: (value: string) => string) => string {
  const parts = parse(template);
  return (data, quote = (value) => value) => {
    const output = new Output();
    render(parts, [data], quote, output);
    return output.text;
  };
}

class Output {
  text = "";

  add(piece: string): void {
    if (this.text.length + piece.length > maxOutputChars) {
      throw new ArtifactError("template_invalid", { detail: `It makes more than ${maxOutputChars} characters.` });
    }
    this.text += piece;
  }
}

function parse(template: string): Part[] {
  if (template.length > maxTemplateChars) throw new ArtifactError("template_invalid", { detail: "It is too long." });
  const root: Part[] = [];
  const open: { name: string; parts: Part[] }[] = [{ name: "", parts: root }];
  let at = 0;
  for (const match of template.matchAll(tag)) {
    const [whole, sigil, name = ""] = match;
    const current = open.at(-1);
    if (current === undefined) break;
    if (match.index > at) current.parts.push({ kind: "text", text: template.slice(at, match.index) });
    at = match.index + whole.length;
    if (sigil === "/") {
      if (open.length < 2 || current.name !== name) {
        throw new ArtifactError("template_invalid", { detail: `{{/${name}}} closes nothing.` });
      }
      open.pop();
      // A section's tags on lines of their own leave no empty lines.
      if (template[at] === "\n" && startsLine(template, match.index)) at++;
    } else if (sigil === "#" || sigil === "^") {
      const section = { kind: "section" as const, name, inverted: sigil === "^", parts: [] };
      current.parts.push(section);
      open.push(section);
      if (open.length > maxDepth) throw new ArtifactError("template_invalid", { detail: "It is nested too deeply." });
      if (template[at] === "\n" && startsLine(template, match.index)) at++;
    } else current.parts.push({ kind: "value", name });
  }
  const unclosed = open.at(-1);
  if (open.length > 1) throw new ArtifactError("template_invalid", { detail: `{{#${unclosed?.name}}} is not closed.` });
  if (at < template.length) root.push({ kind: "text", text: template.slice(at) });
  return root;
}

const startsLine = (template: string, at: number) => at === 0 || template[at - 1] === "\n";

function render(
  parts: readonly Part[],
  scopes: readonly TemplateValue[],
  quote: (value: string) => string,
  output: Output,
): void {
  for (const part of parts) {
    if (part.kind === "text") output.add(part.text);
    else if (part.kind === "value") {
      const value = lookUp(scopes, part.name);
      if (value !== undefined && value !== null && typeof value !== "object") output.add(quote(String(value)));
    } else {
      const value = lookUp(scopes, part.name);
      const isEmpty = !value || (Array.isArray(value) && value.length === 0);
      if (part.inverted) {
        if (isEmpty) render(part.parts, scopes, quote, output);
      } else if (!isEmpty) {
        const items: readonly TemplateValue[] = Array.isArray(value) ? value : [value];
        for (const item of items) render(part.parts, [...scopes, item], quote, output);
      }
    }
  }
}

/** The innermost scope that has the first part of the name; the rest from there. */
function lookUp(scopes: readonly TemplateValue[], name: string): TemplateValue {
  if (name === ".") return scopes.at(-1);
  const [first = "", ...rest] = name.split(".");
  const scope = scopes.findLast((candidate) => own(candidate, first) !== undefined);
  return rest.reduce(own, own(scope, first));
}

function own(value: TemplateValue, name: string): TemplateValue {
  return isData(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isData(value: TemplateValue): value is TemplateData {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
