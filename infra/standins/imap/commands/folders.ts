import { has, type Session } from "../session/session.ts";
import { delimiter } from "../store/account.ts";
import type { Folder } from "../store/folder.ts";
import { decodeName, encodeName } from "../wire/modified-utf7.ts";
import { itemsOf, textOf, type Value, wordOf } from "../wire/values.ts";
import { joined, list, string } from "../wire/written.ts";
import { type Command, signedIn } from "./command.ts";

/** The name of a folder as a command has it. */
export const folderName = (value: Value | undefined): string => decodeName(textOf(value));

/** `*` stands for anything, `%` for anything within a level. */
function matcher(pattern: string): RegExp {
  const parts = pattern.split(/([*%])/).map((part) => {
    if (part === "*") return ".*";
    return part === "%" ? `[^${delimiter}]*` : RegExp.escape(part);
  });
  return new RegExp(`^${parts.join("")}$`, "s");
}

const listing = (answer: "LIST" | "LSUB"): Command =>
  signedIn(async (session, [reference, pattern], account) => {
    const wanted = `${textOf(reference)}${textOf(pattern)}`;
    if (wanted === "") {
      await session.peer.send(`* ${answer} (\\Noselect) "${delimiter}" ""`);
      return "OK Done";
    }
    const isWanted = matcher(wanted);
    for (const folder of account.folders) {
      const name = encodeName(folder.name);
      if (!isWanted.test(name) && !(name === "INBOX" && isWanted.test("inbox"))) continue;
      await session.peer.send(
        joined([`* ${answer}`, list(attributesOf(session, folder)), `"${delimiter}"`, string(name)]),
      );
    }
    return "OK Done";
  });

function attributesOf(session: Session, { name, use }: Folder): string[] {
  const isParent = session.account?.folders.some((other) => other.name.startsWith(`${name}${delimiter}`));
  const children = isParent ? "\\HasChildren" : "\\HasNoChildren";
  return use !== undefined && has(session, "SPECIAL-USE") ? [children, use] : [children];
}

const status = signedIn(async (session, [name, wanted], account) => {
  const folder = account.find(folderName(name));
  if (folder === undefined) return "NO [NONEXISTENT] There is no such folder";
  const facts: Readonly<Record<string, () => number>> = {
    MESSAGES: () => folder.messages.length,
    RECENT: () => 0,
    UIDNEXT: () => folder.uidNext,
    UIDVALIDITY: () => folder.uidValidity,
    UNSEEN: () => folder.messages.filter(({ flags }) => !flags.has("\\Seen")).length,
    ...(has(session, "CONDSTORE") ? { HIGHESTMODSEQ: () => folder.highestModseq } : {}),
  };
  const items = itemsOf(wanted).map(wordOf);
  if (items.some((item) => facts[item] === undefined)) return "BAD That is not known of a folder";
  // RFC 7162 §3.1: whoever asks for it wants to hear of modifications from then on.
  if (items.includes("HIGHESTMODSEQ")) session.enabled.add("CONDSTORE");
  const found = items.map((item) => `${item} ${facts[item]?.()}`);
  await session.peer.send(joined(["* STATUS", string(encodeName(folder.name)), list(found)]));
  return "OK Done";
});

const create = signedIn(async (_session, [name], account) => {
  if (account.find(folderName(name))) return "NO [ALREADYEXISTS] There is one of that name";
  account.create(folderName(name));
  return "OK Done";
});

const remove = signedIn(async (_session, [name], account) =>
  account.remove(folderName(name)) ? "OK Done" : "NO [NONEXISTENT] That cannot be deleted",
);

/** Every folder is subscribed to. */
const subscribe = signedIn(async () => "OK Done");

export const folderCommands: Readonly<Record<string, Command>> = {
  LIST: listing("LIST"),
  LSUB: listing("LSUB"),
  STATUS: status,
  CREATE: create,
  DELETE: remove,
  SUBSCRIBE: subscribe,
  UNSUBSCRIBE: subscribe,
};
