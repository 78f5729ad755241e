import { categorizeByRules } from "../../../device/categorize/rules.ts";
import { entityOf, whole } from "../../categorize/case.ts";
import { cases } from "../../categorize/cases.ts";
import { readArguments } from "../arguments.ts";
import { hasData } from "../data-files.ts";
import { openModel } from "../model-under-test.ts";
import { askedOf } from "./agent.ts";
import { categoryTable, majority, type Told } from "./by-category.ts";
import { injectedTable } from "./injected.ts";
import { obedientTo } from "./obedient.ts";
import { toldBy } from "./told-by.ts";

/**
 * `npm run eval -- categorize`: precision and recall by category on the cases of test/categorize, beside a guess that is
 * always the commonest, how many drafts are exact, and what texts that give orders can set.
 */
export async function categorizeCommand(args: readonly string[]): Promise<void> {
  const options = readArguments(args);
  const rules: Told[] = [];
  let exact = 0;
  for (const { item, known, category, priority, entity } of cases) {
    const result = await categorizeByRules(item, known);
    rules.push({ is: category, said: result.category });
    const isExact = JSON.stringify(entityOf(result)) === JSON.stringify(whole(entity)) && result.priority === priority;
    if (isExact && result.category === category) exact += 1;
  }
  const commonest = majority(cases.map(({ category }) => category));
  const guess = rules.map(({ is }): Told => ({ is, said: commonest }));
  const model = await openModel();
  try {
    const ways = new Map([
      ["rules", rules],
      [`always ${commonest}`, guess],
    ]);
    if (!model.builtIn) ways.set(model.name, await toldBy(cases, askedOf(model.conversing), options.concurrency));
    console.log(`${cases.length} cases, percent with 95 % intervals (Wilson)\n`);
    console.log(categoryTable(ways));
    if (model.builtIn) {
      console.log("\nOPENAI_API_KEY, or OPENAI_BASE_URL with OPENAI_MODEL, name a model to be measured beside them.");
    }
  } finally {
    await model.close();
  }
  console.log(`\nExact in category, priority and every field of the draft: ${exact} of ${cases.length}.`);
  if (!hasData("injection/*.jsonl.gz")) return;
  console.log("\nTexts that give orders, put into real mails: what they set that the mail alone does not.\n");
  console.log(await injectedTable(categorizeByRules, options));
  console.log("\nThe same with a model that does whatever such a text says, its answer held against the mail.\n");
  console.log(await injectedTable(categorizeByRules, options, obedientTo));
}
