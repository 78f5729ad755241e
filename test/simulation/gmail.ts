import { isScoutsError, ScoutsError } from "../../events/errors.ts";
import type { ScoutAtSource } from "../../shared/scouts/connectors/connector.ts";
import { GmailClient, type Run } from "../../shared/scouts/connectors/gmail/client.ts";
import { gmailFailure } from "../../shared/scouts/connectors/gmail/failures.ts";
import type { BatchAnswer } from "../../shared/scouts/connectors/gmail/reading/batch-get.ts";
import { canary, inInbox, type SimulatedMail, type SimulatedMailbox } from "./mailbox.ts";
import type { Process } from "./process.ts";
import type { Simulation } from "./simulation.ts";

type Users = Parameters<Run<unknown>>[0];

const noTokens = {
  accessToken: () => Promise.reject(new ScoutsError("source_not_connected")),
  refused: async () => {},
};

/** The part of the Gmail API the connector uses, over simulated mailboxes; what it says, refusals too, is in Gmail's words. */
export class SimulatedGmail extends GmailClient {
  readonly #sim: Simulation;
  readonly #process: Process;
  readonly #mailboxOf: (scoutId: string) => SimulatedMailbox;
  /** Hears of every listing of news. */
  onListed: () => void = () => {};

  constructor(sim: Simulation, process: Process, mailboxOf: (scoutId: string) => SimulatedMailbox) {
    super(noTokens, "https://gmail.invalid/", process.clock);
    this.#sim = sim;
    this.#process = process;
    this.#mailboxOf = mailboxOf;
  }

