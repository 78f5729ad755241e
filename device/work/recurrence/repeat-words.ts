import type { Here } from "../dates/read-date.ts";
import { repeatsOf, type ToldDays, type ToldRule } from "./repeats.ts";
import { dayInWords, listed, ruleInWords } from "./rule-words.ts";
import type { SeriesEvent } from "./series.ts";

/**
 * How often an event takes place, in English words: `every second Friday until 3 March 2027, but not on 4 December 2026`.
 * Days that are added or left out are told where they are not over. Empty for an event that takes place once.
 *
 * Where an event is on another day for its reader than where it takes place, it is said whose days these are.
 *
 * @param here where its reader is, and when
 */
export function repeatWords(event: SeriesEvent, here: Here): string {
  const { rules, moreRules, daysOf, ...days } = repeatsOf(event, here);
  const told = rules.map((rule) => ruleText(rule, event.start));
  const more = moreRules > 0 ? [`and ${counted(moreRules, "more rule")}`] : [];
  const [added, leftOut] = [daysText(days.added), daysText(days.leftOut)];
  const words = [
    [...told, ...more].join("; "),
    added === "" ? "" : `also on ${added}`,
    leftOut === "" ? "" : `but not on ${leftOut}`,
  ]
    .filter((each) => each !== "")
    .join(", ");
  return words !== "" && daysOf !== null ? `${words} (days of ${daysOf})` : words;
}

function ruleText({ parts, until, written }: ToldRule, start: string): string {
  if (parts === undefined) return `by a rule that is not known here (${written})`;
  const words = ruleInWords(parts, start);
  if (words === undefined) return `by the rule ${written}`;
  const { count } = parts;
  const times = count === undefined ? "" : count === 1 ? ", once" : `, ${count} times`;
  return `${words}${until === null ? "" : ` until ${dayInWords(until)}`}${times}`;
}

function daysText({ days, more }: ToldDays): string {
  const told = days.map((each) => `${dayInWords(each)}${each.length > 10 ? ` at ${each.slice(11, 16)}` : ""}`);
  return listed([...told, ...(more > 0 ? [counted(more, "more day")] : [])]);
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
