import type { Selected } from "../session/selected.ts";
import { has, type Session } from "../session/session.ts";
import type { Message } from "../store/message.ts";
import { writeSequenceSet } from "../wire/sequence-set.ts";
import { itemsOf, numberOf, SyntaxFault, textOf, type Value, wordOf } from "../wire/values.ts";
import { joined, list } from "../wire/written.ts";
import { type Command, inFolder } from "./command.ts";
import { type FetchItem, parseItem } from "./fetch-items.ts";
import { vanishedSince } from "./select.ts";

const macros: Readonly<Record<string, readonly string[]>> = {
  FAST: ["FLAGS", "INTERNALDATE", "RFC822.SIZE"],
  ALL: ["FLAGS", "INTERNALDATE", "RFC822.SIZE", "ENVELOPE"],
  FULL: ["FLAGS", "INTERNALDATE", "RFC822.SIZE", "ENVELOPE", "BODY"],
};

function wantedItems(value: Value | undefined, byUid: boolean): FetchItem[] {
  const names = value?.kind === "list" ? value.items.map(textOf) : [textOf(value)];
  const all = names.flatMap((name) => macros[name.toUpperCase()] ?? [name]);
  // RFC 3501 §6.4.8: whoever fetches by UID is told it.
  if (byUid && !all.some((name) => name.toUpperCase() === "UID")) all.unshift("UID");
  return all.map(parseItem);
}

interface Modifiers {
  readonly changedSince: number | undefined;
  readonly isVanished: boolean;
}

/** `(CHANGEDSINCE n [VANISHED])` (RFC 7162 §3.1.4.1, §3.2.6). @throws SyntaxFault */
function modifiersOf(session: Session, value: Value | undefined, byUid: boolean): Modifiers {
  if (value === undefined) return { changedSince: undefined, isVanished: false };
  const words = itemsOf(value);
  const at = words.findIndex((word) => wordOf(word) === "CHANGEDSINCE");
  if (at < 0 || !has(session, "CONDSTORE")) throw new SyntaxFault("That is not known of FETCH");
  const isVanished = words.some((word) => wordOf(word) === "VANISHED");
  if (isVanished && !(byUid && session.enabled.has("QRESYNC"))) throw new SyntaxFault("Enable QRESYNC first");
  session.enabled.add("CONDSTORE");
  return { changedSince: numberOf(words[at + 1]), isVanished };
}

const fetching = (byUid: boolean): Command =>
  inFolder(async (session, [set, wanted, modifiers], selected) => {
    const items = wantedItems(wanted, byUid);
    const { changedSince, isVanished } = modifiersOf(session, modifiers, byUid);
    if (changedSince !== undefined && !items.some(({ name }) => name === "MODSEQ")) items.push(parseItem("MODSEQ"));
    if (items.some(({ name }) => name === "MODSEQ")) session.enabled.add("CONDSTORE");
    if (isVanished && changedSince !== undefined) {
      const gone = vanishedSince(selected.folder, changedSince, textOf(set));
      if (gone.length > 0) await session.peer.send(`* VANISHED (EARLIER) ${writeSequenceSet(gone)}`);
    }
    for (const { number, message } of selected.chosen(textOf(set), byUid)) {
      if (changedSince !== undefined && message.modseq <= changedSince) continue;
      const marks = !selected.isReadOnly && items.some(({ marksSeen }) => marksSeen) && !message.flags.has("\\Seen");
      if (marks) markSeen(selected, message);
      const { faults } = session.server;
      const lies = faults.take("literalLies", byUid ? "UID FETCH" : "FETCH")?.by ?? 0;
      const isNil = faults.take("nilEverywhere", byUid ? "UID FETCH" : "FETCH") !== undefined;
      const shown = marks && !items.some(({ name }) => name === "FLAGS") ? [...items, parseItem("FLAGS")] : items;
      const values = shown.flatMap((item) => [item.label, item.write(message, { lies, isNil })]);
      await session.peer.send(joined([`* ${number} FETCH`, list(values)]));
    }
    const isLost = !byUid && selected.namesExpunged(textOf(set));
    return isLost ? "NO [EXPUNGEISSUED] Some of these messages are gone" : "OK Done";
  }, !byUid);

/** Whoever fetches a body has read it; the answer shows the flag. */
function markSeen(selected: Selected, message: Message): void {
  selected.folder.setFlags(message, [...message.flags, "\\Seen"]);
  selected.noteTold(message);
}

export const fetchCommands: Readonly<Record<string, Command>> = { FETCH: fetching(false), "UID FETCH": fetching(true) };
