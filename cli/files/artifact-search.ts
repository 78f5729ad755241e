import type { Command } from "commander";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions } from "../context.ts";
import { pathGiven } from "../given-path.ts";
import { printable } from "../output/printable.ts";
import { printableCode } from "../output/printable-code.ts";
import { personSession, withArtifacts } from "./artifact-context.ts";

interface GrepFlags extends CommonOptions {
  readonly regex?: boolean;
  readonly ignoreCase?: boolean;
  readonly context: number;
  readonly limit: number;
}

/** `scouts artifacts add`: a file of the person's, described and searched like any result. */
export function addArtifactAdd(artifacts: Command, context: CliContext): void {
  withCommonOptions(
    artifacts
      .command("add")
      .description("store a file, to query, search and compare it")
      .argument("<path>", "the file"),
  ).action((file: string, flags: CommonOptions) =>
    withArtifacts(context, flags, async (opened, output) => {
      const { addFile } = await import("../../device/artifacts/added-file.ts");
      const metadata = await addFile(opened, pathGiven(context, file), context.newId);
      if (flags.json) return output.json(metadata);
      const { extractContext } = await import("../../device/artifacts/description/context.ts");
      output.line(printable(extractContext(metadata).split("\n")[0] ?? ""));
    }),
  );
}

/** `scouts artifacts grep` and `diff`: what stands in artifacts, and what is different in two of them. */
export function addArtifactSearch(artifacts: Command, context: CliContext): void {
  withCommonOptions(
    artifacts
      .command("grep")
      .description("lines of artifacts that hold a text")
      .argument("<pattern>", "text, or RE2 with --regex")
      .argument("[id...]", "only in these"),
  )
    .option("--regex", "the pattern is a regular expression (RE2)")
    .option("--ignore-case", "upper and lower case are the same")
    .option("--context <lines>", "lines around a match", wholeNumber(0, 20), 0)
    .option("--limit <number>", "at most so many matches", wholeNumber(1, 500), 100)
    .action((pattern: string, ids: string[], flags: GrepFlags) =>
      withArtifacts(context, flags, async (opened, output) => {
        const { artifactGrep } = await import("../../device/artifacts/tools/artifact-grep.ts");
        const { facts, text = "" } = await artifactGrep(personSession(opened, context), {
          pattern,
          regex: flags.regex ?? false,
          ignoreCase: flags.ignoreCase ?? false,
          contextLines: flags.context,
          maxMatches: flags.limit,
          ...(ids.length > 0 && { ids }),
        });
        if (flags.json) return output.json({ ...facts, lines: text === "" ? [] : text.split("\n") });
        output.line(text === "" ? "No matches." : printableCode(text));
        if (facts["isCut"] === true)
          output.line(output.style("dim", "More matches are not shown; --limit shows more."));
        for (const note of Array.isArray(facts["notes"]) ? facts["notes"] : []) {
          context.io.stderr.write(`scouts: ${printable(String(note))}\n`);
        }
      }),
    );

  withCommonOptions(
    artifacts
      .command("diff")
      .description("what is different in two artifacts, line by line")
      .argument("<id>", "id of the one before")
      .argument("<other>", "id of the one after"),
  ).action((one: string, other: string, flags: CommonOptions) =>
    withArtifacts(context, flags, async (opened, output) => {
      const { compareArtifacts } = await import("../../device/artifacts/compare.ts");
      const { diff, isRough } = await compareArtifacts(opened, one, other);
      if (flags.json) return output.json({ isEqual: diff === "", isRough, diff });
      output.line(diff === "" ? "They are equal." : printableCode(diff.replace(/\n$/, "")));
      if (isRough) output.line(output.style("dim", "Time was up: what was not compared is shown as replaced."));
    }),
  );
}
