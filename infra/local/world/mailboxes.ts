import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type ScoutId, scoutId } from "../../../events/ids.ts";
import { type HttpAnswer, json, type LoopbackServer, serveLoopback } from "../../standins/loopback-server.ts";
import { unreadableMailbox } from "../../standins/mailbox/formats/refusals.ts";
import type { Mailbox } from "../../standins/mailbox/mailbox.ts";
import { startMailbox } from "../../standins/mailbox/start.ts";
import { makeSecret, sameSecret } from "../../standins/owner-secret.ts";
import { replaceFile } from "../../standins/replace-file.ts";
import { reportFailure, reportTrouble } from "../../standins/report-failure.ts";
import { StandInError } from "../../standins/stand-in-error.ts";
import { type Overlap, overlapsOf, overlapText } from "./overlaps.ts";

const scopes = ["https://www.googleapis.com/auth/gmail.readonly"];
/** A file on this disk has no quota. */
const unlimited = { unitsPerUserMinute: 1e12, unitsPerProjectMinute: 1e12 };
/** Tokens of a mailbox live an hour; none is given out that ends soon. */
const tokenLifeMs = 45 * 60_000;

const placeRequest = z.object({ path: z.string().min(1).max(4096) });
const watchRequest = placeRequest.extend({ scoutId });
/** Kept beside a mailbox's state, in `watched.json`. */
const known = z.object({
  /** What it is known as: where it lay when it was added, with links resolved. */
  path: z.string(),
  /** By which path its scout knows it, which may be a link; absent where an earlier version wrote this. */
  given: z.string().optional(),
  /** Who is told of news; absent where nobody is. Such a mailbox is opened when the home starts again. */
  scoutId: scoutId.optional(),
});
type Known = z.infer<typeof known>;

interface Open {
  readonly mailbox: Mailbox;
  token: { readonly text: string; readonly untilMs: number };
}

/** The mailbox the home was begun with, which a stand-in serves as the account of an address. */
export interface OwnAccount {
  readonly path: string;
  readonly address: string;
}

/** Mailboxes on this machine, as many as somebody reads. */
export interface Mailboxes {
  /** Where a connector asks for them; the address holds the secret that lets it in. */
  readonly url: string;
  /** Told whenever there is news for a scout. What came before it is set waits. */
  onNews(tell: (scout: ScoutId) => Promise<void>): void;
  /** Resolves when all mail that lies in watched mailboxes by now has arrived. */
  whenAllArrived(): Promise<void>;
  /** Paths in mailboxes that are open which cannot be read while the rest can. */
  unread(): readonly string[];
  /** Mailboxes within others, whose mail is read with both. */
  readTwice(): Promise<readonly Overlap[]>;
  close(): Promise<void>;
}

/**
 * Serves mail from files, each mailbox a server of its own that speaks Gmail's protocol, opened when it is asked for. Those
 * that are watched are opened at once, so that what arrived while the home was down is noticed.
 *
 * @param folder of what is kept of them
 * @param own is told from the others: a scout on its account reads it already
 */
