import type { FetchMessageObject, FetchQueryObject, ImapFlow, SearchObject } from "imapflow";
import { imapFailure } from "../../../shared/scouts/connectors/imap/failures.ts";
import { canary, inInbox, type SimulatedMail } from "../mailbox.ts";
import type { Process } from "../process.ts";
import type { Simulation } from "../simulation.ts";
import { factsOf, type NumberedFolder, type SimulatedImap } from "./imap.ts";

/** How long a server keeps the connection of a client that has died. */
const lingersMs = 5 * 60_000;
const dayMs = 86_400_000;

/** What the world hears of. */
export interface Overheard {
  /** News are asked for. */
  onListed(): void;
}

/**
 * A connection to a simulated server, where ImapFlow stands otherwise, and with its ways: a search that fails is `false`, and
 * a fetch whose connection is cut ends without a word.
 *
 * @throws what `openSession` throws
 */
export async function openSimulated(
  sim: Simulation,
  process: Process,
  { mailbox, scoutId }: { mailbox: SimulatedImap; scoutId: string },
  overheard: Overheard,
): Promise<ImapFlow> {
  const session = await process
    .call("imap sign in", () => signIn(sim, mailbox, scoutId), { latencyMs: latencyMs(sim) })
    .catch((error: unknown) => {
      throw imapFailure(error);
    });
  // Whoever dies takes no leave.
  const leave = sim.after(lingersMs, "imap connection forgotten", () => session.end());
  session.onEnd = leave;
  return new Session(sim, process, mailbox, session, overheard) as unknown as ImapFlow;
}

interface Line {
  open: boolean;
  onEnd: () => void;
  end(): void;
}

function signIn({ faults, random }: Simulation, mailbox: SimulatedImap, scoutId: string): Line {
  if (faults.strikes("imap_cut")) throw noConnection();
  if (faults.strikes("imap_limit") || !mailbox.connect()) {
    throw random.pick([
      said("BYE", "LIMIT", "Too many simultaneous connections"),
      Object.assign(said("NO", "LIMIT", `${canary} maximum number of connections`), { authenticationFailed: true }),
    ]);
  }
  if (mailbox.withdrawn.has(scoutId)) {
    mailbox.disconnect();
    throw Object.assign(said("NO", "AUTHENTICATIONFAILED", `${canary} refused`), { authenticationFailed: true });
  }
  const line: Line = {
    open: true,
    onEnd: () => {},
    end: () => {
      if (!line.open) return;
      line.open = false;
      line.onEnd();
      mailbox.disconnect();
    },
  };
  return line;
}

class Session {
  readonly capabilities = new Map([["IMAP4rev1", true]]);
  mailbox: { path: string } | false = false;
  readonly #sim: Simulation;
  readonly #process: Process;
  readonly #of: SimulatedImap;
  readonly #line: Line;
  readonly #overheard: Overheard;
  #selected: NumberedFolder | undefined;

  constructor(sim: Simulation, process: Process, of: SimulatedImap, line: Line, overheard: Overheard) {
    this.#sim = sim;
    this.#process = process;
    this.#of = of;
    this.#line = line;
    this.#overheard = overheard;
  }

  get usable(): boolean {
    return this.#line.open;
  }

