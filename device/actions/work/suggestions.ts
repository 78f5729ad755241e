import type { WorkToolInput } from "../../../events/agent-tools/work-tools.ts";
import { proposalId } from "../../../events/ids.ts";
import { writtenAt } from "../../categorize/written-at.ts";
import { byAttention } from "../../proposals/attention/order.ts";
import { draftOutcome } from "../../proposals/draft/draft-outcome.ts";
import { nextTimes } from "../../proposals/shown/next-time.ts";
import { standingOf } from "../../proposals/shown/standing.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import type { Here } from "../../work/dates/read-date.ts";
import { systemZone } from "../../work/dates/zone.ts";
import { titleOf } from "../../work/entities.ts";
import { shownTimes } from "../../work/events/shown-times.ts";
import { type ActionResult, failed } from "../action-result.ts";
import { foundWork, type WorkPorts } from "./found-work.ts";
import { beginning, workLine } from "./work-line.ts";

/**
 * What a person's scouts proposed, as agents are given it: what this device holds, nothing is fetched.
 *
 * @throws DeviceError `store_busy`, `store_full`, `store_unreadable`
 */
export async function listSuggestions(
  { query, decided, project_id, limit }: WorkToolInput<"list_pending_scout_suggestions">,
  ports: WorkPorts,
): Promise<ActionResult> {
  const { store, now } = ports;
  const found = query === undefined ? undefined : await foundWork(query, "proposal", ports);
  const waiting = store.proposals.count({ statuses: ["pending"] });
  const rows = (found === undefined ? inOrder(store, decided, now()) : rowsOf(store, found.hits)).filter(
    (row) => (decided || row.status === "pending") && (project_id === undefined || projectOf(row) === project_id),
  );
  const shown = rows.slice(0, limit);
  const about = workLine({
    suggestions: shown.length,
    more: rows.length - shown.length,
    pending: waiting,
    ...found?.about,
  });
  const here = { nowMs: now(), zone: systemZone() };
  return {
    text: [about, ...shown.map((row) => lineOf(row, here))].join("\n"),
    proposalsRead: shown.map(({ id }) => id),
  };
}

/**
 * One suggestion with its reason, its draft and what has become of it; notes and reasons by their beginning. The error
 * is `suggestion_unknown` when this device has none of that id.
 */
export function readSuggestion(
  { id }: WorkToolInput<"read_suggestion">,
  { store, now }: Pick<WorkPorts, "store" | "now">,
): ActionResult {
  const row = store.proposals.find(id);
  if (row === undefined) return failed("suggestion_unknown", `There is no suggestion ${id} on this device.`);
  const { metadata, payload, reason } = row;
  const outcome = draftOutcome(row);
  const lines = [
    lineOf(row, { nowMs: now(), zone: systemZone() }),
    workLine({
      reason: beginning(reason ?? ""),
      attachments: (metadata?.attachments ?? []).map(({ name }) => name),
      relation: metadata?.relation,
      link: metadata?.sourceLink,
    }),
    ...(payload === null
      ? []
      : [
          workLine({
            draft: outcome?.kind ?? "nothing is made of it",
            title: payload.title,
            place: payload.place,
            people: payload.people,
            note: beginning(payload.note),
            draftedBy: payload.by,
          }),
        ]),
    ...becameLine(store, row),
  ];
  return { text: lines.filter((line) => line !== "{}").join("\n"), proposalsRead: [id] };
}

/** By attention, without what is snoozed; what is over comes after, newest first. */
function inOrder(store: DeviceStore, decided: boolean, nowMs: number): StoredProposal[] {
  const pending = store.proposals.list({ statuses: ["pending"], snoozed: { atMs: nowMs, isWanted: false } });
  const over = decided ? store.proposals.list({ statuses: ["approved", "rejected", "expired"], limit: mostOver }) : [];
  return [...byAttention(store, pending).map(({ row }) => row), ...over];
}

const mostOver = 500;

function rowsOf(store: DeviceStore, hits: readonly { readonly id: string }[]): StoredProposal[] {
  return hits.flatMap(({ id }) => store.proposals.find(proposalId.parse(id)) ?? []);
}

const projectOf = ({ projectId, payload }: StoredProposal) => projectId ?? payload?.projectId ?? null;

function lineOf(row: StoredProposal, here: Here): string {
  const { id, metadata, payload, rawSubject, rawSnippet, status, category, priority } = row;
  const sender = metadata?.sender;
  const times = nextTimes(row, here);
  return workLine({
    id,
    from: sender === undefined ? "" : sender.name === "" ? sender.address : `${sender.name} <${sender.address}>`,
    subject: rawSubject ?? "",
    // What is to be made of it may be called otherwise: an invitation by what it invites to.
    title: payload === null || payload.title === rawSubject ? "" : payload.title,
    place: payload?.place,
    at: new Date(writtenAt(row)).toISOString().slice(0, 16),
    category: category === "unprocessed" ? "" : category,
    priority: priority === "none" ? "" : priority,
    due: payload?.due,
    when: times === undefined ? "" : shownTimes(times, here.zone),
    status: status === "pending" ? "" : standingOf(row),
    snoozedUntil: row.snoozedUntil === null ? "" : new Date(row.snoozedUntil).toISOString().slice(0, 16),
    project: projectOf(row),
    says: payload?.quotes,
    begins: beginning(rawSnippet ?? ""),
  });
}

function becameLine(store: DeviceStore, { resolvedEntityType: kind, resolvedEntityId: id }: StoredProposal): string[] {
  if (kind === null || id === null) return [];
  const entity = store.work[kind].find(id);
  return [workLine({ became: kind, id, title: entity === undefined ? "it is gone" : titleOf(entity) })];
}
