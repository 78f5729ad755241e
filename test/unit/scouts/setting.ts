import {
  type DeviceId,
  deviceId,
  type FrameId,
  frameId,
  type ItemRef,
  itemRef,
  type ScoutId,
  scoutId,
} from "../../../events/ids.ts";
import type { DecisionOutcome } from "../../../events/proposals/verdict.ts";
import type { Table } from "../../../shared/ports/table.ts";
import { userIdOf } from "../../../shared/privacy/opaque.ts";
import type { ItemId, JudgedItem } from "../../../shared/scouts/items/item-store.ts";
import { RoundStore } from "../../../shared/scouts/items/round-store.ts";
import { newId } from "../../memory/chance.ts";
import { MemoryTable } from "../../memory/table.ts";

/** 2026-03-07T18:00:00Z */
export const nowMs = Date.UTC(2026, 2, 7, 18);
export const ada = userIdOf("https://issuer.example/", "ada");
export const bob = userIdOf("https://issuer.example/", "bob");
export const inbox: ScoutId = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEA");
export const laptop: DeviceId = deviceId.parse("dev_01KE5Q8600ESE4NYY1EVXDNQEB");
export const phone: DeviceId = deviceId.parse("dev_01KE5Q8600ESE4NYY1EVXDNQEC");

export const ref = (text: string): ItemRef => itemRef.parse(text);
export const item = (text: string, userId = ada) => ({ userId, scoutId: inbox, ref: ref(text) });

/** A decision of a person, in the first round unless another is said. */
export async function decide(
  table: Table,
  id: ItemId,
  { outcome = "approved", round = 1, frame = newFrame(), atMs = nowMs }: Partial<Decision> = {},
) {
  return new RoundStore(table).decided(id, { frame, round, outcome }, atMs);
}

interface Decision {
  readonly outcome: DecisionOutcome;
  readonly round: number;
  readonly frame: FrameId;
  readonly atMs: number;
}

export const newFrame = (): FrameId => frameId.parse(`frm_${newId()}`);

/** A Ledger with the indexes of infra/storage.ts. */
export const newLedger = (): MemoryTable => new MemoryTable({ recent: ["status"] });

export const relevant: JudgedItem = {
  status: "queued",
  sourceType: "gmail",
  reasonCode: "personal",
  confidence: 0.9,
  inputTokens: 100,
  outputTokens: 10,
  model: "m",
  promptVersion: "p@1",
};
export const spam: JudgedItem = { ...relevant, status: "spam", reasonCode: "marketing" };
