import type { ProposalDraft } from "../../categorize/draft.ts";
import type { StoredProposal } from "../../store/schema.ts";
import type { OutcomeKind } from "../../work/decide-into.ts";
import type { Draft } from "../../work/entities.ts";

/** What a proposal's draft would become. */
export type DraftOutcome = { readonly [K in OutcomeKind]: { readonly kind: K; readonly draft: Draft<K> } }[OutcomeKind];

/** Languages that a draft's own words are made in: those of the console. The command line and agents are told in English. */
export const titleLanguages = ["en", "it", "es", "fr", "de"] as const;
export type TitleLanguage = (typeof titleLanguages)[number];

const longestTitle = 500;

/** What stands before the title of an answer; with nobody to name, and with whom. The page says the same (`card.answer`). */
const answers: Readonly<Record<TitleLanguage, readonly [nobody: string, (who: string) => string]>> = {
  en: ["Answer", (who) => `Answer ${who}`],
  it: ["Rispondi", (who) => `Rispondi a ${who}`],
  es: ["Responder", (who) => `Responder a ${who}`],
  fr: ["Répondre", (who) => `Répondre à ${who}`],
  de: ["Antworten", (who) => `${who} antworten`],
};

/** What a task is called that is to answer somebody. @param who "" where nobody is named */
function answerTitle(language: TitleLanguage, who: string, title: string): string {
  const [nobody, somebody] = answers[language];
  const colon = language === "fr" ? " :" : ":";
  return `${who === "" ? nobody : somebody(who)}${colon} ${title}`.slice(0, longestTitle);
}

/** Whom a proposal's task is to answer, "" where nobody is named; null where it is no answer, or its writer has called it otherwise. */
export function whomToAnswer({ category, payload, metadata }: StoredProposal): string | null {
  if (category !== "reply" || payload === null || payload.by === "person") return null;
  return metadata?.sender.name.trim() || metadata?.sender.address.trim() || "";
}

/**
 * What approving a proposal makes of it, by its draft: a task of what is to be done or answered, an event, a note.
 * Undefined where nothing is made: of what is only to be known.
 *
 * @param language that of its own words
 */
export function draftOutcome(row: StoredProposal, language: TitleLanguage = "en"): DraftOutcome | undefined {
  const { category, priority, payload } = row;
  if (payload === null) return undefined;
  const { title, due } = payload;
  // The project a person has put it into comes before one that was found in it.
  const projectId = row.projectId ?? payload.projectId;
  const said = saidIn(payload);
  switch (category) {
    case "task":
      return { kind: "task", draft: { title, due, priority, projectId, note: said } };
    case "reply": {
      const who = whomToAnswer(row);
      const called = who === null ? title : answerTitle(language, who, title);
      return { kind: "task", draft: { title: called, due, priority, projectId, note: said } };
    }
    case "event":
      return eventOutcome(payload, said);
    case "note":
      return { kind: "note", draft: { title, markdown: said } };
    default:
      return undefined;
  }
}

/** What a draft says beside its title: its note, else what it quotes. What a person has written is theirs, also when it is nothing. */
function saidIn({ note, quotes, by }: ProposalDraft): string {
  return note !== "" || by === "person" ? note : quotes.map(quoted).join("\n");
}

/** What is said in what a person makes of a proposal against its draft: what that says, else how the item begins. */
export function textForOther({ payload, rawSnippet }: StoredProposal): string {
  const said = payload === null ? "" : saidIn(payload);
  const begins = (rawSnippet ?? "").trim();
  return said === "" && payload?.by !== "person" && begins !== "" ? quoted(begins) : said;
}

const quoted = (text: string): string => `> ${text.replace(/\s+/g, " ").trim()}`;

function eventOutcome(payload: ProposalDraft, said: string): DraftOutcome | undefined {
  const { title, start, end, zone, isAllDay, place, people, calendar } = payload;
  if (start === null || end === null) return undefined;
  const { method: _, ...revision } = calendar ?? { method: "" };
  return {
    kind: "event",
    draft: { title, start, end, zone, isAllDay, place, people, note: said, ...revision },
  };
}
