import { afterEach, describe, expect, it } from "vitest";
import {
  address,
  cleanUp,
  clientOf,
  failureOf,
  historyIds,
  message,
  openMailbox,
  topicName,
  watchAll,
} from "./mailbox-fixture.ts";

afterEach(cleanUp);

describe("the mailbox stand-in, through the real Gmail client", () => {
  it("holds mail back until the first watch, then gives each message a history record beyond 2^53", async () => {
    const mailbox = await openMailbox();
    const client = clientOf(mailbox);
    const ids = [mailbox.deliver(message("one")), mailbox.deliver(message("two"))];
    const before = await client.users.getProfile({ userId: "me" });
    expect(before.data).toMatchObject({ emailAddress: address, messagesTotal: 0 });
    expect(mailbox.pendingArrivals()).toBe(2);

    const start = await watchAll(mailbox, client);

    expect(mailbox.pendingArrivals()).toBe(0);
    expect(await historyIds(client, start)).toEqual(ids);
    const { data } = await client.users.history.list({ userId: "me", startHistoryId: start });
    expect(BigInt(data.historyId ?? "0")).toBeGreaterThan(2n ** 53n);
    const records = (data.history ?? []).map((record) => BigInt(record.id ?? "0"));
    expect(records).toEqual([...records].sort((a, b) => (a < b ? -1 : 1)));
    expect(data.history?.[0]?.messagesAdded?.[0]?.message?.labelIds).toEqual(["INBOX", "UNREAD"]);
  });

  it("pages history without loss or repetition, leaves out `history` when there is none", async () => {
    const mailbox = await openMailbox();
    const client = clientOf(mailbox);
    const ids = Array.from({ length: 25 }, (_, n) => mailbox.deliver(message(`m${n}`)));
    const start = await watchAll(mailbox, client);
    expect(await historyIds(client, start, 10)).toEqual(ids);
    const now = (await client.users.getProfile({ userId: "me" })).data.historyId ?? "";
    const { data } = await client.users.history.list({ userId: "me", startHistoryId: now });
    expect(data).toEqual({ historyId: now });
  });

  it("answers 404 to a start id it has forgotten and 400 to one that is missing or no number", async () => {
    const mailbox = await openMailbox();
    const client = clientOf(mailbox);
    mailbox.deliver(message("one"));
    const start = await watchAll(mailbox, client);
    mailbox.expireHistory();
    expect(await failureOf(client.users.history.list({ userId: "me", startHistoryId: start }))).toEqual({
      status: 404,
      reason: "notFound",
      message: "Requested entity was not found.",
    });
    expect(await failureOf(client.users.history.list({ userId: "me" }))).toEqual({
      status: 400,
      reason: "invalidArgument",
      message: "Missing/invalid parameter: startHistoryId",
    });
    expect(await failureOf(client.users.history.list({ userId: "me", startHistoryId: "x" }))).toMatchObject({
      status: 400,
    });
  });

  it("shows a message in full as Gmail does: decoded headers, UTF-8 bodies, part ids, attachments apart", async () => {
    const mailbox = await openMailbox();
    const client = clientOf(mailbox);
    const raw = [
      "Subject: =?iso-8859-1?Q?Gr=FC=DFe?=",
      'Content-Type: multipart/mixed; boundary="outer"',
      "",
      "--outer",
      'Content-Type: multipart/alternative; boundary="inner"',
      "",
      "--inner",
      "Content-Type: text/plain; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "Sch=F6ne Gr=FC=DFe & mehr",
      "--inner",
      "Content-Type: text/html; charset=utf-8",
      "",
      "<p>Hallo</p>",
      "--inner--",
      "--outer",
      'Content-Type: application/pdf; name="a.pdf"',
      "Content-Disposition: attachment; filename=a.pdf",
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from("%PDF-1.4 fake").toString("base64"),
      "--outer--",
      "",
    ].join("\r\n");
    const id = mailbox.deliver(Buffer.from(raw));
    await watchAll(mailbox, client);

    const { data } = await client.users.messages.get({ userId: "me", id });

    expect(data).toMatchObject({ id, threadId: id, labelIds: ["INBOX", "UNREAD"], snippet: "Schöne Grüße &amp; mehr" });
    expect(data.payload?.headers?.[0]).toEqual({ name: "Subject", value: "Grüße" });
    expect(data.payload).toMatchObject({ partId: "", mimeType: "multipart/mixed", filename: "", body: { size: 0 } });
    const [alternative, pdf] = data.payload?.parts ?? [];
    expect(alternative?.parts?.map((part) => [part.partId, part.mimeType])).toEqual([
      ["0.0", "text/plain"],
      ["0.1", "text/html"],
    ]);
    const text = alternative?.parts?.[0]?.body;
    expect(Buffer.from(text?.data ?? "", "base64url").toString()).toBe("Schöne Grüße & mehr");
    expect(pdf).toMatchObject({ partId: "1", filename: "a.pdf", body: { size: 13 } });
    expect(pdf?.body?.data).toBeUndefined();
    const attachment = await client.users.messages.attachments.get({
      userId: "me",
      messageId: id,
      id: pdf?.body?.attachmentId ?? "",
    });
    expect(Buffer.from(attachment.data.data ?? "", "base64url").toString()).toBe("%PDF-1.4 fake");
  });

  it("gives metadata with the headers asked for, raw bytes unchanged, and minimal without a payload", async () => {
    const mailbox = await openMailbox();
    const client = clientOf(mailbox);
    const raw = message("plain", "Body text");
    const id = mailbox.deliver(raw);
    await watchAll(mailbox, client);
    const get = (format: string, metadataHeaders: string[] = []) =>
      client.users.messages.get({ userId: "me", id, format, metadataHeaders });
    const metadata = (await get("metadata", ["Subject", "From"])).data;
    expect(metadata.payload?.headers).toEqual([
      { name: "From", value: "Bea <bea@example.org>" },
      { name: "Subject", value: "plain" },
    ]);
    expect(metadata.payload?.body).toBeUndefined();
    expect(Buffer.from((await get("raw")).data.raw ?? "", "base64url")).toEqual(raw);
    expect((await get("minimal")).data.payload).toBeUndefined();
    expect(await failureOf(get("bogus"))).toMatchObject({ status: 400 });
    const unknown = client.users.messages.get({ userId: "me", id: "1000000000000000" });
    expect(await failureOf(unknown)).toMatchObject({ status: 404 });
  });

  it("gives the fields that are asked for, as Google's partial responses do", async () => {
    const mailbox = await openMailbox();
    const client = clientOf(mailbox);
    const id = mailbox.deliver(message("some", "Body text"));
    await watchAll(mailbox, client);
    const get = async (fields: string) => (await client.users.messages.get({ userId: "me", id, fields })).data;
    expect(await get("id,payload(mimeType,body/size)")).toEqual({
      id,
      payload: { mimeType: "text/plain", body: { size: 11 } },
    });
    expect(Object.keys((await get("payload/headers/name")).payload?.headers?.[0] ?? {})).toEqual(["name"]);
    expect(await get("payload/body/*")).toMatchObject({ payload: { body: { data: expect.any(String) } } });
    for (const bad of ["payload(", "a b", "id,", ")", "a//b"]) {
      expect(await failureOf(get(bad)), bad).toMatchObject({ status: 400 });
    }
  });

  it("lists newest first with a query, in pages, without spam and trash unless asked", async () => {
    const mailbox = await openMailbox({ clock: () => Date.UTC(2026, 10, 20) });
    const client = clientOf(mailbox);
    const ids = Array.from({ length: 7 }, (_, n) => mailbox.deliver(message(`m${n}`)));
    const spam = mailbox.deliver(message("bad"), ["SPAM"]);
    const sent = mailbox.deliver(message("mine"), ["SENT"]);
    await watchAll(mailbox, client);
    const list = async (q: string, pageToken?: string) =>
      (await client.users.messages.list({ userId: "me", q, maxResults: 5, ...(pageToken ? { pageToken } : {}) })).data;
    const first = await list("in:inbox after:2026/11/19");
    const second = await list("in:inbox after:2026/11/19", first.nextPageToken ?? "");
    const all = [...(first.messages ?? []), ...(second.messages ?? [])].map((item) => item.id);
    expect(all).toEqual([...ids].reverse());
    expect(second.nextPageToken).toBeUndefined();
    expect((await list("in:inbox after:2026/11/21")).messages).toBeUndefined();
    expect((await list(`in:inbox before:${Date.UTC(2026, 10, 21) / 1000} newer_than:1d`)).messages).toHaveLength(5);
    expect((await list("in:spam")).messages?.map((item) => item.id)).toEqual([spam]);
    expect((await list("in:sent from:bea")).messages?.map((item) => item.id)).toEqual([sent]);
    expect((await list("subject:bad")).messages).toBeUndefined();
  });

  it("trashes, untrashes without putting the message back in the inbox, and records each change", async () => {
    const mailbox = await openMailbox();
    const client = clientOf(mailbox);
    const id = mailbox.deliver(message("one"));
    await watchAll(mailbox, client);
    const start = (await client.users.getProfile({ userId: "me" })).data.historyId ?? "";
    expect((await client.users.messages.trash({ userId: "me", id })).data.labelIds).toEqual(["UNREAD", "TRASH"]);
    expect((await client.users.messages.untrash({ userId: "me", id })).data.labelIds).toEqual(["UNREAD"]);
    const change = { addLabelIds: ["INBOX"], removeLabelIds: ["UNREAD"] };
    const modified = await client.users.messages.modify({ userId: "me", id, requestBody: change });
    expect(modified.data.labelIds).toEqual(["INBOX"]);
    await client.users.messages.batchModify({ userId: "me", requestBody: { ids: [id], addLabelIds: ["STARRED"] } });
    expect(mailbox.labelsOf(id)).toEqual(["INBOX", "STARRED"]);
    mailbox.remove(id);
    const { data } = await client.users.history.list({ userId: "me", startHistoryId: start });
    expect(data.history?.map((record) => Object.keys(record)[2])).toEqual([
      "labelsAdded",
      "labelsRemoved",
      "labelsRemoved",
      "labelsAdded",
      "labelsRemoved",
      "labelsAdded",
      "messagesDeleted",
    ]);
    expect(await failureOf(client.users.messages.get({ userId: "me", id }))).toMatchObject({ status: 404 });
  });

  it("answers a batch in order, each call with its own status, at most 100 of them", async () => {
    const mailbox = await openMailbox();
    const client = clientOf(mailbox);
    const id = mailbox.deliver(message("one"));
    await watchAll(mailbox, client);
    const { accessToken } = mailbox.grant(["https://www.googleapis.com/auth/gmail.readonly"]);
    const send = (paths: string[]) =>
      fetch(`${mailbox.url}/batch/gmail/v1`, {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}`, "content-type": "multipart/mixed; boundary=b1" },
        body: `${paths.map((path, n) => `--b1\r\nContent-Type: application/http\r\nContent-ID: <call-${n}>\r\n\r\nGET ${path}\r\n\r\n`).join("")}--b1--`,
      });
    const before = mailbox.requests("messages.get");
    const response = await send([
      `/gmail/v1/users/me/messages/${id}?format=minimal`,
      "/gmail/v1/users/me/messages/1fffffffffffffff",
      "/gmail/v1/users/me/profile",
    ]);
    const text = await response.text();
    expect(response.headers.get("content-type")).toMatch(/^multipart\/mixed; boundary=/);
    expect(text.match(/HTTP\/1\.1 \d+|response-call-\d/g)).toEqual([
      "response-call-0",
      "HTTP/1.1 200",
      "response-call-1",
      "HTTP/1.1 404",
      "response-call-2",
      "HTTP/1.1 200",
    ]);
    expect(mailbox.requests("messages.get") - before).toBe(2);
    expect((await send(Array.from({ length: 101 }, () => "/gmail/v1/users/me/profile"))).status).toBe(400);
    expect((await send(["nonsense and more"])).status).toBe(400);
  });

  it("charges quota units and refuses with Google's 403 until the minute is over", async () => {
    let now = 1_000_000;
    const mailbox = await openMailbox({ clock: () => now, limits: { unitsPerUserMinute: 141 } });
    const client = clientOf(mailbox);
    const id = mailbox.deliver(message("one"));
    await watchAll(mailbox, client);
    await client.users.messages.get({ userId: "me", id });
    await client.users.messages.get({ userId: "me", id });
    await client.users.getProfile({ userId: "me" });
    expect(await failureOf(client.users.getProfile({ userId: "me" }))).toEqual({
      status: 403,
      reason: "rateLimitExceeded",
      message: expect.stringContaining("Queries per minute per user"),
    });
    expect(mailbox.stats().quotaUnits).toBe(141);
    now += 60_000;
    await client.users.getProfile({ userId: "me" });
  });

  it("lets nobody in without a valid token, and readonly may not trash", async () => {
    let now = 1_000_000;
    const mailbox = await openMailbox({ clock: () => now });
    const client = clientOf(mailbox, "gmail.readonly");
    const id = mailbox.deliver(message("one"));
    await watchAll(mailbox, client);
    expect(await failureOf(client.users.messages.trash({ userId: "me", id }))).toEqual({
      status: 403,
      reason: "insufficientPermissions",
      message: "Request had insufficient authentication scopes.",
    });
    expect(await failureOf(client.users.getProfile({ userId: "eve@example.net" }))).toMatchObject({ status: 403 });
    now += 3_600_000;
    const expired = await fetch(`${mailbox.url}/gmail/v1/users/me/profile`, {
      headers: { authorization: "Bearer no" },
    });
    expect(expired.status).toBe(401);
    expect(await expired.json()).toMatchObject({ error: { code: 401, message: "Invalid Credentials" } });
    expect(await failureOf(client.users.getProfile({ userId: "me" }))).toMatchObject({ status: 401 });
  });

  it("allows one topic at a time until stop is called", async () => {
    const mailbox = await openMailbox({ clock: () => 5_000 });
    const client = clientOf(mailbox);
    const watch = (name: string) => client.users.watch({ userId: "me", requestBody: { topicName: name } });
    expect((await watch(topicName)).data.expiration).toBe(String(5_000 + 7 * 86_400_000));
    await watch(topicName);
    expect(await failureOf(watch("projects/other/topics/t"))).toEqual({
      status: 400,
      reason: "invalidArgument",
      message: "Only one user push notification client allowed per developer (call /stop then try again)",
    });
    expect((await client.users.stop({ userId: "me" })).status).toBe(204);
    await watch("projects/other/topics/t");
    expect(await failureOf(watch("nonsense"))).toMatchObject({ status: 400 });
  });

  it("announces at once, then at most once a second, and always the last change", async () => {
    const seen: string[] = [];
    const seconds: (() => void)[] = [];
    const mailbox = await openMailbox({
      push: ({ historyId }) => {
        seen.push(historyId);
      },
      after: (delayMs, work) => {
        if (delayMs === 1_000) seconds.push(work);
        return () => {};
      },
    });
    const client = clientOf(mailbox);
    const start = await watchAll(mailbox, client);
    for (let n = 0; n < 300; n++) mailbox.deliver(message(`m${n}`));
    await mailbox.whenAllArrived();
    expect(seen).toEqual([start]);
    const final = (await client.users.getProfile({ userId: "me" })).data.historyId;
    expect(seconds).toHaveLength(1);
    seconds[0]?.();
    expect(seen).toEqual([start, final]);
    // Nothing more to say a second later, and what comes then is said at once.
    seconds[1]?.();
    expect(seen).toHaveLength(2);
    mailbox.deliver(message("later"));
    await mailbox.whenAllArrived();
    expect(seen).toHaveLength(3);
  });
});