export async function startMailboxes(folder: string, now: () => number, own?: OwnAccount): Promise<Mailboxes> {
  const secret = makeSecret();
  const listener = Promise.withResolvers<(scout: ScoutId) => Promise<void>>();
  const open = new Map<string, Promise<Open>>();
  /** Of those the ones whose files have been looked through. */
  const ready = new Map<string, Mailbox>();
  const stateOf = (place: string) => join(folder, createHash("sha256").update(place).digest("hex").slice(0, 16));
  const noteOf = (place: string) => join(stateOf(place), "watched.json");

  const noteFiles = () => readdirSync(folder).map((name) => join(folder, name, "watched.json"));
  const notes = (): Known[] => noteFiles().flatMap((file) => readNote(file) ?? []);

  const told = new Set<string>();
  /** Where the mailboxes lie that somebody reads. */
  const placesRead = (): string[] =>
    [
      ...(own === undefined ? [] : [own.path]),
      ...notes().flatMap((note) => (note.scoutId ? [note.given ?? note.path] : [])),
    ].map(formerPlace);
  const readTwice = () => overlapsOf([...new Set(placesRead())]);

  async function tellOverlaps(): Promise<void> {
    for (const text of (await readTwice()).map(overlapText)) {
      if (told.has(text)) continue;
      told.add(text);
      reportTrouble(text);
    }
  }

  /**
   * What a mailbox is known as. That stays when it is moved and a link is left in its place, and when the link it was given by leads
   * elsewhere: so what is known of its mail stays as well.
   */
  function placeOf(path: string): string {
    const all = notes();
    const place = formerPlace(path);
    const leadsThere = ({ given, path: before }: Known) => [given ?? before, before].map(formerPlace).includes(place);
    const found =
      all.find(({ given }) => given === path) ?? all.find((note) => note.path === place) ?? all.find(leadsThere);
    return found?.path ?? place;
  }

  /** @param path by which its files are read: a link is followed at each look */
  async function start(place: string, path: string): Promise<Open> {
    const id = stateOf(place).slice(-16);
    const tell = async () => {
      const note = readNote(noteOf(place));
      if (note?.scoutId) await (await listener.promise)(note.scoutId);
    };
    const mailbox = await startMailbox({
      path,
      stateDir: stateOf(place),
      address: `${id}@mailbox.invalid`,
      // Nobody consents here: tokens are given to who knows the secret.
      oauth: { clientId: id, clientSecret: makeSecret(), ownerSecret: makeSecret() },
      push: tell,
      // A run finds out, so that the scout's health says so at once, and no more as soon as it is over.
      onReadable: () => void tell().catch((error: unknown) => reportFailure("a scout was not told", error)),
      limits: unlimited,
    });
    return { mailbox, token: { text: "", untilMs: 0 } };
  }

  async function opened(place: string, path: string): Promise<Open> {
    const starting = open.get(place) ?? start(place, path);
    open.set(place, starting);
    starting.catch(() => open.delete(place));
    const found = await starting;
    ready.set(place, found.mailbox);
    if (found.token.untilMs <= now()) {
      found.token = { text: found.mailbox.grant(scopes).accessToken, untilMs: now() + tokenLifeMs };
    }
    return found;
  }

  async function close(place: string): Promise<void> {
    const found = open.get(place);
    open.delete(place);
    ready.delete(place);
    await found?.then(({ mailbox }) => mailbox.close()).catch(() => undefined);
  }

  async function answer(what: string, body: unknown): Promise<HttpAnswer> {
    const { path } = placeRequest.parse(body);
    switch (what) {
      case "open": {
        const lies = realPlace(path);
        const place = placeOf(path);
        const { mailbox, token } = await opened(place, path);
        await mailbox.requireReadable();
        const account = own !== undefined && formerPlace(own.path) === lies ? { account: own.address } : {};
        return json(200, { url: mailbox.url, token: token.text, place, ...account, items: mailbox.stats().watched });
      }
      case "watch": {
        realPlace(path);
        const place = placeOf(path);
        await opened(place, path);
        writeNote(noteOf(place), { path: place, given: path, scoutId: watchRequest.parse(body).scoutId });
        await tellOverlaps();
        return json(200, {});
      }
      case "unwatch": {
        const file = noteOf(placeOf(path));
        const note = readNote(file);
        if (note) writeNote(file, { path: note.path, given: note.given });
        return json(200, {});
      }
      case "forget": {
        const place = placeOf(path);
        await close(place);
        rmSync(stateOf(place), { recursive: true, force: true });
        return json(200, {});
      }
      default:
        return json(404, {});
    }
  }

  const server: LoopbackServer = await serveLoopback(async ({ method, url, body }) => {
    const [, given = "", what = ""] = url.pathname.split("/");
    if (!sameSecret(given, secret) || method !== "POST") return json(404, {});
    try {
      return await answer(what, JSON.parse(body.toString()));
    } catch (error) {
      // What is wrong with the path is its owner's to mend; the state of a mailbox is not.
      if (error instanceof StandInError && error.code.startsWith("mailbox_")) return json(422, { code: error.code });
      throw error;
    }
  });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of noteFiles()) if (existsSync(file) && readNote(file) === undefined) tellDamage(file);
  // One that cannot be read now is asked for, and named, when its scout is polled.
  const watched = notes().filter(({ scoutId: scout }) => scout !== undefined);
  for (const { path, given } of watched) void opened(path, given ?? path).catch(() => undefined);
  return {
    url: `${server.url}/${secret}`,
    onNews: listener.resolve,
    whenAllArrived: async () => {
      for (const [place, mailbox] of open) {
        if (readNote(noteOf(place))?.scoutId === undefined) continue;
        await arrived(mailbox);
      }
    },
    unread: () => [...ready.values()].flatMap((mailbox) => mailbox.unread()),
    readTwice,
    close: async () => {
      await server.close();
      // News nobody waits for any more.
      listener.resolve(async () => undefined);
      for (const place of [...open.keys()]) await close(place);
    },
  };
}

/** What lies in files that cannot be read now is waited for by nobody: the scout's health says so. */
async function arrived(opened: Promise<Open>): Promise<void> {
  try {
    const { mailbox } = await opened;
    await mailbox.rescan();
    await mailbox.whenAllArrived();
  } catch (error) {
    if (!(error instanceof StandInError)) throw error;
  }
}

/** With links resolved, so that one mailbox has one place. @throws StandInError mailbox_missing, mailbox_unreadable */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    if (isAbsence(cause)) throw new StandInError("mailbox_missing", `There is nothing at ${path}.`, cause);
    throw unreadableMailbox(path, cause);
  }
}

const isAbsence = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** The place of a mailbox that may have gone. */
function formerPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Nothing there, or nothing to follow: what it was known as stays.
    return path;
  }
}

/** @returns `undefined` when there is none, and when it is damaged: see {@link tellDamage} */
function readNote(file: string): Known | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return known.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // No JSON, or not of its form: its owner was told at the start.
    return undefined;
  }
}

function tellDamage(file: string): void {
  const cure = "Its mailbox is found again by its path when its scout looks next, and watched within a day";
  reportTrouble(`${file} is damaged. ${cure}; where it was moved since it was added, add it anew.`);
}

const writeNote = (file: string, note: Known): void => replaceFile(file, JSON.stringify(note));
