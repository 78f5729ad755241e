import { expect, onTestFinished, test } from "vitest";
import { severalCalled } from "../../device/errors/several-called.ts";
import { dismissedCalled, whenWritten } from "../../device/items/dismissed.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { json, serveLoopback } from "../../infra/standins/loopback-server.ts";

const [one, other] = ["sct_01JD0000000000000000000001", "sct_01JD0000000000000000000002"] as const;
const dismissed: Readonly<Record<string, readonly string[]>> = {
  [one]: ["abcd1111", "abcd2222"],
  [other]: ["abcd3333", "abcd1111"],
};

/** What is found of a home on which two scouts have dismissed the same mail. */
async function found(text: string): Promise<string | undefined> {
  const server = await serveLoopback(({ url }) => {
    const refs = dismissed[url.pathname.split("/").at(-2) ?? ""] ?? [];
    const rest = {
      reasonCode: "muted",
      confidence: 1,
      triagedAt: 1_795_000_000_000,
      trashedAt: null,
      keptBecause: null,
    };
    return json(200, { items: refs.map((ref) => ({ ref, ...rest })), nextCursor: null });
  });
  onTestFinished(() => server.close());
  const api = { apiUrl: server.url, auth: async () => "token" };
  const scouts = Object.keys(dismissed).map((id) => ({ id, name: id })) as unknown as ScoutResponse[];
  const item = await dismissedCalled(api, scouts, text);
  return item && `${item.scout.id}.${item.ref}`;
}

test("a ref that two scouts have dismissed is both, and none is taken silently; an id is one", async () => {
  const both = [`${one}.abcd1111`, `${other}.abcd1111`];
  await expect(found("abcd1111")).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining(both.join(", ")),
  });
  for (const id of both) expect(await found(id)).toBe(id);
  expect(await found("abcd2")).toBe(`${one}.abcd2222`);
  await expect(found("abcd")).rejects.toMatchObject({ code: "usage" });
});

test.each(["", "a", "abc", "sct"])("fewer than four characters name nothing, whatever there is: %j", async (text) => {
  expect(await found(text)).toBeUndefined();
});

test("where several things are called alike their ids are told, so that there is a way on", () => {
  const both = [`${one}.abcd1111`, `${other}.abcd1111`].map((id) => ({ id }));
  expect(severalCalled("dismissed items", "abcd1111", both)).toMatchObject({
    code: "usage",
    message: `Several dismissed items are called abcd1111; give the id of the one you mean: ${both.map(({ id }) => id).join(", ")}.`,
  });
  const many = Array.from({ length: 12 }, (_, index) => ({ id: `tsk_${index}`, title: `Answer ${index}` }));
  expect(severalCalled("tasks", "answer", many).message).toMatch(
    /: tsk_0 \(Answer 0\), .*tsk_9 \(Answer 9\) and 2 more\.$/,
  );
});

test("a dismissed item is as old as a proposal of it would be: as its sender says where that can be, else as its source does", () => {
  const day = 86_400_000;
  const judged = Date.parse("2026-11-28T00:00:00Z");
  const written = (at: { sentAt?: number; arrivedAt?: number }) => {
    const atSource = { sender: { name: "", address: "" }, subject: "", receivedAt: judged - day, ...at };
    return whenWritten({ triagedAt: judged, atSource });
  };
  expect(written({ sentAt: judged - 40 * day })).toBe(judged - 40 * day);
  expect(written({ sentAt: judged + day, arrivedAt: judged - 2 * day })).toBe(judged - 2 * day);
  expect(written({})).toBe(judged - day);
  expect(whenWritten({ triagedAt: judged, atSource: { code: "item_gone" } })).toBe(judged);
  expect(whenWritten({ triagedAt: judged })).toBe(judged);
});
