import type { ErrorCode } from "../../../events/error-kinds.ts";
import { isScoutsError } from "../../../events/errors.ts";
import { billedUsage } from "../../llm/billed-usage.ts";
import { done, outcomeOf } from "../../outcome/outcome.ts";
import type { Triaged, TriagePorts } from "../triage/triage.ts";
import type { Attempt } from "./attempt.ts";

/** A worker may die of something else just then; twice it was the metadata. */
const maxLooks = 2;

type Seen = "readable" | "unreadable" | "gone";

/**
 * The end of an item that gets no verdict. What can be read is shown to its owner, who judges it; only what nobody can
 * read is set aside.
 */
export async function giveUp(ports: TriagePorts, tried: Attempt, code: ErrorCode, error: unknown): Promise<Triaged> {
  const sourceType = await sourceTypeOf(ports, tried);
  const seen = sourceType === undefined ? "gone" : await lookAt(ports, tried, sourceType, code, error);
  const { id, reservation } = tried;
  const how = { sourceType: sourceType ?? tried.sourceType, code, reservation };
  const tokens = billedUsage(error);
  const nowMs = ports.clock();
  const facts = { scoutId: id.scoutId, ref: id.ref, reason: code };
  if (seen === "readable") {
    const row = await ports.unjudged.show(id, how, nowMs, tokens);
    if (row) ports.log.event("item_unjudged", facts);
    return row ? { outcome: done, ended: row, shown: row } : { outcome: done };
  }
  const status = seen === "gone" ? "gone" : "dead";
  const row = await ports.items.end(id, { status, ...how }, nowMs, tokens);
  if (row && status === "dead") ports.log.event("item_dead", facts);
  return row ? { outcome: done, ended: row } : { outcome: done };
}

async function sourceTypeOf(ports: TriagePorts, { id, sourceType }: Attempt): Promise<string | undefined> {
  if (ports.connectors.has(sourceType)) return sourceType;
  return (await ports.scouts.find(id.userId, id.scoutId))?.sourceType;
}

async function lookAt(
  ports: TriagePorts,
  tried: Attempt,
  sourceType: string,
  code: ErrorCode,
  error: unknown,
): Promise<Seen> {
  // A source that is only away for now gives the metadata to whoever asks later.
  if (code === "interrupted") return lookAtMetadata(ports, tried, sourceType, "readable");
  if (code === "source_unreadable") return "unreadable";
  // It was asked for twenty minutes; what it does not even give the metadata of, nobody can be shown.
  if (code.startsWith("source_")) return lookAtMetadata(ports, tried, sourceType, "unreadable");
  if (code.startsWith("model_")) return "readable";
  // What the source, or our keys, refuse for good.
  return isScoutsError(error, code) && outcomeOf(error, 0).kind === "deadLetter" ? "unreadable" : "readable";
}

/**
 * The content took its worker with it each time, or did not come. The metadata may be harmless, and is what its owner would see; it is read
 * with a mark beforehand, in case it takes the worker too.
 */
async function lookAtMetadata(
  ports: TriagePorts,
  { id, row }: Attempt,
  sourceType: string,
  whenAway: Seen,
): Promise<Seen> {
  const looks = row?.looks ?? 0;
  if (looks >= maxLooks) return "unreadable";
  const [scout, connector] = [await ports.scouts.find(id.userId, id.scoutId), ports.connectors.get(sourceType)];
  if (!scout || !connector) return "unreadable";
  await ports.unjudged.looking(id, looks + 1);
  try {
    return (await connector.fetchMetadata(scout, id.ref)).present ? "readable" : "gone";
  } catch (error) {
    ports.log.error("metadata_not_read", error, { scoutId: id.scoutId, ref: id.ref });
    const { kind } = outcomeOf(error, 0);
    return kind === "drop" ? "gone" : kind === "deadLetter" ? "unreadable" : whenAway;
  }
}
