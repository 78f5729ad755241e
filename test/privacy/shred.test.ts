import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { localHome } from "../../device/connect/local-home.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { startKeyService } from "../../infra/local/world/key-service.ts";
import { ownFolder } from "../e2e/folders.ts";
import { writeMail } from "../e2e/mail.ts";
import { startProgram } from "../e2e/program.ts";
import { whole } from "../rounds.ts";
import { startContentModel } from "./content-model.ts";
import { frameId, type RawDevice } from "./raw-device.ts";
import { Canaries } from "./scan/canary.ts";
import { filesAtRest } from "./scan/cloud-files.ts";
import { storesAtRest } from "./scan/cloud-stores.ts";
import type { AtRest } from "./scan/scanner.ts";
import { busyScripts, busySession, greeted, sealedContent } from "./shred/busy-session.ts";
import { Gate } from "./shred/gate.ts";
import { keysLeft } from "./shred/keys-left.ts";
import { type Opened, openAll } from "./shred/open.ts";
import { bringToDeadLetters, letTimePass, objectsOf } from "./shred/operator.ts";

const timeoutMs = 240_000;

async function setting() {
  const folder = ownFolder();
  onTestFinished(() => folder.remove());
  const [dataFolder, mailboxPath] = [join(folder.path, "data"), join(folder.path, "mail")];
  mkdirSync(mailboxPath);
  writeMail(mailboxPath, [0]);
  const canaries = new Canaries();
  const gate = new Gate();
  const model = await startContentModel(busyScripts(canaries, gate));
  onTestFinished(() => model.close());
  onTestFinished(() => gate.open());
  const cloudFolder = join(dataFolder, "cloud");
  return {
    canaries,
    gate,
    model,
    dataFolder,
    mailboxPath,
    /** The home, in this process. */
    async start(): Promise<LocalSystem> {
      const { signal } = new AbortController();
      const system = await startSystem({
        ...systemTimeAndIds,
        dataFolder,
        mailboxPath,
        environment: model.environment,
        signal,
      });
      onTestFinished(async () => {
        gate.open();
        await system.stop();
      });
      return system;
    },
    /** What somebody has who copies the disks. */
    disks: () => Array.from(filesAtRest(cloudFolder)),
    /** What of a copy can be read with the keys that are in the stores and beside them. */
    async readable(copy: Iterable<AtRest>, { world, home }: LocalSystem): Promise<readonly Opened[]> {
      return openAll(copy, await keysLeft(dataFolder, world.kms, await storesAtRest(home)), canaries.all);
    },
  };
}

async function bye(device: RawDevice): Promise<void> {
  device.send({ type: "bye", id: frameId() });
  await device.next("accepted");
  await device.close();
}

/** What shows that the attack is one: while the session lives it reads everything, wherever that lies. */
function expectEverythingOf(opened: readonly Opened[], ...places: readonly RegExp[]): void {
  const labels = new Set(opened.map(({ label }) => label));
  expect(sealedContent.filter((label) => !labels.has(label))).toEqual([]);
  for (const place of places) expect(opened.map((each) => each.place)).toContainEqual(expect.stringMatching(place));
}

type Setting = Awaited<ReturnType<typeof setting>>;

/** Workers that hold the key in their memory finish what they have begun; then all of it is tried, copied before or after. */
async function expectNothingOf(
  { canaries, gate, dataFolder, disks, readable }: Setting,
  system: LocalSystem,
  sessionId: string,
  copy: readonly AtRest[],
): Promise<void> {
  gate.open();
  await system.home.whenIdle();
  const later = [...disks(), ...(await storesAtRest(system.home))];
  expect(await readable([...copy, ...later], system)).toEqual([]);

  await letTimePass(system.home, "ENDED#", sessionId);
  expect(await objectsOf(system.home, sessionId)).toEqual([]);

  await system.stop();
  const kms = await startKeyService(join(dataFolder, "world"));
  const left = await keysLeft(dataFolder, kms, disks()).finally(() => kms.close());
  expect(openAll(copy, left, canaries.all)).toEqual([]);
}

const ends: Record<string, (system: LocalSystem, device: RawDevice) => Promise<void>> = {
  "after the device has said bye": (_, device) => bye(device),
  "after its time is over, of which no $disconnect told": async ({ home }, device) =>
    letTimePass(home, "SESSION#", device.deviceId),
};

// Of a change the harder one below: the home is killed first.
test.skipIf(!whole).each(Object.entries(ends))(
  "P1: no stored blob of a session opens under any stored key: %s",
  async (_, end) => {
    const set = await setting();
    const system = await set.start();
    const { device, sessionId } = await busySession(system, set.canaries, set.gate);
    await bringToDeadLetters(system.home, set.disks());
    const copy = [...set.disks(), ...(await storesAtRest(system.home))];
    expectEverythingOf(
      await set.readable(copy, system),
      /^table Sessions, sealed$/,
      /^queue SummarizeDeadLetters, /,
      /^queue AgentDeadLetters, /,
      /^bucket Transit$/,
    );
    await end(system, device);
    await expectNothingOf(set, system, sessionId, copy);
  },
  timeoutMs,
);

test(
  "P1: no stored blob of a session opens under any stored key: after the home was killed, and the session ended on the next",
  async () => {
    const set = await setting();
    const { canaries, gate, disks } = set;
    const words = ["up", "--mailbox", set.mailboxPath, "--data", set.dataFolder];
    const killed = startProgram(words, set.model.environment);
    await killed.line(/^Listening on http/);
    const { device, sessionId } = await busySession({ api: localHome(set.dataFolder, Date.now) }, canaries, gate);
    killed.child.kill("SIGKILL");
    await killed.ended();
    const copy = disks();

    const system = await set.start();
    expectEverythingOf(await set.readable(copy, system), /^dynamodb\//, /^fauxqs\.db: s3_objects\./);
    const again = await greeted(system, device.deviceId);
    expect(again.sessionId).toBe(sessionId);
    await bye(again.device);
    await expectNothingOf(set, system, sessionId, copy);
  },
  timeoutMs,
);
