import type { DismissedAtSource } from "../../../events/http/items.ts";
import { asScoutsError } from "../../outcome/outcome.ts";
import type { ConnectorRegistry, ItemMetadata } from "../connectors/connector.ts";
import type { SourceQuota } from "../quota/source-quota.ts";
import type { ScoutRow } from "../scout-row.ts";
import { type ItemAtSource, readMetadata } from "./read-metadata.ts";

/** How many items are read before the mailbox's quota is asked again. */
const readsAtOnce = 50;
/** The same for a source that reads one by one. */
const singleReadsAtOnce = 10;

export interface ReadDismissedPorts {
  readonly connectors: ConnectorRegistry;
  readonly quota: SourceQuota;
}

/**
 * Reads sender and subject of dismissed items for somebody who looks through them: from the source, for this answer only.
 * What cannot be read, or must not be now because the mailbox's quota is needed for its scouts, has a code in its place.
 *
 * @returns an answer for each row, in the rows' order
 */
export async function readDismissed(
  { connectors, quota }: ReadDismissedPorts,
  scout: ScoutRow,
  rows: readonly ItemAtSource[],
): Promise<DismissedAtSource[]> {
  const limits = connectors.get(scout.sourceType)?.limits;
  const answers: DismissedAtSource[] = [];
  for (let start = 0; start < rows.length; start += readsAtOnce) {
    const some = rows.slice(start, start + readsAtOnce);
    const taken = await quota.take(scout, limits, some.length * (limits?.costs.read ?? 0));
    if (!taken.granted) {
      answers.push(...some.map(() => ({ code: "source_quota_spent" as const })));
      continue;
    }
    const read = await readMetadata(connectors, new Map([[scout.scoutId, scout]]), some, singleReadsAtOnce);
    answers.push(...some.map((row) => answerOf(read.get(row))));
  }
  return answers;
}

function answerOf(read: ItemMetadata | Error | undefined): DismissedAtSource {
  if (read === undefined || read instanceof Error) return { code: asScoutsError(read).code };
  const { sentAt, arrivedAt } = read;
  return {
    sender: read.sender.reveal(),
    subject: read.subject.reveal(),
    receivedAt: read.receivedAtMs,
    ...(sentAt === undefined ? {} : { sentAt }),
    ...(arrivedAt === undefined ? {} : { arrivedAt }),
  };
}
