import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ErrorCode } from "../../events/error-kinds.ts";
import { isScoutsError } from "../../events/errors.ts";
import { type ItemRef, itemRef } from "../../events/ids.ts";
import { metadataBounds } from "../../events/proposals/metadata.ts";
import { outcomeOf } from "../../shared/outcome/outcome.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import type {
  Gap,
  Listing,
  Position,
  ScoutAtSource,
  SourceConnector,
} from "../../shared/scouts/connectors/connector.ts";
import { lookOnce } from "./look.ts";

/** A connector on a source that is really there (a stand-in speaking the source's protocol), and hands on that source. */
export interface ConnectorUnderTest {
  readonly connector: SourceConnector;
  /** Connected: `currentCursor` may be asked. The source holds items already. */
  readonly scout: ScoutAtSource;
  /** Puts new items at the source, each with one of the texts in its title and its body. */
  publish(texts: readonly string[]): Promise<void>;
  /** Takes the item with this text away from the source. */
  remove(text: string): Promise<void>;
  /** Ways the source can fail the next request, each with what the connector must make of it. */
  readonly failures: readonly SourceFailure[];
  /** Ways the source asks for patience; none where nothing of it is limited, or nobody can have it say so on this wire. */
  readonly limits: readonly SourceLimit[];
  /** Ways the source can break off so that a part of it looks like all of it; each strikes until it is disarmed. */
  readonly breaksOff?: readonly Omit<SourceFailure, "code">[];
  /** Which of these its source tells of an item. */
  readonly tells: { readonly sentAt: boolean; readonly threadRef: boolean; readonly sourceLink: boolean };
  /** The connector as the next execution has it: on the same rows, with nothing remembered. */
  restarted(): SourceConnector;
  /** Puts two items of one conversation at the source; absent where there are no conversations. */
  publishThread?(first: string, second: string): Promise<void>;
  /** Has an item say something else; absent where items do not change. */
  update?(text: string, now: string): Promise<void>;
  /** Makes the source forget how far anybody has read; absent where nothing does. */
  forgetPlaces?(): Promise<void>;
  /** Of a source that is connected by settings: those of this one, and of another one that is there as well. */
  readonly settings?: {
    readonly given: object;
    readonly elsewhere: object;
    readonly malformed: readonly object[];
    /** With a secret that the source does not take. */
    readonly refused?: object;
  };
  /** Everything the connector has written anywhere: rows, files. */
  atRest(): Promise<string>;
  close(): Promise<void>;
}

/** Ends what was armed. */
export type Armed = () => void | Promise<void>;

export interface SourceFailure {
  readonly name: string;
  readonly code: ErrorCode;
  /** Strikes every request until the returned function is called. */
  arm(): Armed | Promise<Armed>;
}

/** A way the source has to say "not now", with its own words on the wire. */
export interface SourceLimit {
  readonly name: string;
  /** How long it is left alone then: as long as it says, or as the connector has it where it says nothing. */
  readonly waitMs: { readonly atLeast: number; readonly atMost: number };
  /** Strikes every request until the returned function is called. */
  arm(): Armed | Promise<Armed>;
}

/** More items than the engine's batches of 10 and, where a source has pages of 500, more than one page. */
const many = 510;
const codesOfSources = /^(source_\w+|item_\w+|reauth|consent_incomplete)$/;

