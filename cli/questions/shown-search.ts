import { age } from "../../device/age.ts";
import type { MatchingLine } from "../../device/knowledge/search/matching-lines.ts";
import type { SearchAnswer } from "../../device/knowledge/search/search.ts";
import type { Hit } from "../../device/knowledge/search/search-project.ts";
import type { WorkHit } from "../../device/knowledge/work/search-pieces.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { printable, printablePart } from "../output/printable.ts";

/** Shows what was found: what has all that was asked for first, files before the rest. */
export function showSearchAnswer(output: Output, answer: SearchAnswer, nowMs: number): void {
  const { hits, work, hasAll, looked, notes } = answer;
  if (hits.length + work.length === 0) showNothing(output, answer);
  else if (!hasAll) output.line(output.style("yellow", "Nothing has all of these words; these are the nearest:"));
  const showFiles = () => {
    for (const hit of hits) showFile(output, hit, nowMs, looked.length > 1);
  };
  const isWorkLater = hits.some((hit) => hit.hasAll) || !work.some((hit) => hit.hasAll);
  if (isWorkLater) showFiles();
  for (const hit of work) showPiece(output, hit, nowMs);
  if (!isWorkLater) showFiles();
  for (const { text } of notes) output.line(output.style("yellow", printable(text)));
}

function showNothing(output: Output, { looked, lookedAtWork, near }: SearchAnswer): void {
  const files = looked.reduce((sum, each) => sum + each.files, 0);
  const places = [
    ...(looked.length > 0 ? [`${counted(files, "file")} of ${looked.map(({ project }) => project).join(", ")}`] : []),
    ...(lookedAtWork > 0 ? [`${counted(lookedAtWork, "piece")} of your work`] : []),
  ];
  output.line(printable(`Nothing found${places.length === 0 ? "" : ` in ${places.join(" and ")}`}.`));
  if (near.length > 0) output.line(printable(`There is: ${near.join(", ")}.`));
  if (looked.length === 0 && lookedAtWork === 0)
    output.line("There is nothing to search yet; link a folder: scouts project link");
}

function showFile(
  output: Output,
  { project, path, mtimeMs, passages, lines, summary, alike, learnt }: Hit,
  nowMs: number,
  isNamed: boolean,
): void {
  const [best] = passages;
  const place =
    best === undefined ? "" : `:${best.startLine}${best.endLine > best.startLine ? `-${best.endLine}` : ""}`;
  const of = isNamed ? `${printable(project)}  ` : "";
  showTitle(output, of, `${path}${place}`, [best?.heading ?? "", age(mtimeMs, nowMs)]);
  if (lines.length === 0 && summary !== "") output.line(`    ${printable(summary)}`);
  showLines(output, lines);
  if (best?.hasChanged) output.line(output.style("yellow", "    the file has changed since it was read"));
  if (learnt !== undefined) {
    const why = `ranked higher: it was quoted when you asked "${learnt.question}" (scouts learn show)`;
    output.line(output.style("dim", `    ${printable(why)}`));
  }
  if (alike.length > 0) output.line(output.style("dim", `    the same in ${printable(alike.join(", "))}`));
}

/** How each kind of work is called, and the command that shows one. */
const kinds = {
  proposal: ["proposal", "proposals show"],
  task: ["task", "task show"],
  event: ["event", "event show"],
  note: ["note", "note show"],
  person: ["person", "people show"],
  memory: ["fact", "memory show"],
  answer: ["answer", "answers show"],
  artifact: ["artifact", "artifacts show"],
} as const satisfies Record<WorkHit["kind"], readonly [name: string, command: string]>;

function showPiece(output: Output, { kind, id, title, sender, atMs, lines }: WorkHit, nowMs: number): void {
  const [name, command] = kinds[kind];
  const when = kind === "event" ? new Date(atMs).toLocaleDateString("sv") : age(atMs, nowMs);
  showTitle(output, "", title === "" ? "(no subject)" : title, [name, sender, when]);
  showLines(output, lines);
  output.line(output.style("dim", `    scouts ${command} ${printable(id)}`));
}

function showTitle(output: Output, before: string, title: string, about: readonly string[]): void {
  const facts = about
    .filter((fact) => fact !== "")
    .map(printable)
    .join("  ");
  output.line(`${before}${output.style("bold", printable(title))}  ${output.style("dim", facts)}`);
}

function showLines(output: Output, lines: readonly MatchingLine[]): void {
  const shown = ({ text, isMatch }: MatchingLine["parts"][number]) =>
    isMatch ? output.style("bold", printablePart(text)) : printablePart(text);
  for (const { parts } of lines) output.line(`    ${parts.map(shown).join("")}`);
}
