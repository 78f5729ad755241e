import { expect, test } from "vitest";
import { ScoutsError } from "../../../../events/errors.ts";
import { itemRef, scoutId, userId } from "../../../../events/ids.ts";
import { GatheredReads } from "../../../../shared/scouts/connectors/gmail/reading/gathered-reads.ts";

const refs = ["1a", "2b", "3c"].map((ref) => itemRef.parse(ref));
const [first, second, third] = refs as [(typeof refs)[0], (typeof refs)[0], (typeof refs)[0]];

const scoutOf = (address: string) => ({
  userId: userId.parse(`usr_${"a".repeat(26)}`),
  scoutId: scoutId.parse(`sct_1${"B".repeat(25)}`),
  address,
});
const scout = scoutOf("one");

/** Notes what is asked for; a message is its ref. */
function reader(answerOf: (ref: string) => ScoutsError | undefined = () => undefined, whole?: ScoutsError) {
  const asked: string[] = [];
  const reads = new GatheredReads(
    async (of, ref) => {
      asked.push(`${of.address} ${ref}`);
      return { id: ref };
    },
    async (of, many) => {
      asked.push(`${of.address} ${many.join("+")}`);
      if (whole) throw whole;
      return many.map((ref) => answerOf(ref) ?? { id: ref });
    },
  );
  return { asked, reads };
}

test("what is asked for in one turn goes in one request, each answer to whom it belongs", async () => {
  const { asked, reads } = reader();
  const messages = await Promise.all(refs.map((ref) => reads.read(scout, ref)));
  expect(messages).toEqual(refs.map((id) => ({ id })));
  expect(asked).toEqual([`one ${refs.join("+")}`]);
});

test("a read that is asked for alone goes alone, and the next turn begins anew", async () => {
  const { asked, reads } = reader();
  for (const ref of refs) await reads.read(scout, ref);
  expect(asked).toEqual(refs.map((ref) => `one ${ref}`));
});

test("each mailbox is asked for its own", async () => {
  const { asked, reads } = reader();
  await Promise.all([reads.read(scout, first), reads.read(scoutOf("two"), second), reads.read(scout, third)]);
  expect(asked).toEqual([`one ${first}+${third}`, `two ${second}`]);
});

test("a message that cannot be read fails its own read alone", async () => {
  const gone = new ScoutsError("item_gone");
  const { asked, reads } = reader((ref) => (ref === second ? gone : undefined));
  const settled = await Promise.allSettled(refs.map((ref) => reads.read(scout, ref)));
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(settled[1]).toMatchObject({ reason: gone });
  expect(asked).toHaveLength(1);
});

test("an answer that breaks off for all has each read alone", async () => {
  const { asked, reads } = reader(undefined, new ScoutsError("source_unavailable"));
  expect(await Promise.all(refs.map((ref) => reads.read(scout, ref)))).toEqual(refs.map((id) => ({ id })));
  expect(asked).toEqual([`one ${refs.join("+")}`, ...refs.map((ref) => `one ${ref}`)]);
});

test("what no single read would mend fails all, and nothing is asked twice", async () => {
  const { asked, reads } = reader(undefined, new ScoutsError("source_rate_limited"));
  const settled = await Promise.allSettled(refs.map((ref) => reads.read(scout, ref)));
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(asked).toHaveLength(1);
});
