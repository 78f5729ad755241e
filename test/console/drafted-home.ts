import { emptyDraft, type ProposalDraft } from "../../device/categorize/draft.ts";
import type { Category, Priority } from "../../events/proposals/categorize.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { type ConsoleHome, type HomeOptions, inbox } from "./console-home.ts";
import { startConsole } from "./setting.ts";

export const dayMs = 86_400_000;

/** What stage 2 has made of a proposal. */
export interface Said extends Partial<ProposalDraft> {
  readonly category?: Category;
  readonly priority?: Priority;
}

export interface DraftedHome extends ConsoleHome {
  /** The id of the proposal called `Subject n`. */
  idOf(n: number): ReturnType<typeof makeProposal>["id"];
}

/** Proposals of yesterday, each with a task for a draft unless something else is said. */
export async function startDrafted(said: readonly Said[], options: HomeOptions = {}): Promise<DraftedHome> {
  const now = Date.now();
  const held = said.map((_, n) => {
    const sender = { name: "Ada", address: n < 2 ? "ada@example.org" : "bob@example.org" };
    const metadata = { sender, relation: "to", automatic: false, sentAt: now - dayMs } as const;
    return makeProposal(n + 1, { triagedAt: now - dayMs + n, metadata });
  });
  const home = await startConsole({ proposals: [], held, ...options });
  home.store.proposals.claim("test", 1_000, 60_000);
  for (const [n, { category = "task", priority = "later", ...draft }] of said.entries()) {
    const result = { category, priority, draft: { ...emptyDraft, title: `Draft ${n + 1}`, ...draft } };
    home.store.proposals.categorize(makeProposal(n + 1).id, "test", result);
  }
  home.store.knownScouts.replace([inbox]);
  return { ...home, idOf: (n) => makeProposal(n).id };
}