/** What connector.ts promises, held against any connector. */
export function connectorContract(name: string, make: () => Promise<ConnectorUnderTest>): void {
  describe(`connector: ${name}`, () => {
    let made: ConnectorUnderTest;
    let serial = 0;
    const words: string[] = [];
    beforeAll(async () => {
      made = await make();
    });
    afterAll(() => made.close());

    /** Texts nobody else uses, remembered as content that must not turn up outside of a Transient. */
    function fresh(count: number): string[] {
      const texts = Array.from({ length: count }, (_, index) => `Quokka${serial + index}x`);
      serial += count;
      words.push(...texts);
      return texts;
    }
    const here = async (): Promise<Position> => ({ cursor: await made.connector.currentCursor(made.scout) });
    const listFrom = (position: Position) => listAll(made.connector, made.scout, position);
    const textsOf = async (refs: Iterable<ItemRef>) =>
      Promise.all([...refs].map(async (ref) => (await made.connector.fetchMetadata(made.scout, ref)).subject.reveal()));

    /** One published item and its ref. */
    async function publishOne(): Promise<{ text: string; ref: ItemRef; before: Position }> {
      const before = await here();
      const [text = ""] = fresh(1);
      await made.publish([text]);
      const { refs } = await listFrom(before);
      const [ref] = refs;
      if (ref === undefined || refs.size !== 1) throw new Error(`one item was published, ${refs.size} were listed`);
      return { text, ref, before };
    }

    it("names its source as rows and frames spell it", () => {
      expect(made.connector.sourceType).toMatch(/^[a-z][a-z0-9_-]{0,31}$/);
    });

    it("what the source held when the scout was connected is not new", async () => {
      expect((await listFrom(await here())).refs.size).toBe(0);
    });

    it("P2: every item published is listed, however many pages it takes", async () => {
      const before = await here();
      const texts = fresh(many);
      await made.publish(texts);
      const { refs } = await listFrom(before);
      expect(refs.size).toBe(many);
      const subjects = new Set(await textsOf([...refs].slice(0, 3)));
      expect([...subjects].filter((subject) => texts.includes(subject))).toHaveLength(3);
    }, 240_000);

    it("P2: listing again from the same position gives at least the same", async () => {
      const { before, ref } = await publishOne();
      const [later = ""] = fresh(1);
      await made.publish([later]);
      const again = await listFrom(before);
      expect(again.refs).toContain(ref);
      expect(await textsOf(again.refs)).toContain(later);
    });

    it("the last page's cursor leaves what was listed behind, and nothing else", async () => {
      const { before, ref } = await publishOne();
      const { cursor } = await listFrom(before);
      expect((await listFrom({ cursor })).refs).not.toContain(ref);
      const [next = ""] = fresh(1);
      await made.publish([next]);
      const after = await listFrom({ cursor });
      expect(await textsOf(after.refs)).toEqual([next]);
      // Moving on through cursors, whatever was behind stays behind.
      expect((await listFrom({ cursor: after.cursor })).refs.size).toBe(0);
    });

    it("an item keeps its ref", async () => {
      const { before, ref } = await publishOne();
      expect((await listFrom(before)).refs).toEqual(new Set([ref]));
    });

    it("refs fit a row's key and, like positions, carry no content (P1)", async () => {
      const before = await here();
      const texts = fresh(3);
      await made.publish(texts);
      const { refs, cursor, pages } = await listFrom(before);
      for (const ref of refs) expect(itemRef.safeParse(ref).error).toBeUndefined();
      const kept = [...refs, cursor, before.cursor, ...pages].join("\n");
      for (const form of texts.flatMap(writtenForms)) expect(kept).not.toContain(form);
    });

    it("metadata and content are the item's, and Transient (P1)", async () => {
      const { text, ref } = await publishOne();
      const metadata = await made.connector.fetchMetadata(made.scout, ref);
      const content = await made.connector.fetchContent(made.scout, ref);
      expect(metadata.subject.reveal()).toBe(text);
      expect(content.subject.reveal()).toBe(text);
      expect(content.text.reveal()).toContain(text);
      expect(content.present && metadata.present).toBe(true);
      expect(Math.abs(content.receivedAtMs - Date.now())).toBeLessThan(86_400_000);
      const { subject, sender, snippet, attachments, listId, sourceLink, header } = content;
      const texts = [subject, sender, snippet, attachments, listId, sourceLink, header, content.text, metadata.sender];
      for (const value of texts) {
        if (value !== undefined) expect(value).toBeInstanceOf(Transient);
      }
      expect(() => JSON.stringify(content)).toThrow(TypeError);
      expect(inspect(content, { depth: 9 })).not.toContain(text);
    });

    it("metadata are one line of bounded length each, whatever the source holds", async () => {
      const before = await here();
      const [word = ""] = fresh(1);
      await made.publish([`${word} ${"\u{1f331} very long".repeat(14_000)}`]);
      const [ref] = (await listFrom(before)).refs;
      if (ref === undefined) throw new Error("the oversize item was not listed");
      for (const read of [
        await made.connector.fetchMetadata(made.scout, ref),
        await made.connector.fetchContent(made.scout, ref),
      ]) {
        for (const [text, most] of [
          [read.subject.reveal(), metadataBounds.subject],
          [read.snippet.reveal(), metadataBounds.snippet],
          [read.sender.reveal().name, metadataBounds.senderName],
        ] as const) {
          expect(text.length).toBeLessThanOrEqual(most);
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toMatch(/[\r\n]/);
        }
        expect(read.subject.reveal()).toMatch(new RegExp(`^${word}.*…$`, "u"));
      }
    });

    it("an item taken away at the source is item_gone", async () => {
      const { text, ref } = await publishOne();
      await made.remove(text);
      expect(await codeOf(made.connector.fetchMetadata(made.scout, ref))).toBe("item_gone");
      expect(await codeOf(made.connector.fetchContent(made.scout, ref))).toBe("item_gone");
    });

    it("reading many says of each what reading it alone says, in the order asked for", async () => {
      const there = await publishOne();
      const gone = await publishOne();
      await made.remove(gone.text);
      const many = made.connector.fetchMetadataMany?.(made.scout, [there.ref, gone.ref, there.ref]);
      if (many === undefined) return;
      const [first, second, third] = await many;
      for (const read of [first, third]) {
        if (read === undefined || read instanceof Error) throw new TypeError("The item was not read");
        expect(read.subject.reveal()).toBe(there.text);
        expect(read.present).toBe(true);
      }
      expect(second).toMatchObject({ code: "item_gone" });
    });

    it("every failure of the source is a ScoutsError with a code of its own and no word of the source's (P1)", async () => {
      const { before, ref } = await publishOne();
      expect(made.failures.length).toBeGreaterThan(0);
      for (const failure of made.failures) {
        const disarm = await failure.arm();
        try {
          expect(failure.code).toMatch(codesOfSources);
          expect(await codeOf(made.connector.listNew(made.scout, before)), failure.name).toBe(failure.code);
        } finally {
          await disarm();
        }
      }
      // And once it has passed, nothing was lost.
      expect((await listFrom(before)).refs).toContain(ref);
    });

    it("a source that asks for patience gets it, its owner is told, and nothing is lost", async () => {
      const { before, ref } = await publishOne();
      for (const { name, waitMs, arm } of made.limits) {
        const disarm = await arm();
        try {
          const connector = made.restarted();
          const looked = await lookOnce(connector, made.scout, before.cursor);
          expect(looked, name).toMatchObject({ state: "failing", code: "source_rate_limited", queued: 0 });
          expect(looked.line, name).toContain("is rate limiting us");
          expect(looked.waitMs, name).toBeGreaterThanOrEqual(waitMs.atLeast);
          expect(looked.waitMs, name).toBeLessThanOrEqual(waitMs.atMost);
          const read = await connector.fetchContent(made.scout, ref).catch((error: unknown) => error);
          expect(outcomeOf(read, 0), `${name}: reading an item`).toMatchObject({ kind: "defer" });
          for (const word of words) expect(inspect(read), name).not.toContain(word);
        } finally {
          await disarm();
        }
        const after = await lookOnce(made.restarted(), made.scout, before.cursor);
        expect(after, `${name}, afterwards`).toMatchObject({ state: "watching", line: "" });
        expect(after.queued, `${name}, afterwards`).toBeGreaterThan(0);
      }
    });

    it("P2: what could not be read to its end is not gone", async () => {
      const { ref, text } = await publishOne();
      for (const { name, arm } of [...made.failures, ...(made.breaksOff ?? [])]) {
        const disarm = await arm();
        try {
          const codes = [
            await codeOf(made.connector.fetchMetadata(made.scout, ref)),
            await codeOf(made.connector.fetchContent(made.scout, ref)),
          ];
          expect(codes, name).not.toContain("item_gone");
        } finally {
          await disarm();
        }
      }
      expect((await made.connector.fetchContent(made.scout, ref)).subject.reveal()).toBe(text);
    });

    it("P2: a connector that begins anew at every call lists and reads the same", async () => {
      const before = await here();
      const texts = fresh(3);
      await made.publish(texts);
      const refs = new Set<ItemRef>();
      for (let page: string | undefined, asked = 0; asked === 0 || page !== undefined; asked += 1) {
        const position = page === undefined ? before : { cursor: before.cursor, page };
        const listing = await made.restarted().listNew(made.scout, position);
        for (const ref of listing.refs) refs.add(ref);
        page = listing.nextPage;
      }
      expect(refs).toEqual((await listFrom(before)).refs);
      const read = [...refs].map(async (ref) =>
        (await made.restarted().fetchContent(made.scout, ref)).subject.reveal(),
      );
      expect(new Set(await Promise.all(read))).toEqual(new Set(texts));
    });

    it("P2: where the source has forgotten the place, nothing is lost or new twice, and the gap is told once", async () => {
      if (made.forgetPlaces === undefined) return;
      const { before, ref } = await publishOne();
      await made.forgetPlaces();
      const again = await listFrom(before);
      expect(again.refs).toContain(ref);
      expect(again.gap).toBeDefined();
      expect(again.gap?.fromMs).toBeLessThanOrEqual(again.gap?.toMs ?? 0);
      const after = await listFrom({ cursor: again.cursor });
      expect(after.gap).toBeUndefined();
      expect(after.refs).not.toContain(ref);
    });

    it("an item that is changed at the source stays the same item, and is read as it is now", async () => {
      if (made.update === undefined) return;
      const { text, ref, before } = await publishOne();
      const [now = ""] = fresh(1);
      await made.update(text, now);
      expect((await listFrom(before)).refs).toEqual(new Set([ref]));
      expect((await made.connector.fetchContent(made.scout, ref)).subject.reveal()).toBe(now);
    });

    it("tells when an item was sent, of which conversation it is, and where it can be opened, as far as its source does", async () => {
      const { ref, text } = await publishOne();
      const { sentAt, threadRef, sourceLink } = await made.connector.fetchMetadata(made.scout, ref);
      const told = {
        sentAt: sentAt !== undefined,
        threadRef: threadRef !== undefined,
        sourceLink: sourceLink !== undefined,
      };
      expect(told).toEqual(made.tells);
      if (sentAt !== undefined) expect(Math.abs(sentAt - Date.now())).toBeLessThan(86_400_000);
      if (sourceLink) expect(new URL(sourceLink.reveal()).protocol).toMatch(/^https?:$/);
      for (const form of writtenForms(text)) expect(threadRef ?? "").not.toContain(form);
    });

    it("items of one conversation have its ref, and others another", async () => {
      if (made.publishThread === undefined) return;
      const other = await publishOne();
      const before = await here();
      const [first = "", second = ""] = fresh(2);
      await made.publishThread(first, second);
      const threads = [];
      for (const ref of (await listFrom(before)).refs) {
        threads.push((await made.connector.fetchMetadata(made.scout, ref)).threadRef);
      }
      expect(threads).toHaveLength(2);
      expect(new Set(threads).size).toBe(1);
      expect(threads[0]).toBeDefined();
      expect((await made.connector.fetchMetadata(made.scout, other.ref)).threadRef).not.toBe(threads[0]);
    });

    it("what it costs is counted in whole units, of which a minute has enough for the dearest call", () => {
      const { limits } = made.connector;
      if (limits === undefined) return;
      const costs = Object.values(limits.costs);
      for (const cost of costs) expect(Number.isInteger(cost) && cost >= 0).toBe(true);
      expect(limits.costs.list * limits.costs.read).toBeGreaterThan(0);
      expect(Math.max(...costs)).toBeLessThanOrEqual(limits.unitsPerMinute);
    });

    it("a secret that the source does not take is what was typed wrong, and no access that was withdrawn", async () => {
      const { settings } = made.connector;
      const refused = made.settings?.refused;
      if (settings === undefined || refused === undefined) return;
      const given = settings.schema.parse(refused);
      expect(await codeOf(settings.verify(made.scout, new Transient({ given })))).toBe("source_credentials_refused");
    });

    it("a scout that is not there is refused with a code", async () => {
      const nobody = { ...made.scout, scoutId: `${made.scout.scoutId.slice(0, -1)}0` } as ScoutAtSource;
      const { cursor } = await here();
      const code = await codeOf(made.connector.listNew(nobody, { cursor }));
      expect(["source_not_connected", "scout_not_found"]).toContain(code);
    });

    it("a watch can be set up twice and stopped twice; a source without push says so", async () => {
      const first = await made.connector.setupWatch(made.scout);
      const second = await made.connector.setupWatch(made.scout);
      if (first) expect(first.expiresAtMs).toBeGreaterThan(Date.now());
      expect(second === undefined).toBe(first === undefined);
      expect(made.connector.pollOnly === true).toBe(first === undefined);
      if (first && second) expect(second.expiresAtMs).toBeGreaterThanOrEqual(first.expiresAtMs);
      await made.connector.stopWatch(made.scout);
      await made.connector.stopWatch(made.scout);
    });

    it("says what it sees, in a line of bounded length that is content (P1)", async () => {
      const { place, folders, items, unread } = await made.connector.sees(made.scout);
      expect(place).toBeInstanceOf(Transient);
      expect(place.reveal()).toMatch(/^[^\r\n]+$/);
      expect(place.reveal().length).toBeLessThanOrEqual(metadataBounds.place);
      expect(folders).toBeInstanceOf(Transient);
      for (const folder of folders.reveal()) {
        expect(folder).toMatch(/^[^\r\n]+$/);
        expect(folder.length).toBeLessThanOrEqual(metadataBounds.place);
      }
      for (const count of [items, unread]) {
        if (count !== undefined) expect(Number.isInteger(count) && count >= 0).toBe(true);
      }
    });

    it("settings that are not of its form are refused before anything is reached", () => {
      const { schema, secrets } = made.connector.settings ?? { schema: undefined, secrets: [] };
      expect(schema !== undefined).toBe(made.settings !== undefined);
      for (const wrong of made.settings?.malformed ?? []) expect(schema?.safeParse(wrong).success).toBe(false);
      for (const secret of secrets) expect(Object.keys(schema?.shape ?? {})).toContain(secret);
    });

    it("settings lead to one source and no other, whoever verifies them how often; what is found there keeps its ref", async () => {
      const { settings } = made.connector;
      if (settings === undefined || made.settings === undefined) return;
      const { given, elsewhere } = made.settings;
      const verify = async (values: object, own?: Readonly<Record<string, string>>) =>
        settings.verify(made.scout, new Transient({ given: settings.schema.parse(values), ...(own && { own }) }));
      const first = await verify(given);
      const again = await verify(given, first.own?.reveal());
      expect(again.identity.reveal()).toBe(first.identity.reveal());
      expect(again.own?.reveal()).toEqual(first.own?.reveal());
      expect((await verify(elsewhere)).identity.reveal()).not.toBe(first.identity.reveal());
      expect(first.sees.place).toBeInstanceOf(Transient);
      for (const secret of settings.secrets) {
        expect(first.identity.reveal()).not.toContain(String(Reflect.get(given, secret)));
      }
    });

    it("P1: of all that was read, nothing is kept", async () => {
      const { ref } = await publishOne();
      await made.connector.fetchContent(made.scout, ref);
      const kept = await made.atRest();
      expect(kept).not.toBe("");
      for (const form of words.flatMap(writtenForms)) expect(kept).not.toContain(form);
    });
  });
}

