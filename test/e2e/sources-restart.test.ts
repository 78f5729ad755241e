import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { drain } from "../../cli/up/drain.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { listScouts } from "../../device/connect/list-scouts.ts";
import { addSource } from "../../device/sources/add-source.ts";
import { removeScout } from "../../device/sources/remove-source.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { subjectOf, upTo, writeMail } from "./mail.ts";
import { type Setting, settingWith } from "./setting.ts";

const timeoutMs = 240_000;
const never = new AbortController().signal;

async function start({ mailFolder, dataFolder, model }: Setting): Promise<LocalSystem> {
  const system = await startSystem({
    ...systemTimeAndIds,
    dataFolder,
    mailboxPath: mailFolder,
    environment: { ...model.environment },
    signal: never,
  });
  onTestFinished(() => system.stop());
  await drain(system, never);
  return system;
}

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
    const first = await start(setting);
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
    const second = await start(setting);
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
    const third = await start(setting);
    expect([third.isRemoved, third.scoutId]).toEqual([false, again.scoutId]);
  },
  timeoutMs,
);

/** The home's own page of consent, as its owner's browser follows it. */
async function followed({ world }: LocalSystem, url: string): Promise<void> {
  await (await fetch(url, { headers: { authorization: `Bearer ${world.ownerSecret}` } })).arrayBuffer();
}
