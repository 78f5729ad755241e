import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { isScoutsError, ScoutsError } from "../../../../../events/errors.ts";
import type { ItemRef } from "../../../../../events/ids.ts";
import type { ScoutAtSource } from "../../connector.ts";
import type { BatchAnswer } from "./batch-get.ts";

type Message = gmail_v1.Schema$Message;

interface Waiting {
  readonly ref: ItemRef;
  readonly answer: PromiseWithResolvers<Message>;
}

interface Gathering {
  readonly scout: ScoutAtSource;
  readonly reads: Waiting[];
}

/**
 * Reads that are asked for in the same turn go together in one request: it takes about a millisecond of processor on each side,
 * for one message as for ten. A read that is asked for alone goes alone; nobody waits for others to come.
 */
export class GatheredReads {
  readonly #readOne: (scout: ScoutAtSource, ref: ItemRef) => Promise<Message>;
  readonly #readMany: (scout: ScoutAtSource, refs: readonly ItemRef[]) => Promise<readonly BatchAnswer[]>;
  readonly #gathered = new Map<string, Gathering>();

  /** @param readMany answers in the order asked for, a failure of a single message in its place */
  constructor(
    readOne: (scout: ScoutAtSource, ref: ItemRef) => Promise<Message>,
    readMany: (scout: ScoutAtSource, refs: readonly ItemRef[]) => Promise<readonly BatchAnswer[]>,
  ) {
    this.#readOne = readOne;
    this.#readMany = readMany;
  }

  read(scout: ScoutAtSource, ref: ItemRef): Promise<Message> {
    const answer = Promise.withResolvers<Message>();
    const known = this.#gathered.get(nameOf(scout));
    if (known) known.reads.push({ ref, answer });
    else {
      this.#gathered.set(nameOf(scout), { scout, reads: [{ ref, answer }] });
      queueMicrotask(() => void this.#send(nameOf(scout)));
    }
    return answer.promise;
  }

  async #send(name: string): Promise<void> {
    const gathering = this.#gathered.get(name);
    this.#gathered.delete(name);
    if (!gathering) return;
    const { scout, reads } = gathering;
    const [first, ...more] = reads;
    if (first && more.length === 0) {
      first.answer.resolve(this.#readOne(scout, first.ref));
      return;
    }
    const refs = reads.map(({ ref }) => ref);
    try {
      const answers = await this.#readMany(scout, refs);
      for (const [index, { ref, answer }] of reads.entries()) {
        const message = answers[index] ?? new ScoutsError("source_unavailable", { data: { ref } });
        if (message instanceof ScoutsError) answer.reject(message);
        else answer.resolve(message);
      }
    } catch (error) {
      // One of them may be what breaks the answer: each finds out for itself, and the others are read.
      const single = isScoutsError(error, "source_unavailable");
      for (const { ref, answer } of reads) answer.resolve(single ? this.#readOne(scout, ref) : Promise.reject(error));
    }
  }
}

/** The mailbox as well: a scout that has moved to another is read there with the first row that names it. */
const nameOf = ({ userId, scoutId, address = "" }: ScoutAtSource): string => `${userId} ${scoutId} ${address}`;
