import type { Selected } from "../session/selected.ts";
import { type Completion, has, type Session, tellNews } from "../session/session.ts";
import type { Folder } from "../store/folder.ts";
import type { Message } from "../store/message.ts";
import { parseDateTime } from "../wire/dates.ts";
import { writeSequenceSet } from "../wire/sequence-set.ts";
import { itemsOf, numberOf, SyntaxFault, textOf, type Value, wordOf } from "../wire/values.ts";
import { type Command, inFolder, signedIn } from "./command.ts";
import { folderName } from "./folders.ts";

const readOnly = "NO [READ-ONLY] The folder is open for reading";
const noFolder = "NO [TRYCREATE] There is no such folder";

const flagsOf = (value: Value | undefined): string[] =>
  value?.kind === "list" ? value.items.map(textOf) : [textOf(value)];

const storing = (byUid: boolean): Command =>
  inFolder(async (session, [set, ...rest], selected) => {
    if (selected.isReadOnly) return readOnly;
    const [first] = rest;
    const condition = first?.kind === "list" ? itemsOf(rest.shift()) : undefined;
    const unchangedSince = condition === undefined ? undefined : numberOf(condition[1]);
    if (condition !== undefined && wordOf(condition[0]) !== "UNCHANGEDSINCE")
      throw new SyntaxFault("Not known of STORE");
    const [, how = "", silent] = /^([+-]?)FLAGS(\.SILENT)?$/.exec(wordOf(rest[0])) ?? [];
    if (!/^[+-]?FLAGS/.test(wordOf(rest[0]))) throw new SyntaxFault("Not known of STORE");
    const given = flagsOf(rest[1]);
    const modified: number[] = [];
    for (const { number, message } of selected.chosen(textOf(set), byUid)) {
      if (unchangedSince !== undefined && message.modseq > unchangedSince) {
        modified.push(byUid ? message.uid : number);
        continue;
      }
      selected.folder.setFlags(message, changedFlags(message, how, given));
      selected.noteTold(message);
      const facts = [
        ...(byUid ? [`UID ${message.uid}`] : []),
        ...(session.enabled.has("CONDSTORE") || condition ? [`MODSEQ (${message.modseq})`] : []),
        ...(silent === undefined ? [`FLAGS (${[...message.flags].join(" ")})`] : []),
      ];
      if (facts.length > (byUid ? 1 : 0)) await session.peer.send(`* ${number} FETCH (${facts.join(" ")})`);
    }
    return modified.length === 0 ? "OK Done" : `OK [MODIFIED ${writeSequenceSet(modified)}] Some were changed since`;
  }, !byUid);

function changedFlags({ flags }: Message, how: string, given: readonly string[]): Iterable<string> {
  if (how === "+") return [...flags, ...given];
  const taken = new Set(given.map((flag) => flag.toLowerCase()));
  return how === "-" ? [...flags].filter((flag) => !taken.has(flag.toLowerCase())) : given;
}

/** Copies messages as they are. @returns the UIDs they have there */
function copyTo(folder: Folder, messages: readonly Message[]): number[] {
  return messages.map(({ raw, internalDateMs, flags }) => folder.deliver({ raw, internalDateMs, flags }));
}

const copying = (byUid: boolean): Command =>
  inFolder(async (session, [set, name], selected) => {
    const target = session.account?.find(folderName(name));
    if (target === undefined) return noFolder;
    const messages = selected.chosen(textOf(set), byUid).map(({ message }) => message);
    const uids = copyTo(target, messages);
    if (uids.length === 0 || !has(session, "UIDPLUS")) return "OK Done";
    return `OK [COPYUID ${pairs(target, messages, uids)}] Done`;
  });

/** RFC 6851: the answer with the new UIDs comes before the messages are gone. */
const moving = (byUid: boolean): Command =>
  inFolder(async (session, [set, name], selected) => {
    if (selected.isReadOnly) return readOnly;
    const target = session.account?.find(folderName(name));
    if (target === undefined) return noFolder;
    const messages = selected.chosen(textOf(set), byUid).map(({ message }) => message);
    const uids = copyTo(target, messages);
    if (uids.length > 0 && has(session, "UIDPLUS")) {
      await session.peer.send(`* OK [COPYUID ${pairs(target, messages, uids)}] Moved`);
    }
    selected.folder.expunge(messages.map(({ uid }) => uid));
    await tellNews(session, true);
    return "OK Done";
  });

const pairs = ({ uidValidity }: Folder, from: readonly Message[], to: readonly number[]): string =>
  `${uidValidity} ${writeSequenceSet(from.map(({ uid }) => uid))} ${writeSequenceSet(to)}`;

/** @param chosen UID EXPUNGE (RFC 4315): only these of what is marked */
function expungeMarked(session: Session, { view, folder }: Selected, chosen?: ReadonlySet<number>): Completion {
  const marked = view.filter(({ flags, uid }) => flags.has("\\Deleted") && (chosen?.has(uid) ?? true));
  folder.expunge(marked.map(({ uid }) => uid));
  // RFC 7162 §3.2.7: who keeps modifications learns the one with which these are gone.
  return session.enabled.has("CONDSTORE") ? `OK [HIGHESTMODSEQ ${folder.highestModseq}] Done` : "OK Done";
}

const expunge = inFolder(async (session, _words, selected) =>
  selected.isReadOnly ? readOnly : expungeMarked(session, selected),
);

const uidExpunge = inFolder(async (session, [set], selected) => {
  if (selected.isReadOnly) return readOnly;
  if (!has(session, "UIDPLUS")) return "BAD Not known";
  return expungeMarked(
    session,
    selected,
    new Set(selected.chosen(textOf(set), true).map(({ message }) => message.uid)),
  );
});

const append = signedIn(async (session, [name, ...rest], account) => {
  const folder = account.find(folderName(name));
  if (folder === undefined) return noFolder;
  const flags = rest[0]?.kind === "list" ? itemsOf(rest.shift()).map(textOf) : [];
  const date = rest.length > 1 ? parseDateTime(textOf(rest.shift())) : undefined;
  const [content] = rest;
  if (content?.kind !== "string") throw new SyntaxFault("The message is missing");
  const uid = folder.deliver({
    raw: Buffer.from(content.bytes),
    flags,
    ...(date === undefined ? {} : { internalDateMs: date }),
  });
  return has(session, "UIDPLUS") ? `OK [APPENDUID ${folder.uidValidity} ${uid}] Done` : "OK Done";
});

export const changeCommands: Readonly<Record<string, Command>> = {
  STORE: storing(false),
  "UID STORE": storing(true),
  COPY: copying(false),
  "UID COPY": copying(true),
  MOVE: moving(false),
  "UID MOVE": moving(true),
  EXPUNGE: expunge,
  "UID EXPUNGE": uidExpunge,
  APPEND: append,
};
