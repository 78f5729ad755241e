import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ulid } from "ulidx";
import { newFrameId } from "../../device/store/decide.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { ErrorCode } from "../../events/error-kinds.ts";
import { isScoutsError } from "../../events/errors.ts";
import { type DeviceId, deviceId, type ScoutId, scoutId, type UserId } from "../../events/ids.ts";
import { AccountStore } from "../../shared/billing/account-store.ts";
import { TokenBudget } from "../../shared/billing/token-budget.ts";
import { ConnectionStore } from "../../shared/devices/connection-store.ts";
import { livingSession, longestSessionMs } from "../../shared/devices/session-row.ts";
import { SessionStore } from "../../shared/devices/session-store.ts";
import { sweepSessions } from "../../shared/devices/sweep.ts";
import { issueTicket, spendTicket } from "../../shared/devices/ticket.ts";
import { sessionsKey } from "../../shared/keys.ts";
import { systemAfter } from "../../shared/ports/clock.ts";
import { parseKeyRing } from "../../shared/privacy/key-ring.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { RingSealer } from "../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { Idempotency } from "../../shared/requests/idempotency.ts";
import { GmailCredentials } from "../../shared/scouts/connectors/gmail/credentials.ts";
import { settleReservations } from "../../shared/scouts/triage/settle-reservations.ts";
import { verdictResults } from "../../shared/scouts/triage/verdict-results.ts";
import { noLog } from "../memory/log.ts";
import { MemoryObjects } from "../memory/objects.ts";
import { MemoryTable } from "../memory/table.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const ada: UserId = userIdOf("https://issuer.example/", "ada");
const inbox: ScoutId = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEA");
const device: DeviceId = deviceId.parse("dev_01KE5Q8600ESE4NYY1EVXDNQEB");
const key = Buffer.alloc(32, 7);
const ring = async () =>
  new RingSealer(parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: key.toString("base64") }] })));

/** One rule that keeps a time, tried with a clock that steps between the write of it and its reading. */
export interface ClockRule {
  readonly name: string;
  /** The longest that the rule itself could have asked for. */
  readonly boundMs: number;
  /** Uses the rule up while the clock says `writtenMs`. @returns how long the next one waits when it says `readMs` */
  run(writtenMs: number, readMs: number): Promise<number>;
}

const chance = { newId: () => "01KE5Q8600ESE4NYY1EVXDNQEC", newKey: () => key };

/** How long it is until something is so, looked at every so often. */
async function waitUntil(everyMs: number, isSo: (laterMs: number) => Promise<boolean>): Promise<number> {
  for (let laterMs = 0; ; laterMs += everyMs) if (laterMs > 45 * dayMs || (await isSo(laterMs))) return laterMs;
}

async function refusedWith(code: ErrorCode, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (isScoutsError(error, code)) return true;
    throw error;
  }
}

const reservation: ClockRule = {
  name: "tokens set aside by a worker that died",
  boundMs: 3 * hourMs,
  async run(writtenMs, readMs) {
    const ledger = new MemoryTable();
    let nowMs = writtenMs;
    const ids = Array.from({ length: 20_000 }, (_, index) => String(index));
    const budget = new TokenBudget(
      ledger,
      "triage",
      () => nowMs,
      () => ids.pop() ?? "none",
    );
    const caps = { total: 100, within: new Map() };
    const request = (ref: string) => [{ op: `${inbox}.${ref}.v`, within: inbox, tokens: 100, base: 0 }];
    await budget.reserve(ada, request("first"), caps);
    return waitUntil(5 * minuteMs, async (laterMs) => {
      nowMs = readMs + laterMs;
      await settleReservations({ ledger, clock: () => nowMs, newId: () => ids.pop() ?? "none", log: noLog }, [
        verdictResults(ledger),
      ]);
      return (await budget.reserve(ada, request("second"), caps)).granted.length > 0;
    });
  },
};

const idempotencyKey: ClockRule = {
  name: "a key of a request, for another request",
  boundMs: 2 * dayMs,
  async run(writtenMs, readMs) {
    let nowMs = writtenMs;
    const requests = new Idempotency(new MemoryTable(), key, () => nowMs);
    const request = (body: string) => ({ user: ada, operation: "make", key: "k", body });
    await requests.claim(request("one"), "1");
    return waitUntil(hourMs, async (laterMs) => {
      nowMs = readMs + laterMs;
      return !(await refusedWith("idempotency_conflict", () => requests.claim(request("other"), "2")));
    });
  },
};

