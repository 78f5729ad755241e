import { categorizeByRules } from "../../../device/categorize/rules.ts";
import { switchLearning } from "../../../device/learn-state.ts";
import { byAttention } from "../../../device/proposals/attention/order.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import type { StoredProposal } from "../../../device/store/schema.ts";
import type { ProposalMetadata } from "../../../events/proposals/metadata.ts";
import { item, known, nowMs } from "../../categorize/case.ts";
import { makeProposal } from "../../device/fake-cloud.ts";
import { newId } from "../../memory/chance.ts";
import { memoryStore } from "../../simulation/memory-store.ts";
import type { CorpusMail } from "../corpus.ts";
import { madeUpPerson, type Taste } from "./made-up-person.ts";

/** Proposals that wait at a time: a page of them. */
const batchSize = 20;
const first = 5;
const hourMs = 3_600_000;

export const orders = ["newest first", "rules alone", "rules and learning"] as const;
export type Order = (typeof orders)[number];

/** How well a page was ordered: what its person then approved stands at its top, 0 to 1. */
export interface Page {
  /** Average precision. */
  readonly average: number;
  /** Of the first five, or as many as were approved where that is fewer. */
  readonly top: number;
}

/**
 * A person's mail comes page by page; each order is asked for before the page is decided, with what was decided before. By
 * the use cases of the product, on a store in memory.
 */
export async function replay(
  mails: readonly CorpusMail[],
  taste: Taste,
  seed: number,
): Promise<ReadonlyMap<Order, readonly Page[]>> {
  let clockMs = nowMs;
  const store = memoryStore(() => clockMs, newId);
  const decide = madeUpPerson(taste, seed);
  const approvedSenders = new Set<string>();
  const pages = new Map<Order, Page[]>(orders.map((order) => [order, []]));
  try {
    for (let at = 0; at + batchSize <= mails.length; at += batchSize) {
      clockMs += hourMs;
      const rows = await arrived(store, mails.slice(at, at + batchSize), at, approvedSenders, clockMs);
      const wanted = new Set(rows.filter(decide).map(({ id }) => id));
      if (wanted.size > 0) {
        for (const order of orders) pages.get(order)?.push(pageOf(ordered(store, rows, order), wanted));
      }
      for (const { id, metadata } of rows) {
        clockMs += 1;
        store.proposals.decide(id, wanted.has(id) ? "approved" : "rejected");
        if (wanted.has(id)) approvedSenders.add(metadata?.sender.address ?? "");
      }
    }
  } finally {
    store.close();
  }
  return pages;
}

async function arrived(
  store: DeviceStore,
  mails: readonly CorpusMail[],
  at: number,
  approvedSenders: ReadonlySet<string>,
  atMs: number,
): Promise<StoredProposal[]> {
  const rows: StoredProposal[] = [];
  for (const [place, mail] of mails.entries()) {
    const metadata = metadataOf(mail);
    const { subject, body } = mail.view;
    const triagedAt = atMs + place;
    const proposal = makeProposal(at + place, {
      rawSubject: subject,
      rawSnippet: body.slice(0, 150),
      triagedAt,
      metadata,
    });
    store.proposals.add([proposal]);
    store.proposals.claim("eval", 1, hourMs);
    const isSenderKnown = approvedSenders.has(metadata.sender.address);
    const view = item({ subject, text: body, metadata, triagedAt });
    const result = await categorizeByRules(view, known({ isSenderKnown, nowMs: atMs, projects: [] }));
    store.proposals.categorize(proposal.id, "eval", result);
    const row = store.proposals.find(proposal.id);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

const lists = /list|users|notmuch/u;

function metadataOf({ view: { sender, body }, source }: CorpusMail): ProposalMetadata {
  const [, name = "", address = sender] = /^(.*?)\s*<([^<>]*)>$/u.exec(sender.trim()) ?? [];
  const isBulk = /unsubscribe/iu.test(body);
  const relation = lists.test(source) ? "list" : isBulk ? "bulk" : "to";
  return { sender: { name: name.slice(0, 100), address: address.slice(0, 200) }, relation, automatic: false };
}

function ordered(store: DeviceStore, rows: readonly StoredProposal[], order: Order): StoredProposal[] {
  if (order === "newest first") return rows.toReversed();
  switchLearning(store, "proposals", order === "rules and learning");
  return byAttention(store, rows).map(({ row }) => row);
}

function pageOf(rows: readonly StoredProposal[], wanted: ReadonlySet<string>): Page {
  let hits = 0;
  let sum = 0;
  for (const [place, { id }] of rows.entries()) {
    if (!wanted.has(id)) continue;
    hits += 1;
    sum += hits / (place + 1);
  }
  const most = Math.min(first, wanted.size);
  const top = rows.slice(0, first).filter(({ id }) => wanted.has(id)).length;
  return { average: sum / wanted.size, top: Math.min(1, top / most) };
}
