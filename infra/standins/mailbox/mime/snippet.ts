import { Parser } from "htmlparser2";
import type { MimePart } from "./part-tree.ts";

const maxCharacters = 200;
const textBudget = 4000;
const silent = new Set(["style", "script", "title", "head", "template", "noscript"]);

/** The first words of a message as Gmail gives them: plain text, white space collapsed, HTML-escaped, about 200 characters. */
export function snippetOf(root: MimePart): string {
  const text = shownText(root).slice(0, textBudget);
  const collapsed = text.replace(/[\s\u00a0\u200b\ufeff]+/g, " ").trim();
  const characters = [...collapsed.slice(0, maxCharacters + 50)];
  if (characters.length <= maxCharacters) return escapeHtml(characters.join(""));
  const cut = characters.slice(0, maxCharacters).join("");
  const space = cut.lastIndexOf(" ");
  return escapeHtml(space > maxCharacters / 2 ? cut.slice(0, space) : cut);
}

/** What stands in the message itself: of versions the plain one, of attached messages and files nothing. */
function shownText(part: MimePart): string {
  if (part.mimeType.startsWith("message/") || part.filename !== "") return "";
  if (part.mimeType === "multipart/alternative") {
    const plain = part.parts.find(({ mimeType }) => mimeType === "text/plain");
    return [...(plain ? [plain] : []), ...part.parts].map(shownText).find((text) => text.trim() !== "") ?? "";
  }
  if (part.mimeType === "text/html") return htmlText(part.content.toString("utf8", 0, 256 * 1024));
  if (part.mimeType === "text/plain") return part.content.toString("utf8", 0, textBudget);
  let text = "";
  for (const child of part.parts) {
    if (text.length >= textBudget) break;
    text += `${shownText(child)}\n`;
  }
  return text;
}

function htmlText(html: string): string {
  let text = "";
  let hidden = 0;
  const parser = new Parser({
    onopentagname: (name) => {
      if (silent.has(name)) hidden++;
    },
    ontext: (piece) => {
      if (hidden === 0 && text.length < textBudget) text += piece;
    },
    onclosetag: (name) => {
      if (silent.has(name)) hidden--;
      else if (!/^(a|b|i|em|strong|span|font|u)$/.test(name)) text += " ";
    },
  });
  parser.end(html);
  return text;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
