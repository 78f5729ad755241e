import { checkAnswer } from "../../../device/categorize/agent/check-answer.ts";
import { itemText } from "../../../device/categorize/agent/item-text.ts";
import type { Categorized } from "../../../device/categorize/draft.ts";
import type { ItemView, Known } from "../../../device/categorize/item-view.ts";
import { categorizeByRules } from "../../../device/categorize/rules.ts";
import { localTimeAt } from "../../../device/work/dates/zone.ts";
import { type CategorizeAnswer, categorizeAnswer } from "../../../events/agent-tools/categorize-answer.ts";
import { isScoutsError } from "../../../events/errors.ts";
import { agentTools } from "../../../shared/agents/conversation/tools.ts";
import { agreed } from "../../../shared/llm/openai/answer/agreed.ts";
import { promptLabel } from "../../../shared/llm/prompt.ts";
import { agentCategorize } from "../../../shared/llm/prompts/agent-categorize.ts";
import type { ModelTurn, ToolModel } from "../../../shared/llm/tool-model.ts";
import { delimited } from "../../../shared/privacy/delimiters.ts";
import { Transient } from "../../../shared/privacy/transient.ts";

/** Says what an item is, as a model would; undefined when it does not. */
export type Answering = (item: ItemView, known: Known) => Promise<CategorizeAnswer | undefined>;

/** All of stage 2 on one item: rules, then a model's answer held against it, where there is one to be asked. */
export const categorizeWith =
  (answering: Answering) =>
  async (item: ItemView, known: Known): Promise<Categorized> => {
    const rules = await categorizeByRules(item, known);
    const { calendar, claims } = rules.draft;
    const answer = calendar === null && claims.length === 0 ? await answering(item, known) : undefined;
    return answer === undefined ? rules : checkAnswer(item, known, rules, answer, promptLabel(agentCategorize));
  };

const mostSteps = 4;

/** Asks a model as a run does: the same instructions, tools and form. What it looks up besides, there is none of. */
export function askedOf(model: ToolModel): Answering {
  return async (item, { nowMs, zone, isSenderKnown, projects }) => {
    const list = projects.map(({ id, name }) => JSON.stringify({ id, name })).join("\n");
    const turns: ModelTurn[] = [
      { role: "system", text: agentCategorize.text },
      { role: "user", text: delimited(list, "projects") },
      {
        role: "user",
        text: `It is ${localTimeAt(nowMs, zone)} in ${zone}. The person ${isSenderKnown ? "knows" : "does not know"} its sender.`,
      },
      { role: "user", text: delimited(itemText(item), "item") },
    ];
    for (let step = 1; step <= mostSteps; step += 1) {
      const said = await answered(model, turns, step === mostSteps);
      if (said === undefined) return undefined;
      const calls = said.calls.reveal().map((call, at) => ({ ...call, callId: `cal_${step}_${at}` }));
      if (calls.length === 0) return agreed(categorizeAnswer, said.text.reveal())?.reveal();
      turns.push({ role: "assistant", text: said.text.reveal(), calls });
      turns.push(...calls.map(({ callId }): ModelTurn => ({ role: "tool", callId, text: "Nothing was found." })));
    }
    return undefined;
  };
}

/** What fails leaves the item to the rules, as in the product. */
async function answered(model: ToolModel, turns: readonly ModelTurn[], isLast: boolean) {
  try {
    return await model.converse(
      {
        turns: new Transient(turns),
        tools: agentTools("categorize"),
        form: { name: "categorized_item", schema: categorizeAnswer },
        toolChoice: isLast ? "none" : "auto",
        maxOutputTokens: 2_000,
        timeoutMs: 120_000,
        signal: new AbortController().signal,
      },
      async () => {},
    );
  } catch (error) {
    if (!isScoutsError(error)) throw error;
    return undefined;
  }
}
