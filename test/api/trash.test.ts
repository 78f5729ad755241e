import { afterEach, describe, expect, test } from "vitest";
import { ScoutsError } from "../../events/errors.ts";
import type { ItemRef, ScoutId } from "../../events/ids.ts";
import type { Verdict } from "../../events/proposals/verdict.ts";
import type { TriageMessage } from "../../events/queues.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { systemAfter } from "../../shared/ports/clock.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { GmailArchive } from "../../shared/scouts/connectors/gmail/archive.ts";
import { GmailClient } from "../../shared/scouts/connectors/gmail/client.ts";
import { GmailCredentials } from "../../shared/scouts/connectors/gmail/credentials.ts";
import { readonlyScope } from "../../shared/scouts/connectors/gmail/oauth.ts";
import { mayTrash, type TrashPorts, trashSpam } from "../../shared/scouts/items/trash.ts";
import { SourceQuota } from "../../shared/scouts/quota/source-quota.ts";
import { newId } from "../memory/chance.ts";
import { cleanUp, message } from "../standins/mailbox-fixture.ts";
import { type ApiSetting, ada, apiSetting, ref, SentQueue } from "./setting.ts";

afterEach(cleanUp);

const verdict: Verdict = { verdict: "spam", reason: "", reasonCode: "marketing", confidence: 0.97 };
const threshold = 0.8;

interface TrashSetting extends ApiSetting {
  readonly scout: ApiSetting["scout"];
  readonly of: ScoutId;
  readonly again: SentQueue<TriageMessage>;
  readonly trash: TrashPorts;
}

/** A connected scout whose owner lets it move spam to Trash. */
async function trashSetting(): Promise<TrashSetting> {
  const setting = await apiSetting();
  const of = await setting.scout();
  await setting.connect(of, { autoTrash: true });
  const on = await setting.ask("PATCH", `/api/v1/scouts/${of}`, { body: { autoTrash: true } });
  expect(on.status).toBe(200);
  // Mail only arrives once somebody watches.
  await setting.connector.setupWatch({ userId: ada, scoutId: of });
  const again = new SentQueue<TriageMessage>();
  const { spam, connectors, clock, log } = setting.ports;
  const quota = new SourceQuota(setting.ledger, clock, () => 0.5);
  return Object.assign(setting, { of, again, trash: { spam, connectors, quota, triage: again, clock, log } });
}

/** Delivers a message and judges it as triage does, up to the point where it may be moved. */
async function judge(setting: TrashSetting, labels = ["INBOX", "UNREAD"], of: Partial<Verdict> = {}): Promise<ItemRef> {
  return judgeArrived(setting, setting.mailbox.deliver(message(`Offer ${newId()}`, "Buy"), labels), of);
}

async function judgeArrived(setting: TrashSetting, id: string, of: Partial<Verdict> = {}): Promise<ItemRef> {
  await setting.mailbox.whenAllArrived();
  return judgeAgain(setting, ref(id), of);
}

async function judgeAgain(setting: TrashSetting, id: ItemRef, of: Partial<Verdict> = {}): Promise<ItemRef> {
  const scout = await setting.ports.scouts.get(ada, setting.of);
  const content = await setting.connector.fetchContent(scout, id);
  const judged = { ...verdict, ...of };
  const trashIfStill = mayTrash(scout, judged, threshold) ? content.state : undefined;
  await setting.items.judge(
    { userId: ada, scoutId: setting.of, ref: id },
    {
      status: "spam",
      sourceType: "gmail",
      reasonCode: judged.reasonCode,
      confidence: judged.confidence,
      inputTokens: 1,
      outputTokens: 1,
      model: "m",
      promptVersion: "p@1",
      ...(trashIfStill === undefined ? {} : { trashIfStill }),
    },
    setting.nowMs,
  );
  return id;
}

async function trash(setting: TrashSetting, id: ItemRef): Promise<void> {
  const row = setting.row(setting.of, id);
  if (!row) throw new Error("not judged");
  await trashSpam(setting.trash, await setting.ports.scouts.get(ada, setting.of), row);
}

const spamOf = (setting: TrashSetting) => setting.ask("GET", `/api/v1/scouts/${setting.of}/spam`);
const restore = (setting: TrashSetting, id: ItemRef) =>
  setting.ask("POST", `/api/v1/scouts/${setting.of}/spam/${id}/restore`);

