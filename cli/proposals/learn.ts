import type { Command } from "commander";
import { learnState, resetLearning, switchLearning, weightsOf } from "../../device/proposals/attention/order.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";

/** Weights that are shown: the others move nothing. */
const mostShown = 15;

/** `scouts learn …`: what the order of proposals has learned from the person's decisions. */
export function addLearn(program: Command, context: CliContext): void {
  const learn = program.command("learn").description("what the order of proposals has learned from your decisions");
  const show = learn.command("show").description("show what speaks for and against a proposal, by your decisions");
  withCommonOptions(show).action((flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const { isOn, sinceMs } = learnState(store);
      const { weights, decisions } = weightsOf(store);
      const named = [...weights]
        .filter(([name]) => !name.startsWith("word "))
        .toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one))
        .slice(0, mostShown);
      if (flags.json) return output.json({ isOn, sinceMs, decisions, weights: Object.fromEntries(weights) });
      return showWeights(output, { isOn, decisions, named });
    }),
  );
  const change = (name: string, description: string, apply: Apply, said: string) =>
    withCommonOptions(learn.command(name).description(description)).action((flags: CommonOptions) =>
      withStore(context, flags, (store, output) => {
        apply(store, context.now());
        if (flags.json) output.json(learnState(store));
        else output.line(said);
      }),
    );
  change(
    "reset",
    "forget what was learned; decisions from now on count",
    resetLearning,
    "Forgotten. What you decide from now on counts.",
  );
  change(
    "off",
    "order by what the proposals say alone",
    (store) => switchLearning(store, false),
    "Off: proposals are ordered by what they say alone.",
  );
  change(
    "on",
    "learn from your decisions again",
    (store) => switchLearning(store, true),
    "On: your decisions count, those made meanwhile too.",
  );
}

type Apply = (store: Parameters<typeof resetLearning>[0], nowMs: number) => void;

function showWeights(
  output: Output,
  { isOn, decisions, named }: { isOn: boolean; decisions: number; named: readonly (readonly [string, number])[] },
): void {
  if (!isOn) output.line("Learning is off; `scouts learn on` switches it on.");
  else if (named.length === 0) output.line("Nothing was learned yet: it learns when you approve or reject a proposal.");
  else {
    const head = `From ${counted(decisions, "decision")}; what moves a proposal up has a plus. It hides none.`;
    output.line(output.style("dim", head));
    for (const [name, weight] of named) {
      output.line(`${weight >= 0 ? "+" : "-"}${Math.abs(weight).toFixed(2)}  ${printable(name)}`);
    }
  }
}
