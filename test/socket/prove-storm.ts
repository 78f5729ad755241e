import { setTimeout as wait } from "node:timers/promises";
import { fullJitterMs } from "../../device/connection/backoff.ts";
import { joinProposalId, type ProposalId, splitProposalId } from "../../events/ids.ts";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { type Person, startDeliveryHome } from "./home.ts";
import { newDeviceId, RawDevice } from "./raw-device.ts";

export interface StormOptions {
  readonly people: number;
  readonly devicesEach: number;
  readonly proposalsEach: number;
  readonly seed: number;
}

export interface StormProof {
  readonly devices: number;
  readonly ms: number;
  /** Attempts beyond the first, each after a failure of any kind. */
  readonly retries: number;
  /** Invocations that did not end well, by function. */
  readonly failures: Readonly<Record<string, number>>;
  /** Pairs of a device and a proposal of its person it never got. */
  readonly lost: number;
  /** Pairs of a device and a proposal of somebody else. */
  readonly foreign: number;
  /** Pairs of a device and a proposal the cloud has no ack of. */
  readonly notAcked: number;
}

/** Proposals a page, and acks a frame. */
const pageSize = 50;
const backoff = { baseMs: 200, capMs: 5_000 };
const maxAttempts = 20;
/** Before a device that waits for proposals being written looks again. */
const lookAgainMs = 300;

/**
 * All devices ask for a ticket, connect, say hello and pull at the same moment. While they do, half of the proposals are
 * only being written. A device that is refused or loses its connection comes back, as the client does.
 */
export async function proveStorm({ people, devicesEach, proposalsEach, seed }: StormOptions): Promise<StormProof> {
  const failures: Record<string, number> = {};
  const home = await startDeliveryHome({
    onLog(functionName, text) {
      const ended = [...text.matchAll(/"type":"platform\.runtimeDone".*?"status":"(?!success)(\w+)"/g)];
      const thrown = [...text.matchAll(/"code":"(frame_failed|frame_refused)".*?"(?:errorCode|error)":"(\w+)"/g)];
      for (const [, what, more = ""] of [...ended, ...thrown]) {
        const failure = `${functionName} ${what} ${more}`.trim();
        failures[failure] = (failures[failure] ?? 0) + 1;
      }
    },
  });
  const random = seededRandom(seed);
  const connected: RawDevice[] = [];
  try {
    const members: { person: Person; ids: ProposalId[]; late: readonly ReturnType<typeof home.deliver>[number][] }[] =
      [];
    for (let number = 0; number < people; number += 1) {
      const person = await home.person(`person-${number}`);
      const refs = home.deliver(proposalsEach);
      const half = Math.floor(refs.length / 2);
      await home.propose(person, refs.slice(0, half));
      members.push({ person, ids: refs.map((ref) => joinProposalId(person.scoutId, ref)), late: refs.slice(half) });
    }
    let retries = 0;
    const startMs = performance.now();
    const runs = members.flatMap(({ person, ids }) =>
      Array.from({ length: devicesEach }, async () => {
        const device = newDeviceId();
        const got = new Set<ProposalId>();
        for (let attempt = 1; attempt <= maxAttempts && got.size < ids.length; attempt += 1) {
          try {
            const raw = await RawDevice.ready(person.api, device);
            connected.push(raw);
            await fetchAll(raw, got, ids.length);
          } catch {
            retries += 1;
            await wait(fullJitterMs(attempt, random, backoff));
          }
        }
        return { person, ids, device, got };
      }),
    );
    const writing = members.map(({ person, late }) => home.propose(person, late));
    const ended = await Promise.all(runs);
    await Promise.all(writing);
    const ms = performance.now() - startMs;

    const proof = { devices: ended.length, ms, retries, failures, lost: 0, foreign: 0, notAcked: 0 };
    for (const { person, ids, device, got } of ended) {
      const mine = ids.map((id) => ({ userId: person.userId, ...splitProposalId(id) }));
      const rows = await home.items.getMany(mine);
      proof.lost += ids.filter((id) => !got.has(id)).length;
      proof.foreign += [...got].filter((id) => !ids.includes(id)).length;
      proof.notAcked += ids.length - rows.filter(({ on }) => on[device] !== undefined).length;
    }
    return proof;
  } finally {
    for (const raw of connected) raw.terminate();
    await home.close();
  }
}

/** Pulls page after page, acks everything, and looks again until the device has as many as it should. */
async function fetchAll(raw: RawDevice, got: Set<ProposalId>, wanted: number): Promise<void> {
  let after: string | undefined;
  for (let looks = 0; got.size < wanted && looks < 200; looks += 1) {
    const from = raw.heard.length;
    const page = await raw.ask("proposals_page", {
      type: "proposals_pull",
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    const fresh = raw.heard
      .slice(from)
      .flatMap((frame) => (frame.type === "scout_proposal" ? [frame.proposal.id] : []));
    for (let at = 0; at < fresh.length; at += pageSize) {
      await raw.ask("accepted", { type: "scout_proposals_ack", proposalIds: fresh.slice(at, at + pageSize) });
    }
    for (const id of fresh) got.add(id);
    after = page.next ?? page.resume ?? after;
    if (fresh.length === 0) await wait(lookAgainMs);
  }
  if (got.size < wanted) throw new Error("proposals are missing");
}
