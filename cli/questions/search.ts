import type { Command } from "commander";
import { DeviceError } from "../../device/errors.ts";
import type { IndexingTold } from "../../device/knowledge/work/update-work-index.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions, withStore } from "../context.ts";
import { lateProgress } from "../output/progress.ts";
import { projectNamed } from "../projects/project-named.ts";
import { showSearchAnswer } from "./shown-search.ts";

interface SearchFlags extends CommonOptions {
  readonly project?: string;
  readonly limit: number;
}

const help = `
Words are found in any form and order; what has all of them comes first.
  '"words in this order"'    -without    kind:pdf (an extension, or a tag: code, doc, …)
  kind:proposal (or task, event, note, person, memory, answer, artifact)
  from:Ada (who sent it)
  project:Garden    project:"My Garden" (quotation marks within a name are left out)
  after:2026-03    before:2026-06-01
Without words, kind: and from: list the newest.
`;

/** Many changes take a while. */
const whileIndexing = "Interrupted while the index was brought up to date; the next search goes on with that.";

/** `scouts search`: what linked folders, proposals and the person's own work say, from the index on this device. */
export function addSearch(program: Command, context: CliContext): void {
  const command = program
    .command("search")
    .summary("search your folders, proposals and work on this device")
    .description(
      "Searches the text of your linked folders, what your scouts proposed, your tasks, events, notes, people and " +
        "facts, and what agents answered and looked up before, in the indexes of this device. No model is asked and nothing is " +
        "sent, unless you have set an embedding model (scouts embeddings): that one is sent the words.",
    )
    .argument("<query...>", "what to look for")
    .option("--project <project>", "name or id of a project")
    .option("--limit <number>", "files shown at most, and as many of the rest", wholeNumber(1, 200), 10)
    .addHelpText("after", help);
  withCommonOptions(command).action((query: string[], flags: SearchFlags) =>
    withStore(context, flags, async (store, output) => {
      const { search } = await import("../../device/knowledge/search/search.ts");
      const projectId = flags.project === undefined ? undefined : projectNamed(store, flags.project).id;
      const progress = lateProgress(context.io, flags.json, "Indexing");
      const told: IndexingTold = (state) => {
        if (context.io.signal.aborted) throw new DeviceError("interrupted", { sentence: whileIndexing });
        progress?.update(state);
      };
      const request = { text: query.join(" "), projectId, limit: flags.limit, told };
      const answer = await search(request, { store, now: context.now }).finally(() => progress?.finish());
      if (flags.json) output.json({ ...answer, notes: answer.notes.map(({ text }) => text) });
      else showSearchAnswer(output, answer, context.now());
    }),
  );
}
