import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Mailbox } from "../../../../infra/standins/mailbox/mailbox.ts";
import { ledgerKey } from "../../../../shared/keys.ts";
import { outcomeOf } from "../../../../shared/outcome/outcome.ts";
import { type After, systemAfter } from "../../../../shared/ports/clock.ts";
import { Transient } from "../../../../shared/privacy/transient.ts";
import { GmailCredentials } from "../../../../shared/scouts/connectors/gmail/credentials.ts";
import { readonlyScope } from "../../../../shared/scouts/connectors/gmail/oauth.ts";
import { vault as newVault } from "../../../contract/connector-fixtures.ts";
import { MemoryTable } from "../../../memory/table.ts";
import { cleanUp, oauthClient, openMailbox } from "../../../standins/mailbox-fixture.ts";
import { ada, inbox } from "../setting.ts";

const scout = { userId: ada, scoutId: inbox, address: "ada" };
const hourMs = 3_600_000;

/** A Ledger whose writes fail once they are told to, and which says when one is asked for. */
class FailingTable extends MemoryTable {
  /** Thrown by whatever writes the access. */
  putFails: Error | undefined;
  /** The process has died: nothing it still asks for happens. */
  isDead = false;
  beforePut: () => Promise<void> = async () => {};
  beforeUpdate: () => Promise<void> = async () => {};

  override async put(...[item, when]: Parameters<MemoryTable["put"]>) {
    await this.beforePut();
    if (this.putFails) throw this.putFails;
    return super.put(item, when);
  }

  override async update(...[key, change, when]: Parameters<MemoryTable["update"]>) {
    await this.beforeUpdate();
    if (this.isDead) throw new Error("the process is dead");
    return super.update(key, change, when);
  }
}

let mailbox: Mailbox;
let vault: ReturnType<typeof newVault>;
let ledger: FailingTable;
let nowMs: number;

afterEach(cleanUp);
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 20);
  vault = newVault();
  ledger = new FailingTable();
  mailbox = await openMailbox({ oauth: { ...oauthClient, rotates: true }, clock: () => nowMs });
  await newProcess().store(scout, granted());
});

/** What one process keeps in memory. */
function newProcess(after: After = systemAfter): GmailCredentials {
  const oauth = { ...oauthClient, tokenUrl: mailbox.tokenUrl };
  return new GmailCredentials(ledger, vault, oauth, () => nowMs, after);
}

function granted() {
  const { accessToken, refreshToken } = mailbox.grant([readonlyScope]);
  return {
    accessToken: new Transient(accessToken),
    refreshToken: new Transient(refreshToken),
    expiresInSeconds: 3599,
    scopes: [readonlyScope],
  };
}

/** Whether the mailbox opens with what a process holds. */
async function opens(process: GmailCredentials): Promise<boolean> {
  const token = (await process.accessToken(scout)).reveal();
  const profile = `${mailbox.url}/gmail/v1/users/me/profile`;
  return (await fetch(profile, { headers: { authorization: `Bearer ${token}` } })).ok;
}

describe("a refresh token that is good once", () => {
  test("is followed from hour to hour, by whichever process asks next", async () => {
    for (let hour = 1; hour <= 6; hour += 1) {
      nowMs += hourMs;
      expect(await opens(newProcess()), `hour ${hour}`).toBe(true);
    }
    expect(mailbox.requests("token")).toBe(6);
  });

  test("is spent by one of many processes that find it at once; the others use what that one was given", async () => {
    nowMs += hourMs;
    const processes = Array.from({ length: 8 }, () => newProcess());
    expect(await Promise.all(processes.map(opens))).toEqual(processes.map(() => true));
    expect(mailbox.requests("token")).toBe(1);
    nowMs += hourMs;
    expect(await opens(newProcess()), "an hour later").toBe(true);
  });

  test("is not shown again while the one who spent it has yet to write", async () => {
    nowMs += hourMs;
    const answered = Promise.withResolvers<void>();
    const mayWrite = Promise.withResolvers<void>();
    ledger.beforePut = () => {
      answered.resolve();
      return mayWrite.promise;
    };
    const first = opens(newProcess());
    await answered.promise;
    const waits = Promise.withResolvers<() => void>();
    const second = opens(
      newProcess((_, work) => {
        waits.resolve(work);
        return () => {};
      }),
    );
    const goOn = await waits.promise;
    expect(mailbox.requests("token")).toBe(1);
    mayWrite.resolve();
    expect(await first).toBe(true);
    goOn();
    expect(await second).toBe(true);
    expect(mailbox.requests("token")).toBe(1);
  });

  test("is lost with a process that dies between the answer and the write: its owner is asked to connect anew", async () => {
    nowMs += hourMs;
    const process = newProcess();
    ledger.beforePut = async () => {
      ledger.isDead = true;
    };
    ledger.putFails = new Error("the process is dead");
    await expect(process.accessToken(scout)).rejects.toThrow("dead");
    ledger.beforePut = async () => {};
    ledger.putFails = undefined;
    ledger.isDead = false;
    nowMs += 60_000;
    const error = await newProcess()
      .accessToken(scout)
      .catch((thrown: unknown) => thrown);
    expect(outcomeOf(error, nowMs)).toEqual({ kind: "disable", code: "reauth" });
    await newProcess().store(scout, granted());
    expect(await opens(newProcess())).toBe(true);
  });

  test("that could not be written is kept, and written before it is used", async () => {
    nowMs += hourMs;
    const process = newProcess();
    ledger.putFails = new Error("throttled");
    await expect(process.accessToken(scout)).rejects.toThrow("throttled");
    ledger.putFails = undefined;
    expect(await opens(process)).toBe(true);
    expect(mailbox.requests("token")).toBe(1);
    nowMs += hourMs;
    expect(await opens(newProcess()), "by another process").toBe(true);
  });

  test("that a new consent has replaced meanwhile does not lock its owner out", async () => {
    nowMs += hourMs;
    const process = newProcess();
    ledger.beforeUpdate = async () => {
      ledger.beforeUpdate = async () => {};
      // The grant of before ends with the new one, as some providers have it.
      mailbox.revokeGrants();
      await newProcess().store(scout, granted());
    };
    expect(await opens(process)).toBe(true);
  });

  test("whose turn was taken by a clock that has stepped back since is spent all the same", async () => {
    nowMs += hourMs;
    const key = ledgerKey.vault(ada, inbox);
    await ledger.update(key, { set: [[["refreshUntil"], nowMs + 365 * 24 * hourMs]] }, { exists: ["pk"] });
    expect(await opens(newProcess())).toBe(true);
  });

  test("is given back as it is by now, not as a process remembers it", async () => {
    const warm = newProcess();
    await opens(warm);
    nowMs += hourMs;
    await opens(newProcess());
    const first = (await warm.refreshToken(scout)).reveal();
    expect((await newProcess().refreshToken(scout)).reveal()).toBe(first);
  });

  test("leaves nothing behind of a scout that is deleted meanwhile", async () => {
    nowMs += hourMs;
    ledger.beforePut = async () => void (await ledger.delete(ledgerKey.vault(ada, inbox)));
    await newProcess().accessToken(scout);
    expect(ledger.peek(ledgerKey.vault(ada, inbox))).toBeUndefined();
  });
});
