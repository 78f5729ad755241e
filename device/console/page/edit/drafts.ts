import { ApiError, answerOf, api } from "../app/api.ts";
import { browserDrafts, type KeptDraft, putInBrowser, removeFromBrowser } from "./browser-store.ts";
import { type Draft, keyOf, opened, sealed } from "./seal.ts";

const { drafts: all } = api.edits;
const one = all[":id"];

/** In the tab's memory alone. */
let key: CryptoKey | undefined;
/** What nobody but this tab has, with when it was typed: the browser asks before it is closed. */
const unkept = new Map<string, number>();

addEventListener("beforeunload", (event) => {
  if (unkept.size > 0) event.preventDefault();
});

/**
 * Where a draft is safe: with the device, or in the browser until the device answers. What the device refuses to keep (a full disk,
 * a text that is too long) is only with the tab, with why: a browser that keeps it too gives it back to no other console.
 */
export type Kept =
  | { readonly where: "device" | "browser" | "tab" }
  | { readonly where: "unkept"; readonly why: ApiError };

/** What the device has answered, where it has; it may as well be away. The tab goes on without it. */
function answerIn(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** A text that was typed and cannot be read any more: its file is damaged, or the key it was encrypted by is gone. */
export interface UnreadableDraft {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Drafts {
  readonly drafts: readonly Draft[];
  readonly unreadable: readonly UnreadableDraft[];
}

/**
 * All that was typed and not saved: what the device has, and what the browser has kept while it did not answer, the later of
 * two. What either lacks it is given.
 *
 * @throws ApiError when the device does not answer
 */
export async function loadDrafts(): Promise<Drafts> {
  const before = await answerOf(all.$get());
  const current = await keyOf(before.key);
  key = current;
  const there = new Map(before.drafts.map((each) => [each.id, each]));
  const here = await browserDrafts();
  for (const kept of here) await told(kept, there.get(kept.id)?.at);
  const now = here.length === 0 ? before : await answerOf(all.$get());
  const drafts: Draft[] = [];
  const unreadable: UnreadableDraft[] = [...now.damaged];
  for (const { id, sealed: text, at } of now.drafts) {
    const draft = await opened(current, id, text);
    if (draft === undefined) unreadable.push({ id, at });
    else drafts.push(draft);
  }
  return { drafts: drafts.toSorted((a, b) => b.at - a.at), unreadable };
}

/** Tells the device what the browser has; then it needs to be kept in one place only. */
async function told({ id, sealed: text, at, isGone }: KeptDraft, knownAt: number | undefined): Promise<void> {
  try {
    if (isGone) await answerOf(one.$delete({ param: { id } }));
    else if (knownAt === undefined || knownAt < at)
      await answerOf(one.$put({ param: { id }, json: { sealed: text, at } }));
    await removeFromBrowser(id, at);
  } catch (error) {
    answerIn(error);
  }
}

/** Keeps a draft where it outlives the tab. */
export async function keepDraft(draft: Draft): Promise<Kept> {
  unkept.set(draft.id, draft.at);
  if (key === undefined) return { where: "tab" };
  const text = await sealed(key, draft);
  const { id, at } = draft;
  const isInBrowser = await putInBrowser({ id, sealed: text, at, isGone: false });
  try {
    await answerOf(one.$put({ param: { id }, json: { sealed: text, at } }));
    await removeFromBrowser(id, at);
    if (unkept.get(id) === at) unkept.delete(id);
    return { where: "device" };
  } catch (error) {
    const why = answerIn(error);
    if (why.told.code !== "device_away" && why.status !== 401) return { where: "unkept", why };
    return { where: isInBrowser ? "browser" : "tab" };
  }
}

/** It was saved or discarded. */
export async function forgetDraft(id: string): Promise<void> {
  unkept.delete(id);
  try {
    await answerOf(one.$delete({ param: { id } }));
    await removeFromBrowser(id);
  } catch (error) {
    answerIn(error);
    await putInBrowser({ id, sealed: "", at: 0, isGone: true });
  }
}

/** Drafts that are at work in this tab, with what gives each back. */
const held = new Map<string, () => void>();

/**
 * Takes a draft for this tab, until it is given back or the tab ends. False: another tab is at work on it. A browser that gives pages
 * no storage gives them no locks either: then it is not known of other tabs, and whoever is later meets what was saved first.
 */
export function holdDraft(id: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const asked = navigator.locks.request(`draft ${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null || held.has(id));
      if (lock === null) return undefined;
      return new Promise<void>((giveBack) => {
        held.set(id, giveBack);
      });
    });
    asked.catch((error: unknown) => {
      if (error instanceof DOMException) resolve(true);
      else reject(error);
    });
  });
}

/** Lets another tab work on a draft; nothing happens when this one does not hold it. */
export function giveBackDraft(id: string): void {
  held.get(id)?.();
  held.delete(id);
}
