import { textOf, wordOf } from "../wire/values.ts";
import { type Command, inFolder } from "./command.ts";
import { parseKeys } from "./search-keys.ts";

const searching = (byUid: boolean): Command =>
  inFolder(async (session, words, { view }) => {
    const [first, charset] = words;
    const hasCharset = first?.kind === "atom" && wordOf(first) === "CHARSET";
    if (hasCharset && !/^(?:utf-8|us-ascii)$/i.test(textOf(charset))) {
      return "NO [BADCHARSET (UTF-8 US-ASCII)] That charset is not known";
    }
    const keys = hasCharset ? words.slice(2) : words;
    if (keys.length === 0) return "BAD Nothing to search for";
    const matches = parseKeys(keys, { number: view.length, uid: view.at(-1)?.uid ?? 0 });
    const found = view.flatMap((message, index) => {
      if (message.isExpunged || !matches(message, index + 1)) return [];
      return [{ answer: byUid ? message.uid : index + 1, modseq: message.modseq }];
    });
    const byModseq = JSON.stringify(keys).toUpperCase().includes('"MODSEQ"');
    if (byModseq) session.enabled.add("CONDSTORE");
    const highest = byModseq && found.length > 0 ? [`(MODSEQ ${Math.max(...found.map(({ modseq }) => modseq))})`] : [];
    await session.peer.send(["* SEARCH", ...found.map(({ answer }) => String(answer)), ...highest].join(" "));
    return "OK Done";
  }, !byUid);

export const searchCommands: Readonly<Record<string, Command>> = {
  SEARCH: searching(false),
  "UID SEARCH": searching(true),
};
