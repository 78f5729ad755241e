import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type ScoutId, scoutId } from "../../../events/ids.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import type { Item, Page } from "../../../shared/ports/table.ts";
import { type KeyRingContent, keyRingOf, newestOnly, withNewKey } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { resealAll, resealVault } from "../../../shared/scouts/lifecycle/reseal.ts";
import { sealingContext } from "../../../shared/scouts/scout-row.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ada } from "./setting.ts";

const first: KeyRingContent = { keys: [{ kid: "k1", key: randomBytes(32).toString("base64") }] };
const second = withNewKey(first, "k2", randomBytes(32));
const sealerOf = (content: KeyRingContent) => new RingSealer(keyRingOf(content));
const scoutNo = (n: number): ScoutId => scoutId.parse(`sct_01KE5Q8600ESE4NYY1EVXDNQ${String(n).padStart(2, "0")}`);

/** A Ledger of scouts whose texts are sealed under the first key, given out in pages of two rows. */
async function sealedLedger(scouts: number) {
  const ledger = new MemoryTable();
  const sealer = sealerOf(first);
  for (let n = 0; n < scouts; n += 1) {
    const of = { userId: ada, scoutId: scoutNo(n) };
    const seal = (what: "profile" | "settings" | "vault") =>
      sealer.seal(new Transient(`${what} ${n}`), sealingContext(of, what));
    const settings = n % 2 === 0 ? { sealedSettings: await seal("settings") } : {};
    await ledger.put({ ...ledgerKey.scout(ada, of.scoutId), sealed: await seal("profile"), ...settings });
    await ledger.put({ ...ledgerKey.vault(ada, of.scoutId), sealed: await seal("vault") });
  }
  await ledger.put({ ...ledgerKey.mailbox("m"), scouts: {} });
  const scan = async (start?: Item): Promise<Page> => {
    const all = [...ledger.dump()].sort((a, b) => (a.pk + a.sk < b.pk + b.sk ? -1 : 1));
    const from = start ? all.findIndex(({ pk, sk }) => pk === start.pk && sk === start.sk) + 1 : 0;
    const items = all.slice(from, from + 2);
    const last = items.at(-1);
    return last && from + 2 < all.length ? { items, next: last } : { items };
  };
  return { ledger, rows: { scan } };
}

/** Everything that is sealed, opened with a ring. */
async function opened(ledger: MemoryTable, content: KeyRingContent): Promise<string[]> {
  const sealer = sealerOf(content);
  const texts: string[] = [];
  for (const item of ledger.dump()) {
    const of = { userId: ada, scoutId: item.sk.slice(item.sk.indexOf("#") + 1) };
    const parts = item.sk.startsWith("VAULT#")
      ? ([["vault", "sealed"]] as const)
      : ([
          ["profile", "sealed"],
          ["settings", "sealedSettings"],
        ] as const);
    for (const [what, attribute] of parts) {
      const sealed = item[attribute];
      if (typeof sealed === "string") texts.push((await sealer.open(sealed, sealingContext(of, what))).reveal());
    }
  }
  return texts.sort();
}

test("after rotation, resealing and removal of the old key everything still opens, and with the old key nothing does", async () => {
  const { ledger, rows } = await sealedLedger(3);
  const before = await opened(ledger, first);
  expect(before).toHaveLength(8);
  const done = await resealAll({ ledger, rows, sealer: sealerOf(second) });
  expect(done).toEqual({ seen: 8, resealed: 8, moved: 0, unreadable: 0 });
  expect(await opened(ledger, newestOnly(second))).toEqual(before);
  await expect(opened(ledger, first)).rejects.toMatchObject({ code: "sealing_key_unknown" });
  expect(await resealAll({ ledger, rows, sealer: sealerOf(second) })).toMatchObject({ seen: 8, resealed: 0 });
});

test("before it, what is old opens and what is new is sealed under the newest key", async () => {
  const { ledger } = await sealedLedger(1);
  expect(await opened(ledger, second)).toHaveLength(3);
  const sealed = await sealerOf(second).seal(new Transient("new"), ["x"]);
  await expect(sealerOf(first).open(sealed, ["x"])).rejects.toMatchObject({ code: "sealing_key_unknown" });
  expect([sealerOf(second).isCurrent(sealed), sealerOf(first).isCurrent(sealed)]).toEqual([true, false]);
});

test("it is resumed from the cursor of any page, and from the beginning without harm", async () => {
  const { ledger, rows } = await sealedLedger(3);
  const before = await opened(ledger, first);
  const sealer = sealerOf(second);
  const { next } = await resealVault({ ledger, rows, sealer });
  expect(next).toBeDefined();
  await resealVault({ ledger, rows, sealer }, next);
  await resealAll({ ledger, rows, sealer });
  expect(await opened(ledger, newestOnly(second))).toEqual(before);
});

test("P2: a token that is refreshed meanwhile is not overwritten, and is said to have moved", async () => {
  const { ledger, rows } = await sealedLedger(1);
  const update = ledger.update.bind(ledger);
  const key = ledgerKey.vault(ada, scoutNo(0));
  const of = { userId: ada, scoutId: scoutNo(0) };
  const refreshed = await sealerOf(first).seal(new Transient("refreshed"), sealingContext(of, "vault"));
  let once = true;
  ledger.update = async (...asked: Parameters<typeof update>) => {
    if (once && asked[0].sk === key.sk) await ledger.put({ ...key, sealed: refreshed });
    once &&= asked[0].sk !== key.sk;
    return update(...asked);
  };
  const sealer = sealerOf(second);
  expect(await resealAll({ ledger, rows, sealer })).toMatchObject({ resealed: 2, moved: 1 });
  expect(ledger.peek(key)).toMatchObject({ sealed: refreshed });
  expect(await resealAll({ ledger, rows, sealer })).toMatchObject({ resealed: 1, moved: 0 });
  expect(await opened(ledger, newestOnly(second))).toContain("refreshed");
});

test("what no key opens is counted and left as it is", async () => {
  const { ledger, rows } = await sealedLedger(1);
  const key = ledgerKey.vault(ada, scoutNo(0));
  for (const sealed of ["", "nonsense", "a.b.c.d", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiazkifQ.a.b.c"]) {
    await ledger.put({ ...key, sealed });
    const done = await resealAll({ ledger, rows, sealer: sealerOf(second) });
    expect(done).toMatchObject({ unreadable: 1 });
    expect(ledger.peek(key)).toMatchObject({ sealed });
  }
});

test("a ring takes no second key of the same name", () => {
  expect(() => withNewKey(second, "k1", randomBytes(32))).toThrow(
    expect.objectContaining({ code: "configuration_invalid" }),
  );
  expect(keyRingOf(second).newest.kid).toBe("k2");
});
