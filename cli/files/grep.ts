import type { Command } from "commander";
import type { GrepFilesResult } from "../../device/access/tools/reading/grep-files.ts";
import { type CliContext, wholeNumber } from "../context.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { type ProjectOptions, withProject, withProjectOptions } from "../projects/project-context.ts";

/** What the tool itself takes at most. */
const mostMatches = 2_000;

interface GrepFlags extends ProjectOptions {
  readonly regex?: boolean;
  readonly ignoreCase?: boolean;
  readonly glob?: string[];
  readonly limit: number;
}

/** Lines that match, and what is missing of them. @param limit how many were asked for */
function showMatches(output: Output, { matches, notes }: GrepFilesResult, limit: number): void {
  if (matches.length === 0) output.line("No matches.");
  for (const { path, line, text, cut } of matches) {
    output.line(`${printable(path)}:${line}: ${printable(text)}${cut ? " …" : ""}`);
  }
  const isCut = matches.some(({ cut }) => cut);
  const more = matches.length === limit && limit < mostMatches;
  const hints = [
    ...(isCut ? ["Lines that end in … are longer; `files read --lines` shows them."] : []),
    ...(more ? [`If there are more, --limit shows up to ${mostMatches} of them.`] : []),
  ];
  for (const note of [...notes, ...hints]) output.line(output.style("dim", printable(note)));
}

/** `scouts files grep`: lines of a project's files, as a language model would be given them. */
export function addGrep(files: Command, context: CliContext): void {
  const grep = files.command("grep").description("search in files").argument("<pattern>", "text, or RE2 with --regex");
  withProjectOptions(grep)
    .option("--regex", "the pattern is a regular expression (RE2)")
    .option("--ignore-case", "upper and lower case are the same")
    .option("--glob <pattern...>", "only these files")
    .option("--limit <number>", "at most so many lines", wholeNumber(1, mostMatches), 100)
    .action((pattern: string, flags: GrepFlags) =>
      withProject(context, flags, async ({ run: tool, output }) => {
        const result = await tool("grep_files", {
          pattern,
          regex: flags.regex ?? false,
          ignoreCase: flags.ignoreCase ?? false,
          contextLines: 0,
          maxMatches: flags.limit,
          ...(flags.glob && { globs: flags.glob }),
        });
        if (flags.json) output.json(result);
        else showMatches(output, result, flags.limit);
      }),
    );
}
