import { isScoutsError } from "../../../events/errors.ts";
import type { ScoutId } from "../../../events/ids.ts";
import type { After } from "../../../shared/ports/clock.ts";
import { type Line, listen } from "../../../shared/scouts/connectors/imap/idle.ts";
import { endRequest, type ListenRequest, listenRequest } from "../../../shared/scouts/connectors/imap/listener.ts";
import type { Dial } from "../../../shared/scouts/connectors/imap/session.ts";
import { json, serveLoopback } from "../../standins/loopback-server.ts";
import { makeSecret, sameSecret } from "../../standins/owner-secret.ts";
import { reportFailure } from "../../standins/report-failure.ts";

/** Every look asks anew. Whoever is not looked at any more, and whose end nobody has told of, is not listened for either. */
const lapsesMs = 40 * 60_000;
/** A line that ended is opened again after a second, then two, four … a quarter of an hour. */
const firstRetryMs = 1_000;
const longestRetryMs = 15 * 60_000;
/** A line that has held for so long begins to be retried from the start. */
const holdsMs = 60_000;
/** Of many messages at once the server tells one by one: so long nothing more is said of them. */
const burstMs = 1_000;

/** @returns whether the scout looks at all; one that does not is listened for no more */
export type TellScout = (scout: ScoutId) => Promise<boolean>;

/** Keeps connections to mail servers open, so that the home hears of news at once. */
export interface MailListener {
  /** Where a connector asks for it; the address holds the secret that lets it in. */
  readonly url: string;
  /** Told whenever there may be news for a scout. What came before it is set waits. */
  onNews(tell: TellScout): void;
  /** Scouts that are listened for now. */
  listening(): readonly ScoutId[];
  /** Of how many scouts a password or token is in memory: those, and those whose line is down for a while. */
  known(): number;
  close(): Promise<void>;
}

/**
 * Listens to mail servers for the scouts of a home, one line each. Passwords and tokens come with what is asked and are kept
 * in memory only. Whatever goes wrong here, mailboxes are polled as well: nothing depends on a line.
 */
export async function startMailListener({ dial, after }: { dial: Dial; after: After }): Promise<MailListener> {
  const secret = makeSecret();
  const listener = Promise.withResolvers<TellScout>();
  const lines = new Map<ScoutId, ScoutLine>();

  function listenFor(asked: ListenRequest): void {
    const key = JSON.stringify(asked);
    const known = lines.get(asked.scoutId);
    if (known?.key === key && !known.isOver) {
      known.prolong();
      return;
    }
    known?.stop();
    const line = new ScoutLine(key, after, {
      tell: () => listener.promise.then((tell) => tell(asked.scoutId)),
      onOver: () => {
        if (lines.get(asked.scoutId) === line) lines.delete(asked.scoutId);
      },
    });
    lines.set(asked.scoutId, line);
    line.prolong();
    void line.run((onNews) => listen(asked.access, asked.credential, dial, onNews));
  }

  const server = await serveLoopback(({ method, url, body }) => {
    if (!sameSecret(url.pathname.slice(1), secret)) return json(404, {});
    const asked: unknown = JSON.parse(body.toString());
    if (method === "DELETE") lines.get(endRequest.parse(asked).scoutId)?.stop();
    else if (method === "POST") listenFor(listenRequest.parse(asked));
    else return json(404, {});
    return json(200, {});
  });
  return {
    url: `${server.url}/${secret}`,
    onNews: listener.resolve,
    known: () => lines.size,
    listening: () => [...lines].filter(([, line]) => line.isOpen).map(([scout]) => scout),
    close: async () => {
      await server.close();
      for (const line of lines.values()) line.stop();
    },
  };
}

/** One scout's line, opened again whenever it ends, until it lapses. */
class ScoutLine {
  readonly key: string;
  /** Nobody will open it again. */
  isOver = false;
  readonly #after: After;
  readonly #tell: () => Promise<boolean>;
  readonly #onOver: () => void;
  readonly #stopped = Promise.withResolvers<void>();
  #line: Line | undefined;
  #lapse = () => {};
  #telling = false;
  #again = false;

  constructor(key: string, after: After, { tell, onOver }: { tell: () => Promise<boolean>; onOver: () => void }) {
    this.key = key;
    this.#after = after;
    this.#tell = tell;
    this.#onOver = onOver;
  }

  get isOpen(): boolean {
    return this.#line !== undefined;
  }

  prolong(): void {
    this.#lapse();
    this.#lapse = this.#after(lapsesMs, () => this.stop());
  }

  stop(): void {
    this.isOver = true;
    this.#lapse();
    this.#line?.close();
    this.#stopped.resolve();
    this.#onOver();
  }

  async run(open: (onNews: () => void) => Promise<Line | undefined>): Promise<void> {
    let retryMs = firstRetryMs;
    while (!this.isOver) {
      try {
        this.#line = await open(() => this.#news());
        // The server tells nobody anything: the poll finds what comes.
        if (this.#line === undefined) return;
        if (this.isOver) this.#line.close();
        let held = false;
        const hold = this.#after(holdsMs, () => {
          held = true;
        });
        // What came while nobody listened.
        this.#news();
        await this.#line.ended.finally(hold);
        if (held) retryMs = firstRetryMs;
      } catch (error) {
        // Why it fails the poll meets as well, and tells whoever is to mend it. A password that is refused is not tried again
        // and again, nor does a line take the connection that the poll needs: the next look asks anew.
        if (!isScoutsError(error)) reportFailure("a mail server is not listened to", error);
        if (!isScoutsError(error, "source_unavailable")) this.stop();
      }
      this.#line = undefined;
      await this.#pause(retryMs);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
  }

  /** Tells once for all that comes within a moment. */
  #news(): void {
    this.#again = true;
    if (this.#telling) return;
    this.#telling = true;
    void this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    while (this.#again && !this.isOver) {
      this.#again = false;
      const looks = await this.#tell().catch((error: unknown) => {
        // The poll finds what nobody was told of.
        reportFailure("a scout was not told", error);
        return true;
      });
      // A look that ended after its scout was removed or paused has asked for this line.
      if (!looks) this.stop();
      await this.#pause(burstMs);
    }
    this.#telling = false;
  }

  #pause(ms: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const cancel = this.#after(ms, over.resolve);
    return Promise.race([over.promise, this.#stopped.promise]).finally(cancel);
  }
}