interface Listed {
  readonly refs: Set<ItemRef>;
  readonly cursor: string;
  readonly pages: readonly string[];
  readonly gap: Gap | undefined;
}

/** Reads every page as the engine does. */
async function listAll(connector: SourceConnector, scout: ScoutAtSource, from: Position): Promise<Listed> {
  const refs = new Set<ItemRef>();
  const pages: string[] = [];
  let page: string | undefined;
  let gap: Gap | undefined;
  for (;;) {
    const listing: Listing = await connector.listNew(scout, page === undefined ? from : { cursor: from.cursor, page });
    for (const ref of listing.refs) refs.add(ref);
    page = listing.nextPage;
    gap = listing.gap ?? gap;
    if (page === undefined) return { refs, cursor: listing.cursor ?? from.cursor, pages, gap };
    pages.push(page);
  }
}

/** The code a call fails with; anything but a ScoutsError fails the test. */
async function codeOf(call: Promise<unknown>): Promise<ErrorCode | "no failure"> {
  try {
    await call;
    return "no failure";
  } catch (error) {
    if (!isScoutsError(error)) throw error;
    return error.code;
  }
}

/** A text as it would be found in what is written down. */
function writtenForms(text: string): string[] {
  const bytes = Buffer.from(text);
  return [text, bytes.toString("hex"), bytes.toString("base64url")];
}
