import type { Command } from "commander";
import { age } from "../../device/age.ts";
import { answerNamed } from "../../device/agent/earlier-answers.ts";
import { DeviceError } from "../../device/errors.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions, withStore } from "../context.ts";
import { counted } from "../output/counted.ts";
import { tellThatOlderMayBe } from "../output/newest.ts";
import { printable } from "../output/printable.ts";
import { printableCode } from "../output/printable-code.ts";
import { projectNamed } from "../projects/project-named.ts";

interface ListFlags extends CommonOptions {
  readonly project?: string;
  readonly limit: number;
}

/** `scouts answers …`: what agents answered, kept on this device. */
export function addAnswers(program: Command, context: CliContext): void {
  const group = program
    .command("answers")
    .description(
      "what was answered: list, show, forget; files that answers quoted are ranked higher in questions like them",
    );
  const list = group
    .command("list")
    .description("list what was answered, newest first")
    .option("--project <project>", "of this project only")
    .option("--limit <number>", "shown at most", wholeNumber(1, 1_000), 20);
  withCommonOptions(list).action((flags: ListFlags) =>
    withStore(context, flags, (store, output) => {
      const locked = store.answers.sealed() > 0 ? store.vault.lockedBy() : undefined;
      if (locked !== undefined) throw locked;
      const of = flags.project === undefined ? {} : { projectId: projectNamed(store, flags.project).id };
      const rows = store.answers.list({ ...of, limit: flags.limit });
      if (flags.json) return output.json(rows);
      if (rows.length === 0) output.line("Nothing was answered yet; ask: scouts ask");
      for (const { id, question, askedAt } of rows) {
        output.line(`${id}  ${age(askedAt, context.now())}  ${printable(question)}`);
      }
      tellThatOlderMayBe(output, rows, flags.limit);
    }),
  );
  const show = group
    .command("show")
    .description("show a question and its answer")
    .argument("<answer>", "its id, or how that begins");
  withCommonOptions(show).action((named: string, flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const found = answerNamed(store, named);
      if (flags.json) return output.json(found);
      output.line(output.style("bold", printable(found.question)));
      output.line(printableCode(found.answer).trimEnd());
      if (found.files.length > 0) output.line(output.style("dim", `Read: ${found.files.map(printable).join(", ")}`));
    }),
  );
  const remove = group
    .command("remove")
    .description("forget an answer, and what was learnt from it")
    .argument("<answer>", "its id, or how that begins");
  withCommonOptions(remove).action((named: string, flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const { id } = answerNamed(store, named);
      store.answers.remove(id);
      if (flags.json) output.json({ removed: id });
      else output.line(`Forgotten: ${id}`);
    }),
  );
  const clear = group
    .command("clear")
    .description("forget all answers, and all that was learnt from them")
    .option("--yes", "really forget them");
  withCommonOptions(clear).action((flags: CommonOptions & { readonly yes?: boolean }) =>
    withStore(context, flags, (store, output) => {
      const count = store.answers.count();
      if (count > 0 && flags.yes !== true) {
        const sentence = `This forgets ${counted(count, "answer")} and what was learnt from them, for good; add --yes if you mean it.`;
        throw new DeviceError("usage", { sentence });
      }
      const removed = store.answers.clear();
      if (flags.json) output.json({ removed });
      else output.line(`Forgotten: ${counted(removed, "answer")}.`);
    }),
  );
}
