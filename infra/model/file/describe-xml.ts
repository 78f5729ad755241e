import { sentence } from "./sentence.ts";

const maxNames = 12;

/** Root, the elements in it, and the first words that stand in comments or text. */
export function describeXml(text: string): string {
  const comment = /<!--([\s\S]{1,400}?)-->/.exec(text)?.[1] ?? "";
  const bare = text.replace(/<!--[\s\S]*?(?:-->|$)/g, " ");
  const names = [...new Set([...bare.matchAll(/<([A-Za-z_][\w:.-]{0,60})/g)].flatMap(([, name]) => name ?? []))];
  const entities = [
    ...new Set([...bare.matchAll(/<!ENTITY\s+(?:%\s+)?([\w.-]{1,60})/g)].flatMap(([, name]) => name ?? [])),
  ];
  const said = bare
    .replace(/<(?:"[^"]*"|'[^']*'|[^<>"'])*>?/g, "\n")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /\p{L}{3}/u.test(line) && !/[\]>]/.test(line));
  const [root = "", ...others] = names;
  const listed = others.slice(0, maxNames).join(", ");
  return [
    root === "" ? "XML without elements." : `XML document ${root}${listed === "" ? "" : ` with ${listed}`}.`,
    entities.length === 0 ? "" : `Declares entities ${entities.slice(0, maxNames).join(", ")}.`,
    sentence(comment.trim().slice(0, 160)),
    sentence([...new Set(said)].slice(0, 4).join(", ").slice(0, 160)),
  ].join(" ");
}
