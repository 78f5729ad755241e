import { Argument, type Command } from "commander";
import { type LearntFile, learntFiles } from "../../device/knowledge/search/earlier-use.ts";
import {
  type LearnedThing,
  learnedThings,
  learnState,
  resetLearning,
  switchLearning,
} from "../../device/learn-state.ts";
import { weightsOf } from "../../device/proposals/attention/order.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";

/** Weights, and files, that are shown: the others move little. */
const mostShown = 15;

/** `scouts learn …`: what the order of proposals, and of files that are found, has learned from the person. */
export function addLearn(program: Command, context: CliContext): void {
  const learn = program
    .command("learn")
    .description("what the order of proposals has learned from your decisions, and that of files from your questions");
  const show = learn
    .command("show")
    .description(
      "show what speaks for and against a proposal, by your decisions, and which files your questions led to",
    );
  withCommonOptions(show).action((flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const { isOn, sinceMs } = learnState(store, "proposals");
      const { weights, decisions } = weightsOf(store);
      const files = learntFiles(store);
      const named = [...weights]
        .filter(([name]) => !name.startsWith("word "))
        .toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one))
        .slice(0, mostShown);
      if (flags.json) {
        const ofFiles = { ...learnState(store, "files"), files };
        return output.json({ isOn, sinceMs, decisions, weights: Object.fromEntries(weights), ofFiles });
      }
      showWeights(output, { isOn, decisions, named });
      showFiles(output, learnState(store, "files").isOn, files);
    }),
  );
  const change = (name: string, description: string, apply: Apply, said: string) =>
    withCommonOptions(
      learn
        .command(name)
        .description(description)
        .addArgument(new Argument("[what]", "of one of them only").choices(learnedThings)),
    ).action((what: LearnedThing | undefined, flags: CommonOptions) =>
      withStore(context, flags, (store, output) => {
        const things = what === undefined ? learnedThings : [what];
        for (const thing of things) apply(store, thing, context.now());
        if (flags.json) output.json(Object.fromEntries(things.map((thing) => [thing, learnState(store, thing)])));
        else output.line(said);
      }),
    );
  change(
    "reset",
    "forget what was learned; what you decide and ask from now on counts",
    resetLearning,
    "Forgotten. What you decide and ask from now on counts.",
  );
  change(
    "off",
    "order by what proposals and files say alone",
    (store, thing) => switchLearning(store, thing, false),
    "Off: the order is by what stands there alone.",
  );
  change(
    "on",
    "learn from your decisions and questions again",
    (store, thing) => switchLearning(store, thing, true),
    "On: your decisions and questions count, those made meanwhile too.",
  );
}

type Apply = (store: Parameters<typeof resetLearning>[0], thing: LearnedThing, nowMs: number) => void;

function showWeights(
  output: Output,
  { isOn, decisions, named }: { isOn: boolean; decisions: number; named: readonly (readonly [string, number])[] },
): void {
  if (!isOn) output.line("Learning from decisions is off; `scouts learn on proposals` switches it on.");
  else if (named.length === 0) output.line("Nothing was learned yet: it learns when you approve or reject a proposal.");
  else {
    const head = `From ${counted(decisions, "decision")}; what moves a proposal up has a plus. It hides none.`;
    output.line(output.style("dim", head));
    for (const [name, weight] of named) {
      output.line(`${weight >= 0 ? "+" : "-"}${Math.abs(weight).toFixed(2)}  ${printable(name)}`);
    }
  }
}

function showFiles(output: Output, isOn: boolean, files: readonly LearntFile[]): void {
  if (!isOn) output.line("Learning from questions is off; `scouts learn on files` switches it on.");
  if (files.length === 0) return;
  output.line(output.style("dim", "Files that answers quoted; they rank higher for questions like these."));
  for (const { path, questions } of files.slice(0, mostShown)) {
    const [latest = ""] = questions;
    const more = questions.length > 1 ? `, and ${questions.length - 1} more` : "";
    output.line(`${printable(path)}  ${printable(latest)}${more}`);
  }
}