const cachedToken: ClockRule = {
  name: "a token of Google's that is kept",
  boundMs: hourMs + 10 * minuteMs,
  async run(writtenMs, readMs) {
    let refreshed = 0;
    const server = createServer((_, response) => {
      refreshed++;
      response.end(JSON.stringify({ access_token: "fresh", expires_in: 3_600, scope: "s", token_type: "Bearer" }));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      let nowMs = writtenMs;
      const oauth = { clientId: "c", clientSecret: "s", tokenUrl: `http://127.0.0.1:${port}/` };
      const credentials = new GmailCredentials(new MemoryTable(), ring, oauth, () => nowMs, systemAfter);
      const scout = { userId: ada, scoutId: inbox, address: "a" };
      const [accessToken, refreshToken] = [new Transient("first"), new Transient("r")];
      await credentials.store(scout, { accessToken, refreshToken, expiresInSeconds: 3_600, scopes: ["s"] });
      return await waitUntil(10 * minuteMs, async (laterMs) => {
        nowMs = readMs + laterMs;
        await credentials.accessToken(scout);
        return refreshed > 0;
      });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  },
};

const session: ClockRule = {
  name: "a session whose device is gone",
  boundMs: 2 * longestSessionMs,
  async run(writtenMs, readMs) {
    const table = new MemoryTable();
    await new SessionStore(table, ring, chance).resume(ada, device, "c", writtenMs);
    return waitUntil(
      10 * minuteMs,
      async (laterMs) => (await livingSession(table, ada, device, readMs + laterMs)) === undefined,
    );
  },
};

const sweptSession: ClockRule = {
  name: "its key, until it is deleted",
  boundMs: 2 * longestSessionMs + hourMs,
  async run(writtenMs, readMs) {
    const sessions = new MemoryTable();
    await new SessionStore(sessions, ring, chance).resume(ada, device, "c", writtenMs);
    return waitUntil(5 * minuteMs, async (laterMs) => {
      await sweepSessions({ sessions, objects: new MemoryObjects(), log: noLog }, readMs + laterMs);
      return (await sessions.get(sessionsKey.session(ada, device))) === undefined;
    });
  },
};

const ticket: ClockRule = {
  name: "a ticket for a connection, good for",
  boundMs: 90_000,
  async run(writtenMs, readMs) {
    const text = await issueTicket(key, { userId: ada, deviceId: device }, () => writtenMs, chance.newId);
    let goodMs = 0;
    for (let laterMs = 0; laterMs < 3 * dayMs; laterMs += laterMs < hourMs ? 10_000 : minuteMs) {
      const clock = () => readMs + laterMs;
      if (!(await refusedWith("ticket_invalid", () => spendTicket(key, text, new MemoryTable(), clock))))
        goodMs += 10_000;
    }
    return goodMs;
  },
};

const connection: ClockRule = {
  name: "a connection that was cut unheard",
  boundMs: 5 * hourMs,
  async run(writtenMs, readMs) {
    const connections = new ConnectionStore(new MemoryTable());
    await connections.add(ada, "c", device, writtenMs);
    return waitUntil(10 * minuteMs, async (laterMs) => !(await connections.has(ada, "c", readMs + laterMs)));
  },
};

const presence: ClockRule = {
  name: "a sign of life of a device, noted again",
  boundMs: hourMs,
  async run(writtenMs, readMs) {
    const accounts = new AccountStore(new MemoryTable());
    await accounts.seen(ada, writtenMs);
    return waitUntil(10 * minuteMs, async (laterMs) => {
      await accounts.seen(ada, readMs + laterMs);
      return (await accounts.get(ada)).lastSeenAt === readMs + laterMs;
    });
  },
};

/** What waits in it is sent in its order: no time decides. */
const outbox: ClockRule = {
  name: "a frame that waits in a device's outbox",
  boundMs: 0,
  async run(writtenMs, readMs) {
    const dataFolder = mkdtempSync(join(tmpdir(), "scouts-clock-"));
    let nowMs = writtenMs;
    const store = openDeviceStore({ ...systemTimeAndIds, dataFolder, now: () => nowMs });
    try {
      store.outbox.put({ type: "bye", id: newFrameId(() => ulid(writtenMs)) });
      return await waitUntil(minuteMs, async (laterMs) => {
        nowMs = readMs + laterMs;
        store.outbox.prune();
        return store.outbox.waiting(1).length === 1;
      });
    } finally {
      store.close();
      rmSync(dataFolder, { recursive: true });
    }
  },
};

/** What a person's devices and requests are known by, and for how long. */
export const deviceRules: readonly ClockRule[] = [
  reservation,
  idempotencyKey,
  cachedToken,
  session,
  sweptSession,
  ticket,
  connection,
  presence,
  outbox,
];
