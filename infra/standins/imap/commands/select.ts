import { Selected } from "../session/selected.ts";
import { has, type Session } from "../session/session.ts";
import type { Folder } from "../store/folder.ts";
import { includes, parseSequenceSet, writeSequenceSet } from "../wire/sequence-set.ts";
import { itemsOf, numberOf, SyntaxFault, textOf, type Value, wordOf } from "../wire/values.ts";
import { type Command, inFolder, signedIn } from "./command.ts";
import { folderName } from "./folders.ts";

const known = String.raw`\Answered \Flagged \Deleted \Seen \Draft`;

const selecting = (isReadOnly: boolean): Command =>
  signedIn(async (session, [name, parameters], account) => {
    const { peer } = session;
    if (session.selected && session.enabled.has("QRESYNC")) await peer.send("* OK [CLOSED] The other folder is closed");
    // RFC 3501 §6.3.1: whatever comes of it, the folder before is not selected any more.
    session.selected = undefined;
    const folder = account.find(folderName(name));
    if (folder === undefined) return "NO [NONEXISTENT] There is no such folder";
    const resync = resyncOf(session, parameters);
    const selected = new Selected(folder, isReadOnly);
    await peer.send(`* FLAGS (${known})`);
    await peer.send(`* ${selected.view.length} EXISTS`);
    await peer.send("* 0 RECENT");
    const unseen = selected.view.findIndex(({ flags }) => !flags.has("\\Seen"));
    if (unseen >= 0) await peer.send(`* OK [UNSEEN ${unseen + 1}] The first unread message`);
    await peer.send(`* OK [PERMANENTFLAGS (${isReadOnly ? "" : `${known} \\*`})] Flags that are kept`);
    await peer.send(`* OK [UIDVALIDITY ${folder.uidValidity}] UIDs are valid`);
    await peer.send(`* OK [UIDNEXT ${folder.uidNext}] The next UID`);
    if (has(session, "CONDSTORE"))
      await peer.send(`* OK [HIGHESTMODSEQ ${folder.highestModseq}] The last modification`);
    if (resync) await tellSince(session, selected, resync);
    session.selected = selected;
    return isReadOnly ? "OK [READ-ONLY] Selected" : "OK [READ-WRITE] Selected";
  });

interface Resync {
  readonly uidValidity: number;
  readonly modseq: number;
  readonly knownUids: string | undefined;
}

/** `(CONDSTORE)` or `(QRESYNC (uidvalidity modseq [known-uids …]))` (RFC 7162 §3.2.5). @throws SyntaxFault */
function resyncOf(session: Session, parameters: Value | undefined): Resync | undefined {
  if (parameters === undefined) return undefined;
  const [kind, values] = itemsOf(parameters);
  const word = wordOf(kind);
  if ((word !== "CONDSTORE" && word !== "QRESYNC") || !has(session, word)) throw new SyntaxFault("Not known");
  session.enabled.add("CONDSTORE");
  if (word === "CONDSTORE") return undefined;
  if (!session.enabled.has("QRESYNC")) throw new SyntaxFault("Enable QRESYNC first");
  const [uidValidity, modseq, uids] = itemsOf(values);
  const knownUids = uids === undefined || uids.kind === "list" ? undefined : textOf(uids);
  return { uidValidity: numberOf(uidValidity), modseq: numberOf(modseq), knownUids };
}

/** What is gone and what has changed since the client looked last. Of another UIDVALIDITY nothing can be said. */
async function tellSince({ peer }: Session, { folder, view }: Selected, since: Resync): Promise<void> {
  if (since.uidValidity !== folder.uidValidity) return;
  const gone = vanishedSince(folder, since.modseq, since.knownUids);
  if (gone.length > 0) await peer.send(`* VANISHED (EARLIER) ${writeSequenceSet(gone)}`);
  for (const [index, { uid, flags, modseq }] of view.entries()) {
    if (modseq <= since.modseq) continue;
    await peer.send(`* ${index + 1} FETCH (UID ${uid} FLAGS (${[...flags].join(" ")}) MODSEQ (${modseq}))`);
  }
}

/**
 * UIDs that are gone, of those a client knows. Where expunges have been forgotten, every UID that is not there: more than
 * happened, and never less (RFC 7162 §3.2.7).
 */
export function vanishedSince(folder: Folder, modseq: number, knownUids: string | undefined): number[] {
  const last = folder.uidNext - 1;
  const wanted = parseSequenceSet(knownUids ?? `1:${Math.max(1, last)}`, last);
  if (wanted === undefined) throw new SyntaxFault("That is no set of UIDs");
  const remembered = folder.expungedSince(modseq);
  const there = new Set(folder.messages.map(({ uid }) => uid));
  const gone = remembered ?? Array.from({ length: last }, (_, index) => index + 1).filter((uid) => !there.has(uid));
  return gone.filter((uid) => includes(wanted, uid)).sort((one, other) => one - other);
}

const leaving = (expunges: boolean): Command =>
  inFolder(async (session, _words, { folder, isReadOnly, view }) => {
    session.selected = undefined;
    if (expunges && !isReadOnly) {
      folder.expunge(view.filter(({ flags }) => flags.has("\\Deleted")).map(({ uid }) => uid));
    }
    return "OK Done";
  });

export const selectCommands: Readonly<Record<string, Command>> = {
  SELECT: selecting(false),
  EXAMINE: selecting(true),
  CLOSE: leaving(true),
  UNSELECT: leaving(false),
};
