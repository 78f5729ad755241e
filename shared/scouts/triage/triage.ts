import { ScoutsError } from "../../../events/errors.ts";
import { type Verdict, verdictSchema } from "../../../events/proposals/verdict.ts";
import type { TriageMessage } from "../../../events/queues.ts";
import type { Account } from "../../billing/account-row.ts";
import type { TokenBudget } from "../../billing/token-budget.ts";
import { type AskingBreaker, probeReserveMs } from "../../breaker/model-breaker.ts";
import { withBilled } from "../../llm/billed-usage.ts";
import type { ChatAnswer, ChatModel } from "../../llm/chat-model.ts";
import { promptLabel } from "../../llm/prompt.ts";
import { scoutTriageSystem } from "../../llm/prompts/scout-triage-system.ts";
import { asScoutsError, done, type Outcome } from "../../outcome/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Queue } from "../../ports/queue.ts";
import type { RingSealer } from "../../privacy/ring-sealer.ts";
import type { Transient } from "../../privacy/transient.ts";
import type { ConnectorRegistry, ItemContent, ItemMetadata } from "../connectors/connector.ts";
import type { ItemRow } from "../items/item-row.ts";
import type { ItemId, ItemStore, JudgedItem } from "../items/item-store.ts";
import type { SpamStore } from "../items/spam-store.ts";
import { mayTrash, trashSpam } from "../items/trash.ts";
import type { UnjudgedStore } from "../items/unjudged-store.ts";
import type { Notices } from "../lifecycle/disable-scout.ts";
import { isMuted } from "../lifecycle/mute-sender.ts";
import type { SourceQuota } from "../quota/source-quota.ts";
import { openProfile } from "../scout-profile.ts";
import type { ScoutProfile, ScoutRow } from "../scout-row.ts";
import type { ScoutStore } from "../scout-store.ts";
import { decides, type FirstJudge } from "./cascade.ts";
import { triagePrompt } from "./triage-prompt.ts";

/** Spam less certain than this is shown to the person after all. */
export const spamThreshold = 0.8;
const maxOutputTokens = 200;

