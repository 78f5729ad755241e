import { SignJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { issueTicket, spendTicket, ticketLifeSeconds } from "../../../shared/devices/ticket.ts";
import { newId } from "../../memory/chance.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ada, laptop, nowMs } from "../scouts/setting.ts";

const key = new Uint8Array(32).fill(3);
const holder = { userId: ada, deviceId: laptop };
const at = (laterMs: number) => () => nowMs + laterMs;
let sessions: MemoryTable;

beforeEach(() => {
  sessions = new MemoryTable();
});

describe("a ticket", () => {
  test("lets its holder in, and says who that is", async () => {
    const ticket = await issueTicket(key, holder, at(0), newId);
    expect(await spendTicket(key, ticket, sessions, at(1_000))).toEqual(holder);
  });

  test("lets in once, also when it is presented many times at once", async () => {
    const ticket = await issueTicket(key, holder, at(0), newId);
    const tries = await Promise.allSettled([1, 2, 3].map(() => spendTicket(key, ticket, sessions, at(0))));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(spendTicket(key, ticket, sessions, at(0))).rejects.toMatchObject({ code: "ticket_spent" });
  });

  test("is worth nothing after thirty seconds", async () => {
    const ticket = await issueTicket(key, holder, at(0), newId);
    const late = spendTicket(key, ticket, sessions, at(ticketLifeSeconds * 1000 + 1_000));
    await expect(late).rejects.toMatchObject({ code: "ticket_invalid" });
  });

  test("of another key, of another issuer, without an end or without a signature is none", async () => {
    const now = Math.floor(nowMs / 1000);
    const claims = {
      sub: ada,
      device: laptop,
      jti: "01KE5Q8600ESE4NYY1EVXDNQEA",
      iss: "scouts/device-tickets",
      exp: now + 30,
    };
    const signed = (change: object, by = key) =>
      new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: "HS256" }).sign(by);
    const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.`;
    expect(await spendTicket(key, await signed({}), sessions, at(0))).toEqual(holder);
    for (const ticket of [
      await signed({}, new Uint8Array(32).fill(4)),
      await signed({ iss: "scouts/gmail-consent" }),
      await signed({ exp: undefined }),
      await signed({ sub: "usr_x" }),
      await signed({ device: undefined }),
      none,
      "",
      "a.b.c",
    ]) {
      await expect(spendTicket(key, ticket, sessions, at(0))).rejects.toMatchObject({ code: "ticket_invalid" });
    }
  });
});