describe("P3: spam is moved to Trash where its owner allows it", () => {
  test("it is moved, dated and listed", async () => {
    const setting = await trashSetting();
    const id = await judge(setting);
    await trash(setting, id);
    expect(setting.mailbox.labelsOf(id)?.toSorted()).toEqual(["TRASH", "UNREAD"]);
    expect((await spamOf(setting)).body).toEqual({
      items: [
        {
          ref: id,
          reasonCode: "marketing",
          confidence: 0.97,
          triagedAt: setting.nowMs,
          trashedAt: setting.nowMs,
          keptBecause: null,
        },
      ],
      nextCursor: null,
    });
  });

  test("restoring takes it out of Trash, back into the inbox, and makes it a proposal of now; twice is once", async () => {
    const setting = await trashSetting();
    const id = await judge(setting);
    await trash(setting, id);
    setting.nowMs += 86_400_000;
    expect((await restore(setting, id)).status).toBe(204);
    expect(setting.mailbox.labelsOf(id)?.toSorted()).toEqual(["INBOX", "UNREAD"]);
    expect(setting.row(setting.of, id)).toMatchObject({ status: "queued", triagedAt: setting.nowMs });
    expect((await setting.items.openAfter(ada, {}, 9)).rows.map((row) => row.ref)).toEqual([id]);
    expect(setting.resent.map((row) => row.ref)).toEqual([id]);
    expect((await spamOf(setting)).body).toEqual({ items: [], nextCursor: null });
    expect((await restore(setting, id)).status).toBe(204);
    expect(setting.resent).toHaveLength(1);
  });

  test("P1: sender and subject come with the list when they are asked for, read at the source and written nowhere", async () => {
    const setting = await trashSetting();
    const dated = message("Offer of May", "Buy", "Date: Fri, 01 May 2026 10:00:00 +0200\r\n");
    const read = await judgeArrived(setting, setting.mailbox.deliver(dated, ["INBOX", "UNREAD"]));
    const gone = await judge(setting);
    setting.mailbox.remove(gone);
    const list = async (query: string) => {
      const { body } = await setting.ask("GET", `/api/v1/scouts/${setting.of}/spam${query}`);
      const { items } = body as { items: { ref: string; atSource?: object }[] };
      return new Map(items.map(({ ref: id, atSource }) => [id, atSource]));
    };
    expect(await list("")).toEqual(
      new Map([
        [read, undefined],
        [gone, undefined],
      ]),
    );
    expect(await list("?source=read")).toEqual(
      new Map<string, object>([
        [
          read,
          {
            sender: { name: expect.any(String), address: expect.stringContaining("@") },
            subject: expect.stringMatching(/^Offer /),
            receivedAt: expect.any(Number),
            sentAt: Date.parse("2026-05-01T08:00:00Z"),
          },
        ],
        [gone, { code: "item_gone" }],
      ]),
    );
    expect(JSON.stringify([...setting.ledger.dump(), ...setting.sessions.dump()])).not.toContain("Offer");
  });

  test("reading what was dismissed takes from the mailbox's quota, and leaves it to the scouts when it is spent", async () => {
    const setting = await trashSetting();
    const id = await judge(setting);
    const { quota } = setting.ports;
    const asked: number[] = [];
    quota.take = async (_scout, _limits, units) => {
      asked.push(units);
      return { granted: false, untilMs: 1 };
    };
    const { body } = await setting.ask("GET", `/api/v1/scouts/${setting.of}/spam?source=read`);
    expect(body).toMatchObject({ items: [{ ref: id, atSource: { code: "source_quota_spent" } }] });
    expect(asked).toEqual([setting.connector.limits.costs.read]);
  });

  test("the spam list is newest first and paged, and names what was kept as well", async () => {
    const setting = await trashSetting();
    const ids = [];
    for (let n = 0; n < 5; n += 1) {
      ids.push(await judge(setting, n === 2 ? ["INBOX", "STARRED"] : ["INBOX"]));
      setting.nowMs += 1000;
    }
    for (const id of ids) await trash(setting, id);
    const seen: unknown[] = [];
    let cursor = "";
    do {
      const { body } = await setting.ask("GET", `/api/v1/scouts/${setting.of}/spam?limit=2${cursor}`);
      const page = Object(body);
      seen.push(...page.items.map((each: { ref: string }) => each.ref));
      cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`;
    } while (cursor !== "");
    expect(seen).toEqual(ids.toReversed());
    expect(setting.row(setting.of, ids[2] ?? ref("x"))).toMatchObject({ trash: "kept", keptBecause: "starred" });
  });
});

describe("P3: and never", () => {
  async function staysPut(setting: TrashSetting, id: ItemRef, reason: string | undefined, labels: readonly string[]) {
    await trash(setting, id);
    expect(setting.mailbox.labelsOf(id)?.toSorted()).toEqual([...labels].sort());
    expect(setting.row(setting.of, id)?.keptBecause).toBe(reason);
    expect(setting.row(setting.of, id)?.trashedAt).toBeUndefined();
    expect(setting.again.sent).toEqual([]);
  }

  test.each([
    ["a starred message", ["INBOX", "STARRED"], "starred"],
    ["an important message", ["IMPORTANT", "INBOX"], "important"],
  ])("%s", async (_, labels, reason) => {
    const setting = await trashSetting();
    await staysPut(setting, await judge(setting, labels), reason, labels);
  });

  test("a message from a person the owner has written to, whatever the case of the address", async () => {
    const setting = await trashSetting();
    const sent = "From: ada@example.com\r\nTo: Bea <BEA@example.org>\r\nSubject: Hello\r\n\r\nHello\r\n";
    setting.mailbox.deliver(Buffer.from(sent), ["SENT"]);
    await staysPut(setting, await judge(setting), "correspondent", ["INBOX", "UNREAD"]);
  });

  test.each([
    ["nobody", ""],
    ["a name alone", "From: Bea\r\n"],
    ["an address that is a search", 'From: Bea <"a OR in:anywhere"@x.org>\r\n'],
    ["one sender who can be looked up and one who cannot", "From: c@example.org, <b x@y>\r\n"],
  ])("a message from %s, who cannot be looked up", async (_, from) => {
    const setting = await trashSetting();
    const id = setting.mailbox.deliver(Buffer.from(`${from}Subject: Offer\r\n\r\nBuy\r\n`), ["INBOX"]);
    await setting.mailbox.whenAllArrived();
    await staysPut(setting, await judgeAgain(setting, ref(id)), "sender_unknown", ["INBOX"]);
  });

  test.each([
    ["a sign-in code or security alert", { reasonCode: "account_or_security" as const }],
    ["a verdict below the threshold", { confidence: 0.79 }],
    ["a relevant message", { verdict: "relevant" as const }],
  ])("%s", async (_, of) => {
    const setting = await trashSetting();
    const before = setting.mailbox.requests("messages.get");
    await staysPut(setting, await judge(setting, ["INBOX"], of), undefined, ["INBOX"]);
    expect(setting.mailbox.requests("messages.get") - before, "the source is not even asked").toBe(1);
  });

  test("when its owner has switched it off since the verdict", async () => {
    const setting = await trashSetting();
    const id = await judge(setting, ["INBOX"]);
    await setting.ask("PATCH", `/api/v1/scouts/${setting.of}`, { body: { autoTrash: false } });
    await staysPut(setting, id, "switched_off", ["INBOX"]);
  });

  test("while it is off, which it is by default", async () => {
    const setting = await trashSetting();
    await setting.ask("PATCH", `/api/v1/scouts/${setting.of}`, { body: { autoTrash: false } });
    await staysPut(setting, await judge(setting, ["INBOX"]), undefined, ["INBOX"]);
  });

  test("when the grant was made narrower since", async () => {
    const setting = await trashSetting();
    const id = await judge(setting, ["INBOX"]);
    const { credentials } = setting.ports.gmail;
    credentials.scopes = async () => ["https://www.googleapis.com/auth/gmail.readonly"];
    await staysPut(setting, id, "not_granted", ["INBOX"]);
  });

  test("but a right granted elsewhere since is seen by a worker that has read with the old token", async () => {
    const setting = await trashSetting();
    const id = await judge(setting, ["INBOX"]);
    const { ledger, ports } = setting;
    const own = new GmailCredentials(ledger, ports.vault, ports.gmail.oauth, ports.clock, systemAfter);
    const client = new GmailClient(own, `${setting.mailbox.url}/`, ports.clock);
    const of = { userId: ada, scoutId: setting.of };
    const wide = ledger.peek(ledgerKey.vault(ada, setting.of));
    const narrow = setting.mailbox.grant([readonlyScope]);
    await ports.gmail.credentials.store(of, {
      accessToken: new Transient(narrow.accessToken),
      refreshToken: new Transient(narrow.refreshToken),
      expiresInSeconds: 3600,
      scopes: [readonlyScope],
    });
    const archive = new GmailArchive(client, own);
    await own.accessToken(of);
    expect(await archive.granted(of)).toBe(false);
    if (wide) await ledger.put(wide);
    expect(await archive.granted(of)).toBe(true);
    expect(await archive.archive(of, id, setting.row(setting.of, id)?.sourceState ?? "")).toBe("archived");
  });

  test("when labels changed between reading for the verdict and trashing", async () => {
    const setting = await trashSetting();
    setting.mailbox.faults.arm({ kind: "labelsChange", add: ["Label_7"] }, { method: "messages.get" });
    await staysPut(setting, await judge(setting, ["INBOX"]), "changed", ["INBOX", "Label_7"]);
    expect(setting.mailbox.requests("messages.trash")).toBe(0);
  });

  test("when it was read meanwhile", async () => {
    const setting = await trashSetting();
    const id = await judge(setting);
    setting.mailbox.changeLabels(id, { remove: ["UNREAD"] });
    await staysPut(setting, id, "changed", ["INBOX"]);
  });

  test("when labels change between the first look and the last, just before the call", async () => {
    const setting = await trashSetting();
    const id = await judge(setting, ["INBOX"]);
    setting.mailbox.faults.arm({ kind: "labelsChange", add: ["STARRED"] }, { method: "messages.get" });
    await staysPut(setting, id, "starred", ["INBOX", "STARRED"]);
    expect(setting.mailbox.requests("messages.trash")).toBe(0);
  });

  test("when it is starred in the instant between the last look and the call: it comes straight back", async () => {
    const setting = await trashSetting();
    const id = await judge(setting, ["INBOX"]);
    starAfterSecondLook(setting);
    await trash(setting, id);
    expect(setting.mailbox.requests("messages.trash")).toBe(1);
    expect(setting.mailbox.labelsOf(id)?.toSorted()).toEqual(["INBOX", "STARRED"]);
    expect(setting.row(setting.of, id)).toMatchObject({ trash: "kept", keptBecause: "changed" });
  });
});

/** Stars the message right after the second look at it from now on has been answered. */
function starAfterSecondLook({ mailbox }: TrashSetting): void {
  const before = mailbox.requests("messages.get");
  const take = mailbox.faults.take.bind(mailbox.faults);
  Object.assign(mailbox.faults, {
    take(...asked: Parameters<typeof take>) {
      const second = asked[0] === "labelsChange" && mailbox.requests("messages.get") - before === 2;
      return second ? { kind: "labelsChange", add: ["STARRED"] } : take(...asked);
    },
  });
}

describe("P2: what stops it half way", () => {
  test("a source that is rate limiting is asked again later, and the verdict stands meanwhile", async () => {
    const setting = await trashSetting();
    const id = await judge(setting);
    setting.mailbox.faults.arm({ kind: "tooManyRequests", retryAfterMs: 40_000, header: true });
    await trash(setting, id);
    expect(setting.row(setting.of, id)).toMatchObject({ status: "spam", trash: "due" });
    expect(setting.again.sent).toMatchObject([{ body: { ref: id } }]);
    expect(setting.again.sent[0]?.delaySeconds).toBeGreaterThanOrEqual(40);
    await trash(setting, id);
    expect(setting.mailbox.labelsOf(id)).toContain("TRASH");
  });

  test("one that never answers is given up after a day", async () => {
    const setting = await trashSetting();
    const id = await judge(setting, ["INBOX"]);
    setting.mailbox.faults.arm({ kind: "serverError" }, { times: Number.POSITIVE_INFINITY });
    await trash(setting, id);
    expect(setting.again.sent).toHaveLength(1);
    setting.nowMs += 86_400_001;
    await trash(setting, id);
    expect(setting.again.sent).toHaveLength(1);
    expect(setting.row(setting.of, id)).toMatchObject({ trash: "kept", keptBecause: "unavailable" });
  });

  test("a message that is gone is noted as gone; restoring it says so and changes nothing", async () => {
    const setting = await trashSetting();
    const id = await judge(setting);
    setting.mailbox.remove(id);
    await trash(setting, id);
    expect(setting.row(setting.of, id)).toMatchObject({ status: "spam", keptBecause: "gone" });
    expect(await restore(setting, id)).toMatchObject({ status: 404, code: "item_gone" });
    expect(setting.row(setting.of, id)).toMatchObject({ status: "spam" });
  });

  test("a worker that dies after its call is followed by one that sees the message in Trash, and dates it", async () => {
    const setting = await trashSetting();
    const id = await judge(setting);
    const { trashed } = setting.ports.spam;
    setting.ports.spam.trashed = async () => {
      throw new ScoutsError("storage_unavailable");
    };
    await trash(setting, id);
    expect(setting.row(setting.of, id)).toMatchObject({ trash: "due" });
    setting.ports.spam.trashed = trashed;
    await trash(setting, id);
    expect(setting.row(setting.of, id)).toMatchObject({ trash: "trashed", trashedAt: setting.nowMs });
    expect(setting.mailbox.requests("messages.trash")).toBe(1);
  });

  test("an item its owner restores while it is being moved ends in the inbox, as a proposal", async () => {
    const setting = await trashSetting();
    const id = await judge(setting, ["INBOX"]);
    const archive = setting.connector.archive;
    if (!archive) throw new Error("no archive");
    const move = archive.archive.bind(archive);
    archive.archive = async (...asked) => {
      expect((await restore(setting, id)).status).toBe(204);
      return move(...asked);
    };
    await trash(setting, id);
    expect(setting.mailbox.labelsOf(id)).toEqual(["INBOX"]);
    expect(setting.row(setting.of, id)).toMatchObject({ status: "queued" });
  });

  test("a restore that dies after the source has answered is ended by asking again", async () => {
    const setting = await trashSetting();
    const id = await judge(setting);
    await trash(setting, id);
    const restored = setting.ports.spam.restored.bind(setting.ports.spam);
    setting.ports.spam.restored = async () => {
      throw new ScoutsError("storage_unavailable");
    };
    expect(await restore(setting, id)).toMatchObject({ status: 503, code: "storage_unavailable" });
    expect(setting.row(setting.of, id)).toMatchObject({ status: "spam" });
    setting.ports.spam.restored = restored;
    expect((await restore(setting, id)).status).toBe(204);
    expect(setting.mailbox.labelsOf(id)?.toSorted()).toEqual(["INBOX", "UNREAD"]);
  });

  test.each(["messages.untrash", "messages.modify"] as const)(
    "a restore whose %s fails is ended by asking again: the message is in the inbox, and not beside it",
    async (method) => {
      const setting = await trashSetting();
      const id = await judge(setting);
      await trash(setting, id);
      setting.mailbox.faults.arm({ kind: "serverError" }, { method });
      expect(await restore(setting, id)).toMatchObject({ status: 503, code: "source_unavailable" });
      expect((await restore(setting, id)).status).toBe(204);
      expect(setting.mailbox.labelsOf(id)?.toSorted()).toEqual(["INBOX", "UNREAD"]);
    },
  );

  test("restoring what is not in Trash any more leaves its labels to the owner", async () => {
    const setting = await trashSetting();
    const id = await judge(setting, ["INBOX"]);
    await trash(setting, id);
    setting.mailbox.changeLabels(id, { add: ["Label_1"], remove: ["TRASH"] });
    expect((await restore(setting, id)).status).toBe(204);
    expect(setting.mailbox.labelsOf(id)).toEqual(["Label_1"]);
  });
});

test.each(["nonsense!", "unknown"])("restoring %s is refused by its code", async (id) => {
  const setting = await trashSetting();
  expect(await setting.ask("POST", `/api/v1/scouts/${setting.of}/spam/${id}/restore`)).toMatchObject({
    status: 404,
    code: "proposal_not_found",
  });
});

test("a shortcut that fails does not undo a restore: devices pull", async () => {
  const setting = await trashSetting();
  const id = await judge(setting);
  setting.ports.sender.sendAgain = async () => {
    throw new ScoutsError("internal");
  };
  expect((await restore(setting, id)).status).toBe(204);
  expect(setting.row(setting.of, id)).toMatchObject({ status: "queued" });
  expect(setting.logged).toContain("restored_proposal_not_sent");
});
