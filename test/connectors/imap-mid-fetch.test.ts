import { afterEach, describe, expect, test } from "vitest";
import { imapFailure } from "../../shared/scouts/connectors/imap/failures.ts";
import { scoutAtSource as scout } from "../contract/connector-fixtures.ts";
import type { Command, Scripted } from "./scripted-imap.ts";
import { codeOf, listed, scriptedMailbox } from "./scripted-mailbox.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** What a server may say in the middle of a FETCH, once it has told of one message, and what that is here. */
const middles: readonly (readonly [what: string, code: string, say: (command: Command) => void])[] = [
  ["NO", "source_unavailable", ({ tag, socket }) => socket.write(`${tag} NO some could not be read\r\n`)],
  ["NO of a limit", "source_rate_limited", ({ tag, socket }) => socket.write(`${tag} NO [LIMIT] slow down\r\n`)],
  [
    "NO of a folder that is gone",
    "source_unavailable",
    ({ tag, socket }) => socket.write(`${tag} NO [NONEXISTENT] no\r\n`),
  ],
  ["BAD", "source_unavailable", ({ tag, socket }) => socket.write(`${tag} BAD confused\r\n`)],
  ["BYE", "source_unavailable", ({ socket }) => socket.end("* BYE shutting down\r\n")],
  ["the end", "source_unavailable", ({ socket }) => socket.destroy()],
];

/** Answers so many FETCHes with one message and what is said behind it. */
function breakOff(server: Scripted, say: (command: Command) => void, times: number): void {
  let left = times;
  server.override = (command) => {
    if (command.name !== "UID FETCH" || left === 0) return false;
    left -= 1;
    command.socket.write("* 1 FETCH (UID 1)\r\n");
    say(command);
    return true;
  };
}

describe("P2: what a server says in the middle of a FETCH loses no message", () => {
  test.each(middles)("%s, once: the same position gives them all", async (_, code, say) => {
    const { server, connector, cursor, deliver } = await scriptedMailbox(opened);
    deliver("one", "two", "three");
    const whole = await listed(connector, cursor);
    breakOff(server, say, 1);
    expect([code, "no failure"]).toContain(await codeOf(connector.listNew(scout, { cursor })));
    server.override = undefined;
    expect((await listed(connector, cursor)).refs).toEqual(whole.refs);
  });

  test.each(middles)("%s, each time: it is told, and nothing counts as listed or gone", async (_, code, say) => {
    const { server, connector, cursor, deliver } = await scriptedMailbox(opened);
    deliver("one", "two", "three");
    const { refs } = await listed(connector, cursor);
    breakOff(server, say, Number.POSITIVE_INFINITY);
    expect(await codeOf(connector.listNew(scout, { cursor }))).toBe(code);
    const read = await connector.fetchMetadataMany(scout, refs);
    expect(read).toMatchObject(refs.map(() => ({ code })));
  });
});

test("Exchange says in words how long to wait, and is given that time, an hour at most", () => {
  const throttled = (throttleReset: number) =>
    imapFailure(
      Object.assign(new Error("Command failed"), { code: "ETHROTTLE", responseStatus: "BAD", throttleReset }),
    );
  expect(throttled(92_415)).toMatchObject({ code: "source_rate_limited", data: { retryAfterMs: 92_415 } });
  expect(throttled(1)).toMatchObject({ data: { retryAfterMs: 60_000 } });
  expect(throttled(9e9)).toMatchObject({ data: { retryAfterMs: 3_600_000 } });
});
