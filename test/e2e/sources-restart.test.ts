import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { summaryOf } from "../../cli/up/shown/summary.ts";
import type { LocalSystem } from "../../cli/up/system.ts";
import { listScouts } from "../../device/connect/list-scouts.ts";
import { addSource } from "../../device/sources/add-source.ts";
import { removeScout } from "../../device/sources/remove-source.ts";
import { subjectOf, upTo, writeMail } from "./mail.ts";
import { drainedSystemOn, questionsOfDrain, settingWith, systemOn } from "./setting.ts";

const timeoutMs = 240_000;
const never = new AbortController().signal;

const subjects = ({ store }: LocalSystem, scoutId: string) =>
  store.proposals
    .list()
    .filter((each) => each.scoutId === scoutId)
    .map(({ rawSubject }) => rawSubject)
    .sort();

test(
  "a home that is started again knows the mailboxes that were added, finds what came meanwhile, and leaves out what was removed",
  async () => {
    const setting = await settingWith(upTo(1));
    const places = ["letters", "bills"].map((name) => join(setting.mailFolder, "..", name));
    for (const [index, place] of places.entries()) {
      mkdirSync(place);
      writeMail(place, [10 * (index + 3)]);
    }
    const first = await drainedSystemOn(setting);
    const consent = { deviceId: first.store.identity.get().deviceId, openConsent: async () => {}, signal: never };
    const added: string[] = [];
    for (const path of places) {
      const { scoutId } = await addSource(
        first.api,
        { source: "mailbox", purpose: "What is asked of me", settings: { path } },
        consent,
      );
      added.push(scoutId);
    }
    await first.home.whenIdle(never);
    await first.device.settled();
    await removeScout(first.api, first.scoutId);
    expect((await listScouts(first.api)).map(({ name }) => name)).toEqual(["letters", "bills"]);
    await first.stop();

    writeMail(places[0] ?? "", [60]);
    const second = await drainedSystemOn(setting);
    expect(second.isRemoved).toBe(true);
    expect((await listScouts(second.api)).map(({ name, id }) => [name, id])).toEqual([
      ["letters", added[0]],
      ["bills", added[1]],
    ]);
    await second.home.whenIdle(never);
    await second.device.settled();
    expect(subjects(second, added[0] ?? "")).toEqual([subjectOf(30), subjectOf(60)].sort());
    expect(subjects(second, added[1] ?? "")).toEqual([subjectOf(40)]);
    // The person may have it back, by saying so.
    const again = await addSource(
      second.api,
      { source: "gmail", purpose: "What is asked of me" },
      { ...consent, openConsent: async (url) => void (await followed(second, url)) },
    );
    await second.stop();
    const third = await systemOn(setting);
    expect([third.isRemoved, third.scoutId]).toEqual([false, again.scoutId]);
    // What had come before it was added again is none of its mail: nobody waits for that.
    expect(await questionsOfDrain(third)).toBe(0);
    const { messages, failed, notLookedAt } = summaryOf(third, await third.counter.count(), 0, 0);
    expect({ messages, failed, notLookedAt }).toEqual({ messages: 0, failed: 0, notLookedAt: { before: 1 } });
    writeMail(setting.mailFolder, [70]);
    await third.world.mailbox.rescan();
    await questionsOfDrain(third);
    expect(subjects(third, again.scoutId)).toEqual([subjectOf(70)]);
  },
  timeoutMs,
);

/** The home's own page of consent, as its owner's browser follows it. */
async function followed({ world }: LocalSystem, url: string): Promise<void> {
  await (await fetch(url, { headers: { authorization: `Bearer ${world.ownerSecret}` } })).arrayBuffer();
}
