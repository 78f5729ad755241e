import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { serverFrame } from "../../../events/frames/frames.ts";
import { socketLimits } from "../../../events/frames/limits.ts";
import { metadataBounds } from "../../../events/proposals/metadata.ts";
import { proposal as proposalSchema } from "../../../events/proposals/proposal.ts";
import { bareProposal, proposalFrame } from "../../../shared/devices/proposal-frame.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { type FoundMetadata, itemMetadata } from "../../../shared/scouts/connectors/metadata.ts";
import { type ItemRow, parseItemRow } from "../../../shared/scouts/items/item-row.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { item, newLedger, nowMs, relevant } from "../scouts/setting.ts";

async function judgedRow(ref: string): Promise<ItemRow> {
  const ledger = newLedger();
  await new ItemStore(ledger).judge(item(ref), relevant, nowMs);
  const row = ledger.dump().find(({ sk }) => sk.startsWith("ITEM#"));
  if (row === undefined) throw new Error("no row was written");
  return parseItemRow(row);
}

const known: FoundMetadata = {
  subject: "Offer for the roof",
  sender: { name: "Bea Lind", address: "bea@example.org" },
  snippet: "Good morning",
  receivedAtMs: nowMs,
  present: true,
  relation: "cc",
  automatic: false,
  sentAt: nowMs - 60_000,
  sentOffsetMinutes: -570,
  arrivedAt: nowMs - 50_000,
  threadRef: "18c0ffe0",
  attachments: [{ name: "offer.pdf", sizeBytes: 1_000 }],
  listId: "roofers.example.org",
  sourceLink: "https://mail.example/18c0ffe0",
};

/** As it goes to a device: JSON knows no `-0`. */
const sent = (frame: object) => JSON.parse(JSON.stringify(frame));
const overTheWire = (frame: object) => serverFrame.parse(sent(frame));

describe("a proposal says who, when, how and with what", () => {
  test("everything the source knows is in the frame, under the names of the protocol", async () => {
    const frame = overTheWire(proposalFrame(await judgedRow("m1"), itemMetadata(known), null));
    expect(frame).toMatchObject({
      proposal: {
        rawSubject: "Offer for the roof",
        metadata: {
          sender: { name: "Bea Lind", address: "bea@example.org" },
          sentAt: nowMs - 60_000,
          sentOffsetMinutes: -570,
          arrivedAt: nowMs - 50_000,
          relation: "cc",
          threadRef: "18c0ffe0",
          attachments: [{ name: "offer.pdf", sizeBytes: 1_000 }],
          listId: "roofers.example.org",
          automatic: false,
          sourceLink: "https://mail.example/18c0ffe0",
        },
      },
    });
  });

  test("what a source does not know is left out, and not made up", async () => {
    const { sentAt: _, sentOffsetMinutes: _5, arrivedAt: _0, threadRef: _1, ...some } = known;
    const { attachments: _2, listId: _3, sourceLink: _4, ...least } = some;
    const frame = overTheWire(proposalFrame(await judgedRow("m1"), itemMetadata(least), null));
    if (frame.type !== "scout_proposal") throw new Error(frame.type);
    expect(frame.proposal.metadata).toEqual({ sender: known.sender, relation: "cc", automatic: false });
  });

  test("a proposal whose source cannot be read, or that goes out bare, names nobody", async () => {
    const row = await judgedRow("m1");
    const whole = proposalFrame(row, itemMetadata(known), new Transient("why"));
    for (const frame of [proposalFrame(row, null, null), bareProposal(whole)]) {
      const { proposal } = frame;
      expect(proposal).toMatchObject({ rawSubject: null, rawSnippet: null, reason: null });
      expect(proposal).not.toHaveProperty("metadata");
      expect(overTheWire(frame)).toEqual(frame);
    }
  });

  test("P2: a device of an older home's proposals, and an older device of ours, lose nothing else", async () => {
    const { proposal } = proposalFrame(await judgedRow("m1"), itemMetadata(known), null);
    const { metadata: _, ...older } = proposal;
    expect(proposalSchema.parse(older)).toEqual(older);
    expect(proposalSchema.omit({ metadata: true }).parse(proposal)).toEqual(older);
    const newer = { ...proposal, metadata: { ...proposal.metadata, mood: "cheerful" }, later: 1 };
    expect(proposalSchema.parse(newer)).toEqual(proposal);
  });
});

