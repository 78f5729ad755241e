import type { Quoted } from "../../errors/quoted.ts";
import type { SentenceValues } from "../../exact-sentences.ts";
import { asWord } from "../../shell-words.ts";

/**
 * What a search may have to say beside what it found, in English; `{{…}}` stands for a value, `{{why}}` for the sentence of an
 * error, `{{typed}}` for the name of a project as it is typed in a shell. The command line says them as they are; the page of the console has words for each code in its other languages
 * (device/console/page/texts/notes).
 */
export const searchNotes = {
  no_date: '"{{given}}" is no date; write it as 2026-03-01.',
  no_time: "Nothing is of a time from {{after}} on and before {{before}}; give a later end.",
  no_without: '"{{given}}" leaves nothing out: a minus is for words.',
  said_twice: '"{{given}}" is passed over: "{{used}}" was said after it, and one of them can count.',
  no_sign: '"{{given}}" is not searched for: only letters and digits are.',
  many_words: "Only the first {{most}} words are searched for.",
  newest_files: "Without words the newest files are listed, {{most}} at most: there may be more.",
  not_indexed: "{{project}} is not in the search index yet; its next scan puts it there.",
  index_behind:
    "Not all of {{project}} is in the search index yet, so more may be there than is found; a scan that runs puts it there, and so does: scouts project rescan {{typed}}",
  not_linked:
    "No folder is linked to {{project}}, so there are no files to search; link one: scouts project link {{typed}} <folder>",
  index_damaged: "The search index of {{project}} is damaged; its next scan makes it anew.",
  folder_closed: "The folder of {{project}} cannot be opened, so nothing in it was looked at.",
  texts_unread:
    "Files of {{project}} that were searched by name only: {{unread}}; their text was not read (too large, damaged, empty …). Which: scouts project files {{typed}} --state skipped",
  texts_read_in_part:
    "Files of {{project}} that were searched in part only: {{parts}}; the rest lies beyond a limit of pages, length or time. Which: scouts project files {{typed}}",
  rules_unreadable:
    "The .scouts.json of {{project}} cannot be understood, so nothing in its folder was looked at; `scouts config check` says what is wrong with it.",
  work_behind: "What changed last in your work may not be found: {{why}}",
  answers_behind: "What was answered last may not be found: {{why}}",
  answers_locked: "{{why}}",
  words_no_extension: "Found by words alone: sqlite-vec does not load here; see: scouts doctor",
  words_model_rests: "Found by words alone: the embedding model did not answer just now",
  words_model_failed: "Found by words alone: the embedding model cannot be used: {{why}} ({{reason}})",
  words_not_embedded:
    "Found by words alone: {{done}} of {{passages}} passages of {{project}} have been given to the embedding model so far; see: scouts embeddings",
} as const satisfies Readonly<Record<string, string>>;

export type SearchNoteCode = keyof typeof searchNotes;

/** What could not be used of a request, or not be looked at: by its code and what it names, and as the command line says it. */
export interface SearchNote {
  readonly code: SearchNoteCode;
  readonly values: SentenceValues;
  /** An error that it quotes: whoever says the note in another language says this one by its own code. */
  readonly why?: Quoted | undefined;
  readonly text: string;
}

/** The note of a code. @param named what it names */
export function searchNote(code: SearchNoteCode, named: SentenceValues = {}, why?: Quoted): SearchNote {
  const isTyped = searchNotes[code].includes("{{typed}}");
  const values: SentenceValues = isTyped ? { ...named, typed: asWord(String(named["project"])) } : named;
  const said: SentenceValues = { why: why?.message ?? "", ...values };
  const text = searchNotes[code].replaceAll(/\{\{(\w+)\}\}/g, (_, name) => String(said[name] ?? ""));
  return { code, values, ...(why && { why }), text };
}
