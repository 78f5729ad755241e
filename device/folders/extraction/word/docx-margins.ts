import { Parser } from "htmlparser2";
import type { DocxParts } from "./docx-archive.ts";

/**
 * What a Word document says around its text, each text once: sections have their own headers, which mostly say the same. Comments
 * stand in margins as well.
 */
export function marginTexts(parts: DocxParts): { readonly above: string; readonly below: string } {
  const texts = (names: RegExp) => {
    const found = Object.keys(parts).filter((name) => names.test(name));
    return [...new Set(found.toSorted().map((name) => wordText(parts[name])))].filter((text) => text !== "").join("\n");
  };
  return {
    above: texts(/^word\/header\d*\.xml$/i),
    below: [texts(/^word\/footer\d*\.xml$/i), texts(/^word\/comments\.xml$/i)].filter((text) => text !== "").join("\n"),
  };
}

/** Elements of WordprocessingML that end a line, or stand for a space (ECMA-376 part 1, 17.3). */
const lineEnding = new Set(["w:p", "w:br", "w:cr"]);
/** Where tabs stop, which are none, and a text box once more for old programs (part 3, 7.6). */
const unsaid = new Set(["w:tabs", "mc:Fallback"]);

function wordText(part: Uint8Array = new Uint8Array()): string {
  const texts: string[] = [];
  let isText = false;
  let unsaidAround = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (unsaid.has(name)) unsaidAround++;
        isText = name === "w:t" && unsaidAround === 0;
        if (name === "w:tab" && unsaidAround === 0) texts.push("\t");
      },
      ontext(text) {
        if (isText) texts.push(text);
      },
      onclosetag(name) {
        if (unsaid.has(name)) unsaidAround--;
        isText = false;
        if (lineEnding.has(name) && unsaidAround === 0) texts.push("\n");
      },
    },
    { xmlMode: true },
  );
  parser.end(new TextDecoder().decode(part));
  return texts.join("").replace(/\n+/g, "\n").trim();
}