test("P2: metadata that a newer home tells otherwise cost a proposal its metadata, and not itself", async () => {
  const { proposal } = proposalFrame(await judgedRow("m1"), itemMetadata(known), null);
  const { metadata, ...rest } = proposal;
  for (const newer of [
    { ...metadata, relation: "group" },
    { ...metadata, sender: "Bea" },
    { ...metadata, listId: "l".repeat(10_000) },
    null,
    [],
  ]) {
    expect(serverFrame.parse({ type: "scout_proposal", proposal: { ...rest, metadata: newer } })).toEqual({
      type: "scout_proposal",
      proposal: rest,
    });
  }
});

describe("P2: whatever a stranger has written, the frame fits and the device takes it", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.constantFrom("\u202egpj.exe", "\u0000\u001b[2J", "\ud800", "a".repeat(100_000), '"\\'.repeat(60_000), "\u2028"),
    fc.constantFrom("東".repeat(100_000), "\ufeff".repeat(3_000), "🌱".repeat(50_000), "x".repeat(140_000), ""),
  );
  const size = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(Number.NaN, -1, 1e300, Number.POSITIVE_INFINITY));
  const found: fc.Arbitrary<FoundMetadata> = fc.record({
    subject: text,
    sender: fc.record({ name: text, address: text }),
    snippet: text,
    receivedAtMs: fc.constant(nowMs),
    present: fc.constant(true),
    relation: fc.constantFrom("to", "cc", "list", "bulk", "unknown"),
    automatic: fc.boolean(),
    sentAt: fc.option(size, { nil: undefined }),
    sentOffsetMinutes: fc.option(size, { nil: undefined }),
    arrivedAt: fc.option(size, { nil: undefined }),
    threadRef: fc.option(text, { nil: undefined }),
    attachments: fc.option(fc.array(fc.record({ name: text, sizeBytes: size }), { maxLength: 60 }), { nil: undefined }),
    listId: fc.option(text, { nil: undefined }),
    sourceLink: fc.option(
      text.map((end) => `https://example.org/${end}`),
      { nil: undefined },
    ),
  });

  test("any metadata (property)", async () => {
    const row = await judgedRow("m1");
    fc.assert(
      fc.property(found, (each) => {
        const frame = proposalFrame(row, itemMetadata(each), new Transient("r".repeat(200)));
        expect(overTheWire(frame)).toEqual(sent(frame));
        expect(Buffer.byteLength(JSON.stringify(frame))).toBeLessThan(socketLimits.frameBytes);
      }),
      { numRuns: 300 },
    );
  });

  test("the longest of all, with 500 attachments, is one frame of 32 KB", async () => {
    const long = "東".repeat(100_000);
    const frame = proposalFrame(
      await judgedRow("r".repeat(128)),
      itemMetadata({
        ...known,
        subject: long,
        sender: { name: long, address: long },
        snippet: long,
        threadRef: "t".repeat(metadataBounds.threadRef),
        listId: long,
        attachments: Array.from({ length: 500 }, () => ({ name: long, sizeBytes: Number.MAX_SAFE_INTEGER })),
        sourceLink: `https://example.org/${"a".repeat(1_980)}`,
      }),
      new Transient("東".repeat(200)),
    );
    const bytes = Buffer.byteLength(JSON.stringify(frame));
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(socketLimits.frameBytes);
    const { attachments } = frame.proposal.metadata ?? {};
    expect(attachments).toHaveLength(metadataBounds.attachments);
    expect(attachments?.at(-1)).toEqual({ name: "… and 481 more", sizeBytes: Number.MAX_SAFE_INTEGER });
    expect(overTheWire(frame)).toEqual(frame);
  });
});