  async mailboxOpen(path: string) {
    const folder = await this.#command(`select`, () => {
      if (this.#sim.faults.strikes("imap_busy")) throw said("NO", "UNAVAILABLE", `${canary} not now`);
      const found = this.#of.folders.find((each) => each.path === path);
      if (!found) throw said("NO", "NONEXISTENT", `${canary} no such folder`);
      return found;
    });
    this.#selected = folder;
    this.mailbox = { path };
    const exists = present(folder).length;
    return { path, uidValidity: folder.validity, uidNext: folder.next, exists };
  }

  async search(query: SearchObject): Promise<number[] | false> {
    if (query.uid !== undefined) this.#overheard.onListed();
    try {
      return await this.#command("search", () => {
        if (this.#sim.faults.strikes("imap_busy")) throw said("NO", "SERVERBUG", `${canary} no`);
        return present(this.#folder())
          .filter(matches(query))
          .map(([uid]) => uid);
      });
    } catch {
      // As ImapFlow has it: no answer is no list.
      return false;
    }
  }

  async *fetch(range: string, query: FetchQueryObject): AsyncGenerator<FetchMessageObject> {
    const wanted = new Set(range.split(",").map(Number));
    const told = await this.#command("fetch", () => {
      const found = present(this.#folder()).filter(([uid]) => wanted.has(uid));
      if (!this.#sim.faults.strikes("imap_cut")) return found;
      this.#line.end();
      return found.slice(0, this.#sim.random.int(0, found.length));
    }).catch(() => []);
    for (const [uid, mail] of told) yield messageOf(uid, mail, query, this.#of.address);
  }

  async status(): Promise<{ unseen: number }> {
    return { unseen: 0 };
  }

  async list(): Promise<[]> {
    return [];
  }

  async logout(): Promise<void> {
    this.close();
  }

  close(): void {
    this.#line.end();
  }

  #folder(): NumberedFolder {
    if (!this.#selected) throw new TypeError("No folder is selected");
    return this.#selected;
  }

  async #command<T>(name: string, answer: () => T): Promise<T> {
    if (!this.#line.open) throw noConnection();
    const found = await this.#process.call(
      `imap ${name}`,
      () => {
        if (this.#sim.faults.strikes("imap_cut")) {
          this.#line.end();
          throw noConnection();
        }
        return answer();
      },
      { latencyMs: latencyMs(this.#sim) },
    );
    if (name !== "fetch" && !this.#line.open) throw noConnection();
    return found;
  }
}

/** A server that has much to do answers after the time a task may take. */
const latencyMs = ({ faults, random }: Simulation) =>
  faults.strikes("imap_slow") ? random.int(5_000, 60_000) : random.int(1, 80);

const present = ({ mails }: NumberedFolder) => [...mails].filter(([, mail]) => inInbox(mail));

function matches({ uid: range, since, larger, smaller, or }: SearchObject) {
  const [from = 0, to = Number.POSITIVE_INFINITY] = typeof range === "string" ? range.split(":").map(Number) : [];
  const days = (or ?? []).flatMap(({ on }) => (on === undefined ? [] : [new Date(on).getTime()]));
  const sinceMs = since === undefined ? 0 : new Date(since).getTime();
  return ([uid, mail]: readonly [number, SimulatedMail]): boolean => {
    const { size } = factsOf(mail);
    const day = Math.floor(mail.receivedAtMs / dayMs) * dayMs;
    if (uid < from || uid > to || day < sinceMs) return false;
    if (days.length > 0 && !days.includes(day)) return false;
    return (larger === undefined || size > larger) && (smaller === undefined || size < smaller);
  };
}

function messageOf(uid: number, mail: SimulatedMail, query: FetchQueryObject, address: string): FetchMessageObject {
  const id = { seq: uid, uid, id: mail.id };
  const flags = new Set(["\\Recent"]);
  if (query.headers) return { ...id, ...factsOf(mail) };
  if (!query.bodyParts) return { ...id, ...(query.flags ? { flags } : {}) };
  const text = Buffer.from(`${canary} text of ${address}. `.repeat(3));
  if (!query.flags) return { ...id, bodyParts: new Map([["1", text]]) };
  const { internalDate, size } = factsOf(mail);
  const bodyStructure = {
    type: "multipart/mixed",
    childNodes: [
      { part: "1", type: "text/plain", encoding: "8bit", size: text.length },
      ...Array.from({ length: mail.isOversize ? 400 : 1 }, (_, at) => ({
        part: String(at + 2),
        type: "application/pdf",
        encoding: "base64",
        size: 1_000,
        disposition: "attachment",
        dispositionParameters: { filename: `${canary} ${at} of ${address}.pdf` },
      })),
    ],
  };
  const headers = Buffer.from(headerOf(mail, address));
  return { ...id, flags, internalDate, size, bodyStructure, headers, bodyParts: new Map() };
}

function headerOf(mail: SimulatedMail, address: string): string {
  const more = mail.isOversize ? ` ${"far too long ".repeat(2_000)}` : "";
  const recipients = Array.from({ length: mail.isOversize ? 400 : 1 }, (_, at) => `${at}@${address}`);
  return [
    `Message-ID: <${mail.id}@${canary}>`,
    `Subject: ${canary} mail=${mail.id} of ${address}${more}`,
    `From: ${canary} <someone@${address}>`,
    `To: ${recipients.join(", ")}`,
    `Date: ${new Date(mail.receivedAtMs).toUTCString()}`,
    `List-Id: <${canary}.${address}>`,
    "",
    "",
  ].join("\r\n");
}

/** As ImapFlow fails what a broken connection takes along. */
const noConnection = () => Object.assign(new Error("Connection not available"), { code: "NoConnection" });

/** As ImapFlow hands on what a server has refused. */
const said = (status: "NO" | "BYE", code: string, words: string) =>
  Object.assign(new Error("Command failed"), {
    responseStatus: status,
    serverResponseCode: code,
    responseText: words,
    response: `${status} [${code}] ${words}`,
  });