export interface TriagePorts {
  readonly items: ItemStore;
  readonly spam: SpamStore;
  readonly unjudged: UnjudgedStore;
  readonly scouts: ScoutStore;
  readonly connectors: ConnectorRegistry;
  readonly model: ChatModel;
  /** Asked before the model, where the home has it so. */
  readonly first?: FirstJudge;
  readonly breaker: AskingBreaker;
  readonly vault: () => Promise<RingSealer>;
  readonly quota: SourceQuota;
  readonly budget: TokenBudget;
  readonly notices: Notices;
  readonly triage: Queue<TriageMessage>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A relevant item while its content is still in memory: the proposal can be sent without a second read. */
export interface FreshProposal {
  readonly row: ItemRow;
  readonly item: ItemMetadata;
  readonly reason: Transient<string>;
}

export interface Triaged {
  readonly outcome: Outcome;
  readonly proposal?: FreshProposal;
  /** The item has its result, written by this worker. */
  readonly ended?: ItemRow;
  /** It waits, and its row counts what it has been billed by now. */
  readonly counted?: ItemRow;
  /** It was given up, and is shown to its owner without a verdict. */
  readonly shown?: ItemRow;
  /** The item is to be queued again after so long. */
  readonly againInMs?: number;
  /** Its tokens are not needed for now. */
  readonly released?: boolean;
  /** Tokens of an answer that was paid for in vain, where its row does not count them. */
  readonly billed?: number;
}

/** What all items of one scout in a batch share. */
export interface ScoutInBatch {
  readonly row: ScoutRow;
  readonly account: Account;
  readonly profile: Transient<ScoutProfile>;
}

/**
 * A scout with its account and its opened profile, once for all items of a batch.
 *
 * @throws scout_not_found, scout_deleting, scout_disabled (`because` says why), sealed_unreadable
 */
export async function loadScout(
  ports: Pick<TriagePorts, "scouts" | "vault">,
  id: Pick<ItemId, "userId" | "scoutId">,
): Promise<ScoutInBatch> {
  const { row, account } = await ports.scouts.getWithAccount(id.userId, id.scoutId);
  const code = row.disabledCode;
  if (code === "scout_deleting") throw new ScoutsError(code, { data: { scoutId: id.scoutId } });
  if (code) throw new ScoutsError("scout_disabled", { data: { scoutId: id.scoutId, because: code } });
  return { row, account, profile: await openProfile(await ports.vault(), row) };
}

/** Reads one item, asks for a verdict and writes it down. Faults are thrown; see {@link settleItem}. */
export async function judgeItem(
  ports: TriagePorts,
  scout: ScoutInBatch,
  id: ItemId,
  reservation: string,
  remainingMs: () => number,
): Promise<Triaged> {
  const { sourceType } = scout.row;
  const connector = ports.connectors.get(sourceType);
  if (!connector) throw new ScoutsError("source_unknown", { data: { scoutId: id.scoutId } });
  const content = await connector.fetchContent(scout.row, id.ref);
  if (!content.present) throw new ScoutsError("item_gone", { data: { ref: id.ref } });
  if (isMuted(scout.row, scout.profile, content.sender)) return dismissMuted(ports, id, sourceType, reservation);
  // Whose affair a timeout is, the probe tells, and that takes its time too.
  const { verdict, answer, prompt } = await askForVerdict(ports, scout, content, remainingMs() - probeReserveMs);
  const judged = verdict.reveal();
  const { verdict: decision, reasonCode, confidence } = judged;
  const trashIfStill = mayTrash(scout.row, judged, spamThreshold) ? content.state : undefined;
  const result: JudgedItem = {
    status: decision === "relevant" ? "queued" : "spam",
    sourceType,
    reasonCode,
    confidence,
    ...answer.usage,
    model: answer.model,
    promptVersion: prompt,
    reservation,
    ...(trashIfStill === undefined ? {} : { trashIfStill }),
  };
  const row = await ports.items.judge(id, result, ports.clock()).catch((error: unknown) => {
    throw withBilled(error, answer.usage);
  });
  if (row === false) return { outcome: done };
  if (row.status !== "queued") return { outcome: await trashed(ports, scout.row, row), ended: row };
  return { outcome: done, ended: row, proposal: { row, item: content, reason: verdict.map((each) => each.reason) } };
}

/** The verdict stands, and is counted, whatever comes of it at the source: what cannot even be put off comes again from the queue. */
async function trashed(ports: TriagePorts, scout: ScoutRow, row: ItemRow): Promise<Outcome> {
  try {
    await trashSpam(ports, scout, row);
    return done;
  } catch (error) {
    ports.log.error("trash_not_put_off", error, { scoutId: row.scoutId, ref: row.ref });
    return { kind: "retry", code: asScoutsError(error).code };
  }
}

/** No model is asked, and nothing is moved at the source: its owner dismissed the sender, not the item. */
async function dismissMuted(ports: TriagePorts, id: ItemId, sourceType: string, reservation: string): Promise<Triaged> {
  const row = await ports.items.judge(
    id,
    {
      status: "spam",
      sourceType,
      reasonCode: "muted",
      confidence: 1,
      inputTokens: 0,
      outputTokens: 0,
      model: "none",
      promptVersion: noPrompt,
      reservation,
    },
    ports.clock(),
  );
  return row === false ? { outcome: done } : { outcome: done, ended: row };
}

/** What a row says of a verdict that no language model was asked for. */
const noPrompt = "none";

/** A verdict and what it took; `prompt` names the one that was sent. */
export interface Answered {
  readonly verdict: Transient<Verdict>;
  readonly answer: Omit<ChatAnswer<Verdict>, "value">;
  readonly prompt: string;
}

/** Asks for one verdict: whoever is first and sure, else the model. What is written down of it is up to the caller. */
export async function askForVerdict(
  ports: Pick<TriagePorts, "model" | "first" | "clock">,
  scout: Pick<ScoutInBatch, "row" | "profile">,
  content: ItemContent,
  timeoutMs: number,
): Promise<Answered> {
  const prompt = triagePrompt(scout.row.sourceType, scout.profile, content, ports.clock());
  const decided = await decidedFirst(ports.first, prompt.user);
  if (decided) return decided;
  const { value, ...answer } = await ports.model.complete({
    ...prompt,
    schema: verdictSchema,
    schemaName: "triage_verdict",
    maxOutputTokens,
    timeoutMs,
  });
  return { verdict: value.map(withThreshold), answer, prompt: promptLabel(scoutTriageSystem) };
}

async function decidedFirst(first: FirstJudge | undefined, prompt: Transient<string>): Promise<Answered | undefined> {
  const opinion = await first?.judge(prompt);
  if (opinion === undefined || !decides(opinion.reveal())) return undefined;
  const answer = { usage: { inputTokens: 0, outputTokens: 0 }, model: opinion.reveal().model };
  return { verdict: opinion.map(({ verdict }) => withThreshold(verdict)), answer, prompt: noPrompt };
}

/** Unsure means relevant, in code and not only in the prompt; a code that accuses would mislead then. */
function withThreshold(verdict: Verdict): Verdict {
  const unsure = verdict.verdict === "spam" && verdict.confidence < spamThreshold;
  return unsure ? { ...verdict, verdict: "relevant", reasonCode: "unsure" } : verdict;
}
