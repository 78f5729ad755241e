import type { MergedPart } from "./queries.ts";

/** What is taken at a place where both have written otherwise. */
export const takes = ["both", "mine", "theirs"] as const;
export type Take = (typeof takes)[number];

/** What stands at a place in the end. Both: the file's own first; a last line without an end gets one. */
function taken({ mine, theirs }: MergedPart, take: Take): string {
  if (take !== "both") return take === "mine" ? mine : theirs;
  const isOpen = theirs !== "" && !theirs.endsWith("\n") && mine !== "";
  return `${theirs}${isOpen ? "\n" : ""}${mine}`;
}

/** The text that the parts come to. @param chosen by the number of a part; both where nothing is chosen, so that nothing is lost */
export function textOf(parts: readonly MergedPart[], chosen: Readonly<Record<number, Take>>): string {
  return parts
    .map((part, index) => {
      if (part.from === "conflict") return taken(part, chosen[index] ?? "both");
      return part.from === "theirs" ? part.theirs : part.mine;
    })
    .join("");
}