  protected override async once<T>(scout: ScoutAtSource, run: Run<T>): Promise<T> {
    try {
      return (await run(this.#users(scout.scoutId))).data;
    } catch (error) {
      throw gmailFailure(error, this.#process.clock());
    }
  }

  /** A batch is met by what single reads are: each part may fail, a refused token fails all. */
  protected override async batchOnce(scout: ScoutAtSource, ids: readonly string[]): Promise<BatchAnswer[]> {
    const answers: BatchAnswer[] = [];
    for (const id of ids) {
      const get = this.once(scout, (users) => users.messages.get({ userId: "me", id, format: "metadata" }));
      answers.push(
        await get.catch((error: unknown) => {
          if (!isScoutsError(error) || isScoutsError(error, "unauthenticated")) throw error;
          return error;
        }),
      );
    }
    return answers;
  }

  #users(scoutId: string): Users {
    const mailbox = this.#mailboxOf(scoutId);
    const admit = () => {
      if (mailbox.withdrawn.has(scoutId)) throw new ScoutsError("reauth");
      refuseAtRandom(this.#sim);
    };
    const asked = <A, T>(name: string, answer: (request: A) => T) => {
      return (request: A) =>
        this.#process.call(`gmail ${name}`, () => {
          admit();
          if (hasPageToken(request) && this.#sim.faults.strikes("page_token_refused")) {
            throw googleError(400, "invalidArgument", "Invalid pageToken");
          }
          return { data: answer(request) };
        });
    };
    /** What changes the mailbox may do so although nobody hears of it any more. */
    const done = <T>(name: string, change: () => T) => {
      return () =>
        this.#process.call(
          `gmail ${name}`,
          () => {
            admit();
            const refusal = name === "watch" ? mailbox.watchRefusal : undefined;
            if (refusal) throw googleError(refusal.status, refusal.reason, refusal.sentence);
            const data = change();
            if (this.#sim.faults.strikes("gmail_lost_answer")) throw new Error("socket hang up");
            return { data };
          },
          { writes: true },
        );
    };
    const pageSize = this.#sim.random.int(2, 6);
    const users = {
      getProfile: asked("getProfile", () => ({
        emailAddress: mailbox.address,
        historyId: mailbox.historyId.toString(),
      })),
      watch: done("watch", () => ({
        historyId: mailbox.historyId.toString(),
        expiration: String(mailbox.watch(this.#sim.nowMs)),
      })),
      stop: done("stop", () => mailbox.stop()),
      history: {
        list: asked("history.list", (request: HistoryRequest) => {
          this.onListed();
          return history(mailbox, request, pageSize, this.#sim.nowMs);
        }),
      },
      messages: {
        list: asked("messages.list", (request: SearchRequest) => search(mailbox, request, pageSize)),
        get: asked("messages.get", ({ id }: { id: string }) => message(mailbox, id)),
      },
    };
    return users as unknown as Users;
  }
}

function hasPageToken(request: unknown): boolean {
  return typeof request === "object" && request !== null && "pageToken" in request;
}

interface HistoryRequest {
  startHistoryId: string;
  pageToken?: string;
}
interface SearchRequest {
  q: string;
  pageToken?: string;
}

function history(mailbox: SimulatedMailbox, request: HistoryRequest, pageSize: number, nowMs: number) {
  const start = BigInt(request.startHistoryId);
  if (!mailbox.keeps(start, nowMs)) throw googleError(404, "notFound", "Requested entity was not found.");
  const from = request.pageToken === undefined ? start : BigInt(request.pageToken);
  const records = mailbox.mails.filter((mail) => mail.historyId > from);
  const page = records.slice(0, pageSize);
  const last = page.at(-1);
  return {
    historyId: mailbox.historyId.toString(),
    ...(page.length === 0 ? {} : { history: page.map((mail) => record(mail)) }),
    ...(last && records.length > page.length ? { nextPageToken: last.historyId.toString() } : {}),
  };
}

function record(mail: SimulatedMail) {
  const message = { id: mail.id, threadId: mail.id, labelIds: ["INBOX", "UNREAD"] };
  return { id: mail.historyId.toString(), messages: [{ id: mail.id }], messagesAdded: [{ message }] };
}

/** Newest first, as Gmail lists; a page begins after the mail the one before ended with. */
function search(mailbox: SimulatedMailbox, request: SearchRequest, pageSize: number) {
  const after = Number(/after:(\d+)/.exec(request.q)?.[1]) * 1000;
  const before = request.pageToken === undefined ? undefined : BigInt(request.pageToken);
  const found = mailbox.mails
    .filter((mail) => inInbox(mail) && mail.receivedAtMs >= after)
    .filter((mail) => before === undefined || mail.historyId < before)
    .reverse();
  const page = found.slice(0, pageSize);
  const last = page.at(-1);
  return {
    ...(page.length === 0 ? {} : { messages: page.map(({ id }) => ({ id, threadId: id })) }),
    ...(last && found.length > page.length ? { nextPageToken: last.historyId.toString() } : {}),
  };
}

function message(mailbox: SimulatedMailbox, id: string) {
  const mail = mailbox.mails.find((each) => each.id === id);
  if (!mail || mail.deleted) throw googleError(404, "notFound", "Requested entity was not found.");
  const text = `${canary} text of ${mailbox.address}. `.repeat(3);
  const more = mail.isOversize ? ` ${"far too long ".repeat(12_000)}` : "";
  const recipients = mail.isOversize ? Array.from({ length: 400 }, (_, at) => `${at}@${mailbox.address}`) : [];
  return {
    id,
    threadId: id,
    labelIds: [...mail.labels],
    internalDate: String(mail.receivedAtMs),
    snippet: `${canary} snippet of ${mailbox.address}${more}`,
    payload: {
      mimeType: "multipart/mixed",
      headers: [
        { name: "Subject", value: `${canary} mail=${id} of ${mailbox.address}${more}` },
        ...(recipients.length > 0 ? [{ name: "To", value: recipients.join(", ") }] : []),
        { name: "From", value: `${canary}${more} <someone@${mailbox.address}>` },
        { name: "Date", value: new Date(mail.receivedAtMs).toUTCString() },
        { name: "List-Id", value: `<${canary}.${mailbox.address}${more}>` },
      ],
      parts: [
        { mimeType: "text/plain", filename: "", headers: [], body: { data: Buffer.from(text).toString("base64url") } },
        ...Array.from({ length: mail.isOversize ? 400 : 1 }, (_, at) => ({
          mimeType: "application/pdf",
          filename: `${canary} ${at} of ${mailbox.address}${at === 0 ? more : ""}.pdf`,
          headers: [],
          body: { size: 1_000, attachmentId: String(at) },
        })),
      ],
    },
  };
}

function refuseAtRandom(sim: Simulation): void {
  if (sim.faults.strikes("gmail_network")) throw new Error("socket hang up");
  if (sim.faults.strikes("gmail_5xx")) throw googleError(503, "backendError", "Service unavailable");
  if (sim.faults.strikes("gmail_401")) throw googleError(401, "authError", "Invalid Credentials");
  if (!sim.faults.strikes("gmail_429")) return;
  const untilMs = sim.nowMs + sim.random.pick([2_000, 60_000, 20 * 60_000]);
  const sentence = `User-rate limit exceeded.  Retry after ${new Date(untilMs).toISOString()}`;
  throw googleError(sim.random.pick([429, 403]), "rateLimitExceeded", sentence);
}

/** An error as the client library throws it. */
function googleError(status: number, reason: string, sentence: string): Error {
  const data = {
    error: { code: status, message: sentence, errors: [{ domain: "global", reason, message: sentence }] },
  };
  return Object.assign(new Error(`${canary} ${sentence}`), { response: { status, data, headers: new Headers() } });
}
