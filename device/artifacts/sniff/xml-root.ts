import type { TextStructure } from "../stats/stats.ts";

type Xml = Extract<TextStructure, { kind: "xml" }>;

const maxNamespaces = 50;
/** What may stand before the root element: declarations, instructions, comments (XML 1.0, production 22). */
const prologParts = [
  ["<!--", "-->"],
  ["<?", "?>"],
] as const;
const element = /<([A-Za-z_][\w.-]*(?::[\w.-]+)?)(\s[^>]{0,8000})?\/?>/y;
const declaration = /\sxmlns(?::([\w.-]+))?\s*=\s*(?:"([^"]{0,500})"|'([^']{0,500})')/g;

/** The root element of an XML text and the namespaces it declares; undefined when the text is none. */
export function xmlOf(text: string): Xml | undefined {
  element.lastIndex = rootAt(text);
  const [, root, attributes = ""] = element.exec(text) ?? [];
  if (root === undefined) return undefined;
  const namespaces = [...attributes.matchAll(declaration)].map(([, prefix = "", double, single]) => ({
    prefix,
    uri: double ?? single ?? "",
  }));
  const isXml = /^\s*<\?xml\b/.test(text) || namespaces.length > 0 || text.includes(`</${root}>`);
  return isXml ? { kind: "xml", root, namespaces: namespaces.slice(0, maxNamespaces) } : undefined;
}

/** Where the root element would begin. */
function rootAt(text: string): number {
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? "")) at++;
    const part = prologParts.find(([opens]) => text.startsWith(opens, at));
    if (part !== undefined) {
      const end = text.indexOf(part[1], at + part[0].length);
      if (end === -1) return text.length;
      at = end + part[1].length;
    } else if (/^<!doctype\s/i.test(text.slice(at, at + 10))) {
      const close = text.indexOf(">", at);
      const subset = text.indexOf("[", at);
      const end = subset !== -1 && subset < close ? text.indexOf("]", subset) : at;
      const closed = end === -1 ? -1 : text.indexOf(">", end);
      if (closed === -1) return text.length;
      at = closed + 1;
    } else return at;
  }
}
