import path from "node:path";
import { roomOf, rooms } from "./rooms.ts";
import { code, root } from "./source-tree.ts";

export const architectureFile = path.join(root, "docs/architecture.md");

const begin = "<!-- drawn from the code by `npm run docs:architecture` -->";
const end = "<!-- end of the drawing -->";

const nodeId = (room: string) => room.replace("/", "_");
/** The rooms as a Mermaid flowchart: an arrow means "imports". */
export function architectureGraph(): string {
  const arrows = new Set<string>();
  for (const file of code) {
    const room = roomOf(file.path);
    if (!room) continue;
    const others = new Set(file.imports.map(({ target }) => roomOf(target)));
    for (const other of others) {
      if (other && other !== room) arrows.add(`  ${nodeId(room)} --> ${nodeId(other)}`);
    }
  }
  const nodes = rooms.map((room) => `  ${nodeId(room)}["${room}/"]`);
  return ["```mermaid", "flowchart TD", ...nodes, ...[...arrows].sort(), "```"].join("\n");
}

/** The document with its drawing replaced. @throws TypeError when the document has no place for one */
export function withGraph(document: string, graph: string): string {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new TypeError("docs/architecture.md has no place for the drawing");
  return `${document.slice(0, from + begin.length)}\n${graph}\n${document.slice(to)}`;
}
