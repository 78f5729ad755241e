import type { Command } from "commander";
import { age } from "../../device/age.ts";
import type { MatchingLine } from "../../device/knowledge/search/matching-lines.ts";
import type { SearchAnswer } from "../../device/knowledge/search/search.ts";
import type { Hit } from "../../device/knowledge/search/search-project.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions, withStore } from "../context.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { projectNamed } from "../projects/project-named.ts";

interface SearchFlags extends CommonOptions {
  readonly project?: string;
  readonly limit: number;
}

const help = `
Words are found in any form and order; files with all of them come first.
  '"words in this order"'    -without    kind:pdf (or a tag: code, doc, …; or an extension)
  project:Garden           from:2026-03 (changed since)    before:2026-06-01
`;

/** `scouts search`: what the linked folders say, from the index on this device. Nothing is sent anywhere. */
export function addSearch(program: Command, context: CliContext): void {
  const command = program
    .command("search")
    .summary("search your folders on this device; nothing is sent anywhere")
    .description(
      "Searches the text of your linked folders in the index of this device. No model is asked, nothing is sent.",
    )
    .argument("<words...>", "what to look for; after -- it may begin with a minus")
    .option("--project <project>", "name or id of a project")
    .option("--limit <number>", "files shown at most", wholeNumber(1, 200), 10)
    .addHelpText("after", help);
  withCommonOptions(command).action((words: string[], flags: SearchFlags) =>
    withStore(context, flags, async (store, output) => {
      const { search } = await import("../../device/knowledge/search/search.ts");
      const projectId = flags.project === undefined ? undefined : projectNamed(store, flags.project).id;
      const answer = await search(
        { text: words.join(" "), projectId, limit: flags.limit },
        { store, now: context.now },
      );
      if (flags.json) output.json(answer);
      else showAnswer(output, answer, context.now());
    }),
  );
}

function showAnswer(output: Output, answer: SearchAnswer, nowMs: number): void {
  const { hits, hasAll, looked, near, notes } = answer;
  if (hits.length > 0 && !hasAll)
    output.line(output.style("yellow", "Nothing has all of these words; these are the nearest:"));
  for (const hit of hits) showHit(output, hit, nowMs, looked.length > 1);
  if (hits.length === 0) {
    const files = looked.reduce((sum, each) => sum + each.files, 0);
    const where = looked.map(({ project }) => project).join(", ");
    output.line(printable(`Nothing found in ${counted(files, "file")}${where === "" ? "" : ` of ${where}`}.`));
    if (near.length > 0) output.line(printable(`There is: ${near.join(", ")}.`));
    if (looked.length === 0) output.line("No project has a folder; link one: scouts project link");
  }
  for (const note of notes) output.line(output.style("yellow", printable(note)));
}

function showHit(
  output: Output,
  { project, path, mtimeMs, passages, lines, summary, alike }: Hit,
  nowMs: number,
  isNamed: boolean,
): void {
  const [best] = passages;
  const place =
    best === undefined ? "" : `:${best.startLine}${best.endLine > best.startLine ? `-${best.endLine}` : ""}`;
  const of = isNamed ? `${project}  ` : "";
  const about = [best?.heading ?? "", age(mtimeMs, nowMs)].filter((part) => part !== "").join("  ");
  output.line(`${of}${output.style("bold", printable(`${path}${place}`))}  ${output.style("dim", printable(about))}`);
  if (lines.length === 0 && summary !== "") output.line(`    ${printable(summary)}`);
  for (const { parts } of lines) output.line(`    ${parts.map((part) => shownPart(output, part)).join("")}`);
  if (best?.hasChanged) output.line(output.style("yellow", "    the file has changed since it was read"));
  if (alike.length > 0) output.line(output.style("dim", printable(`    the same in ${alike.join(", ")}`)));
}

const shownPart = (output: Output, { text, isMatch }: MatchingLine["parts"][number]): string =>
  isMatch ? output.style("bold", printable(text)) : printable(text);
