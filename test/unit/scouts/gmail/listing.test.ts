import { describe, expect, test } from "vitest";
import { ScoutsError } from "../../../../events/errors.ts";
import { scoutId } from "../../../../events/ids.ts";
import { userIdOf } from "../../../../shared/privacy/opaque.ts";
import type { Listing } from "../../../../shared/scouts/connectors/connector.ts";
import { GmailClient, type Run } from "../../../../shared/scouts/connectors/gmail/client.ts";
import { listNew } from "../../../../shared/scouts/connectors/gmail/listing.ts";
import { readCursor, writeCursor } from "../../../../shared/scouts/connectors/gmail/position.ts";

const nowMs = Date.parse("2026-03-07T18:00:00Z");
const nowSeconds = nowMs / 1000;
const scout = { userId: userIdOf("i", "ada"), scoutId: scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEA") };
const start = writeCursor({ historyId: "9007199254740993", completeAtSeconds: nowSeconds - 600, recovered: false });

interface Asked {
  readonly method: "history" | "search" | "profile";
  readonly request: Record<string, unknown>;
}
type Answers = (asked: Asked) => object | ScoutsError;

/** Gmail as a table of answers; what was asked is kept. */
class ScriptedGmail extends GmailClient {
  readonly asked: Asked[] = [];
  readonly #answers: Answers;

  constructor(answers: Answers) {
    super(
      { accessToken: () => Promise.reject(new Error()), refused: async () => {} },
      "https://x.invalid/",
      () => nowMs,
    );
    this.#answers = answers;
  }

  protected override async once<T>(_: unknown, run: Run<T>): Promise<T> {
    const answer = (method: Asked["method"]) => async (request: Record<string, unknown>) => {
      this.asked.push({ method, request });
      const answer = this.#answers({ method, request });
      if (answer instanceof ScoutsError) throw answer;
      return { data: answer };
    };
    const users = {
      history: { list: answer("history") },
      messages: { list: answer("search") },
      getProfile: answer("profile"),
    };
    return (await run(users as never)).data;
  }
}

const list = (gmail: GmailClient, cursor: string, page?: string): Promise<Listing> =>
  listNew(gmail, () => nowMs, scout, page === undefined ? { cursor } : { cursor, page });
const added = (id: string, labelIds?: string[]) => ({
  messagesAdded: [{ message: { id, ...(labelIds && { labelIds }) } }],
});
const gone = new ScoutsError("item_gone");

describe("listing by history", () => {
  test("asks for additions to the inbox from the stored id, 500 a page", async () => {
    const gmail = new ScriptedGmail(() => ({ historyId: "9007199254741000" }));
    await list(gmail, start);
    expect(gmail.asked[0]?.request).toMatchObject({
      startHistoryId: "9007199254740993",
      historyTypes: ["messageAdded"],
      labelId: "INBOX",
      maxResults: 500,
    });
  });

  test("a page without `history` holds nothing and moves the cursor on", async () => {
    const { refs, cursor = "" } = await list(new ScriptedGmail(() => ({ historyId: "9007199254741000" })), start);
    expect(refs).toEqual([]);
    expect(readCursor(cursor)).toEqual({
      historyId: "9007199254741000",
      completeAtSeconds: nowSeconds,
      recovered: false,
    });
  });

  test("P2: an answer that is a moment behind neither moves the cursor back nor counts as complete", async () => {
    const gmail = new ScriptedGmail(({ method }) => ({
      historyId: method === "history" ? "9007199254740992" : "9007199254740993",
    }));
    const { cursor = "", gap } = await list(gmail, start);
    expect(readCursor(cursor)).toEqual(readCursor(start));
    expect(gap).toBeUndefined();
    expect(gmail.asked.map(({ method }) => method)).toEqual(["history", "profile"]);
  });

  test("drafts, sent mail, chats, spam and what is not in the inbox are left out; a record without labels is kept", async () => {
    const history = [
      added("m1", ["INBOX", "UNREAD"]),
      added("m2", ["SENT"]),
      added("m3", ["INBOX", "DRAFT"]),
      added("m4", ["INBOX", "TRASH"]),
      added("m5", ["SPAM"]),
      added("m6", ["INBOX", "CHAT"]),
      added("m7"),
      { messages: [{ id: "m8" }] },
      added("no ref of ours!", ["INBOX"]),
    ];
    const { refs } = await list(new ScriptedGmail(() => ({ historyId: "9007199254741000", history })), start);
    expect(refs).toEqual(["m1", "m7"]);
  });

  test("P2: the cursor of a listing of several pages is the id its first page named", async () => {
    const gmail = new ScriptedGmail(({ request }) =>
      request["pageToken"] === "p2"
        ? { historyId: "9007199254749999", history: [added("m2", ["INBOX"])] }
        : { historyId: "9007199254741000", history: [added("m1", ["INBOX"])], nextPageToken: "p2" },
    );
    const first = await list(gmail, start);
    expect(first).toMatchObject({ refs: ["m1"] });
    expect(first.cursor).toBeUndefined();
    const last = await list(gmail, start, first.nextPage);
    expect(last.refs).toEqual(["m2"]);
    expect(readCursor(last.cursor ?? "").historyId).toBe("9007199254741000");
  });

  test("P2: a page token that is not taken any more (400) begins the listing anew", async () => {
    const gmail = new ScriptedGmail(({ request }) =>
      request["pageToken"] === undefined
        ? { historyId: "9007199254741000", history: [added("m1", ["INBOX"])] }
        : new ScoutsError("item_unreadable", { data: { status: 400 } }),
    );
    const page = JSON.stringify({ kind: "history", token: "old", target: "9007199254740999", startedAtSeconds: 1 });
    const { refs, cursor = "" } = await list(gmail, start, page);
    expect(refs).toEqual(["m1"]);
    expect(readCursor(cursor).historyId).toBe("9007199254741000");
  });

  test("a 400 on a first page is an error", async () => {
    const gmail = new ScriptedGmail(() => new ScoutsError("item_unreadable"));
    await expect(list(gmail, start)).rejects.toMatchObject({ code: "item_unreadable" });
    expect(gmail.asked).toHaveLength(1);
  });
});

describe("a history that is gone (404)", () => {
  const forgetful = (search: object = { messages: [{ id: "m1" }, { id: "m2" }] }) =>
    new ScriptedGmail(({ method }) => {
      if (method === "history") return gone;
      return method === "profile" ? { historyId: "9007199254745000" } : search;
    });

  test("P2: is searched for from the last complete moment, and what was searched is told as a gap", async () => {
    const gmail = forgetful();
    const { refs, cursor = "", gap } = await list(gmail, start);
    expect(refs).toEqual(["m1", "m2"]);
    const fromSeconds = nowSeconds - 600 - 300;
    expect(gmail.asked.at(-1)?.request["q"]).toBe(`in:inbox after:${fromSeconds}`);
    expect(gap).toEqual({ fromMs: fromSeconds * 1000, toMs: nowMs });
    expect(readCursor(cursor)).toEqual({
      historyId: "9007199254745000",
      completeAtSeconds: nowSeconds,
      recovered: true,
    });
  });

  test("P2: one of a mailbox that counts from lower ids by now is searched for too: it would say nothing until it is there", async () => {
    const gmail = new ScriptedGmail(({ method }) =>
      method === "search" ? { messages: [{ id: "m1" }] } : { historyId: "4711" },
    );
    const { refs, cursor = "", gap } = await list(gmail, start);
    expect(refs).toEqual(["m1"]);
    expect(gap).toEqual({ fromMs: (nowSeconds - 900) * 1000, toMs: nowMs });
    expect(readCursor(cursor)).toEqual({ historyId: "4711", completeAtSeconds: nowSeconds, recovered: true });
    const { cursor: next = "" } = await list(new ScriptedGmail(() => ({ historyId: "4712" })), cursor);
    expect(readCursor(next)).toMatchObject({ historyId: "4712", recovered: false });
  });

  test("the new position is taken before the search, so that nothing falls between the two", async () => {
    const gmail = forgetful();
    await list(gmail, start);
    expect(gmail.asked.map(({ method }) => method)).toEqual(["history", "profile", "search"]);
  });

  test("the search looks back thirty days at most", async () => {
    const gmail = forgetful();
    await list(gmail, writeCursor({ historyId: "1", completeAtSeconds: 0, recovered: false }));
    expect(gmail.asked.at(-1)?.request["q"]).toBe(`in:inbox after:${nowSeconds - 30 * 86_400}`);
  });

  test("P2: a search of several pages goes on where it was and ends at the position taken first", async () => {
    const first = await list(forgetful({ messages: [{ id: "m1" }], nextPageToken: "p2" }), start);
    expect(first.cursor).toBeUndefined();
    const gmail = forgetful({ messages: [{ id: "m2" }] });
    const last = await list(gmail, start, first.nextPage);
    expect(gmail.asked).toMatchObject([{ method: "search", request: { pageToken: "p2" } }]);
    expect(last.refs).toEqual(["m2"]);
    expect(readCursor(last.cursor ?? "").historyId).toBe("9007199254745000");
  });

  test("P2: a search whose page token is refused (400) begins anew and keeps its position", async () => {
    const first = await list(forgetful({ messages: [{ id: "m1" }], nextPageToken: "p2" }), start);
    const gmail = new ScriptedGmail(({ request }) =>
      request["pageToken"] ? new ScoutsError("item_unreadable") : { messages: [{ id: "m1" }, { id: "m2" }] },
    );
    const again = await list(gmail, start, first.nextPage);
    expect(again.refs).toEqual(["m1", "m2"]);
    expect(readCursor(again.cursor ?? "").historyId).toBe("9007199254745000");
  });

  const recoveredAgo = (seconds: number) =>
    writeCursor({ historyId: "1", completeAtSeconds: nowSeconds - seconds, recovered: true });

  test("lost again right after a search ends as an error, not in a loop", async () => {
    const gmail = forgetful();
    await expect(list(gmail, recoveredAgo(60))).rejects.toMatchObject({ code: "source_history_lost" });
    expect(gmail.asked).toHaveLength(1);
  });

  test("P2: lost again an hour after a search is searched for again, so that no scout stands still for good", async () => {
    const { refs } = await list(forgetful(), recoveredAgo(3600));
    expect(refs).toEqual(["m1", "m2"]);
  });

  test("a history read after a search makes the next loss a first one again", async () => {
    const { cursor = "" } = await list(new ScriptedGmail(() => ({ historyId: "5" })), recoveredAgo(60));
    expect(readCursor(cursor).recovered).toBe(false);
  });
});
