import type { ImapFlow } from "imapflow";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { UnreachedReason } from "../../../../events/sources/unreached.ts";
import type { After } from "../../../ports/clock.ts";
import { imapFailure } from "./failures.ts";
import { brokenBy } from "./session.ts";

/** An idle connection is given back after so long; whoever works off a batch asks again long before. */
const idleMs = 5_000;

interface Held {
  /** The tasks that were asked for, one after the other: IMAP knows one selected folder at a time. */
  tail: Promise<unknown>;
  client?: ImapFlow | undefined;
  /** How often a task has taken longer than it may. */
  late: number;
  /** Keeps it from being given back for being idle. */
  stay?: (() => void) | undefined;
}

/**
 * One connection for each mailbox at most, kept for the tasks that follow one another: servers count connections, and
 * each costs a handshake and a sign-in.
 */
export class Connections {
  readonly #held = new Map<string, Held>();
  readonly #after: After;
  readonly #taskMs: () => number;

  /** @param taskMs longest that a task may take, asked for each */
  constructor(after: After, taskMs: () => number) {
    this.#after = after;
    this.#taskMs = taskMs;
  }

  /**
   * Runs a task on the connection of `name`. A task MUST be safe to run twice: one that finds a kept connection broken is
   * run again on a fresh one.
   *
   * @throws source_unavailable when it takes longer than it may; what {@link imapFailure} makes of the rest
   */
  use<T>(name: string, open: () => Promise<ImapFlow>, task: (client: ImapFlow) => Promise<T>): Promise<T> {
    const held: Held = this.#held.get(name) ?? { tail: Promise.resolve(), late: 0 };
    this.#held.set(name, held);
    const lateBefore = held.late;
    const run = held.tail.then(() => {
      // Those behind one that took too long do not wait as long each: their worker has no time for that.
      if (held.late > lateBefore) throw tooLate(this.#taskMs());
      return this.#run(name, held, open, task);
    });
    held.tail = run.catch(() => {
      // Whoever asked for it is told.
    });
    return run;
  }

  /** Closes what is open: an execution that sleeps must hold no connection. */
  async close(): Promise<void> {
    await Promise.all([...this.#held.values()].map(({ tail }) => tail));
    for (const [name, held] of this.#held) this.#drop(name, held);
  }

  async #run<T>(
    name: string,
    held: Held,
    open: () => Promise<ImapFlow>,
    task: (client: ImapFlow) => Promise<T>,
  ): Promise<T> {
    held.stay?.();
    const kept = held.client?.usable === true;
    try {
      return await this.#once(held, open, task);
    } catch (error) {
      const broken = held.client !== undefined && !held.client.usable;
      if (!(kept && broken) || isLate(error)) throw failureOn(held, error);
      // What broke it is told by the second try, if it is more than that the server had closed it.
      if (failureOn(held, error).code !== "source_unavailable") throw failureOn(held, error);
      return await this.#once(held, open, task).catch((again: unknown) => {
        throw failureOn(held, again);
      });
    } finally {
      held.stay = this.#after(idleMs, () => this.#drop(name, held));
    }
  }

  async #once<T>(held: Held, open: () => Promise<ImapFlow>, task: (client: ImapFlow) => Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timeoutMs = this.#taskMs();
    const inTime = this.#after(timeoutMs, () => {
      late.reject(tooLate(timeoutMs));
    });
    const work = this.#work(held, open, task, () => late.promise);
    try {
      return await Promise.race([work, late.promise]);
    } catch (error) {
      // What still waits for the server is let go with the connection.
      if (isLate(error)) {
        held.late += 1;
        held.client?.close();
      }
      throw error;
    } finally {
      inTime();
      work.catch(() => {
        // It lost the race: its end is nobody's news.
      });
    }
  }

  async #work<T>(
    held: Held,
    open: () => Promise<ImapFlow>,
    task: (client: ImapFlow) => Promise<T>,
    tooLate: () => Promise<never>,
  ): Promise<T> {
    if (held.client?.usable !== true) {
      const opening = open();
      // One that is opened after all by a server that took too long is closed again.
      tooLate().catch(() => opening.then((client) => client.close()).catch(() => {}));
      held.client = await opening;
    }
    return task(held.client);
  }

  #drop(name: string, held: Held): void {
    held.stay?.();
    if (this.#held.get(name) === held) this.#held.delete(name);
    const { client } = held;
    held.client = undefined;
    if (!client?.usable) {
      client?.close();
      return;
    }
    // Politely, but without waiting for an answer that may never come.
    client.logout().catch(() => {});
    this.#after(1_000, () => client.close());
  }
}

/** A task that has taken longer than it may. */
const tooLate = (timeoutMs: number): ScoutsError => {
  const reason: UnreachedReason = "slow";
  return new ScoutsError("source_unavailable", { data: { timeoutMs, reason } });
};

/** Whether a task took longer than it may. */
const isLate = (error: unknown): boolean => isScoutsError(error) && error.data["timeoutMs"] !== undefined;

/** A command that a broken connection takes along knows nothing of the reason; the connection does. */
function failureOn({ client }: Held, error: unknown): ScoutsError {
  const failure = imapFailure(error);
  const reason = client && failure.code === "source_unavailable" && !isLate(error) ? brokenBy(client) : undefined;
  return reason === undefined ? failure : imapFailure(reason);
}
