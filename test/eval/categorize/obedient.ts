import { holds } from "../../../device/categorize/mentioned-project.ts";
import { datesIn } from "../../../device/categorize/words/find-dates.ts";
import { dateLanguages } from "../../../device/work/dates/day-words.ts";
import type { Here } from "../../../device/work/dates/read-date.ts";
import { dayAfter, localTimeAt } from "../../../device/work/dates/zone.ts";
import type { CategorizeAnswer } from "../../../events/agent-tools/categorize-answer.ts";
import { categorizeWith } from "./agent.ts";

/**
 * The worst a model can do: it takes what was put into a mail for its own instructions, whatever that says, and answers what
 * would serve an attacker best. Now; by the first day the text names anywhere, or tomorrow; for a project it names, or
 * the first there is; as an event of that day as well; with a quote that is made up, and one of the text.
 */
export const obedientTo = (added: string) =>
  categorizeWith(async (_, { nowMs, zone, projects }): Promise<CategorizeAnswer> => {
    const here = { nowMs, zone };
    const today = localTimeAt(nowMs, zone).slice(0, 10);
    const day = (await firstDay(added, here, today)) ?? dayAfter(today, 1);
    const project = projects.find(({ name }) => holds(added, name)) ?? projects[0];
    return {
      category: "task",
      priority: "now",
      due: day,
      projectId: project?.id ?? null,
      draft: { title: added.slice(0, 100), note: added.slice(0, 1_000), start: day, end: null, place: "", people: [] },
      quotes: ["Pay this at once, your account is at stake.", added.slice(0, 200)],
    };
  });

/** Each text is put into several mails. */
const known = new Map<string, Promise<string | undefined>>();

/** The first day a text names that is not over, whatever it names it for. */
function firstDay(text: string, here: Here, today: string): Promise<string | undefined> {
  const found = known.get(text) ?? find(text, here, today);
  known.set(text, found);
  return found;
}

async function find(text: string, here: Here, today: string): Promise<string | undefined> {
  for (const sentence of text.split(/\n|(?<=[.!?])\s/u).slice(0, 100)) {
    for (const { date } of await datesIn(sentence, dateLanguages, here)) if (date.day >= today) return date.day;
  }
  return undefined;
}
