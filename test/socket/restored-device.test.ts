import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Device } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { joinProposalId } from "../../events/ids.ts";
import { type DeliveryHome, startDeliveryHome } from "./home.ts";

const timeoutMs = 240_000;
let home: DeliveryHome;
beforeAll(async () => {
  home = await startDeliveryHome();
}, timeoutMs);
afterAll(() => home.close(), timeoutMs);

test(
  "P2: a device whose database was restored from a backup has what it had been given since, each once",
  async () => {
    const person = await home.person("restorer");
    const dataFolder = mkdtempSync(path.join(tmpdir(), "scouts-restored-"));
    onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
    const held = async () => {
      const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
      const device = new Device({ ...systemPorts, ...person.api, store });
      device.connect();
      await device.settled();
      await device.close();
      const ids = store.proposals.list().map(({ id }) => id);
      store.close();
      return ids.toSorted();
    };
    const proposed: string[] = [];
    const propose = async (count: number) => {
      const refs = home.deliver(count);
      await home.propose(person, refs);
      proposed.push(...refs.map((ref) => joinProposalId(person.scoutId, ref)));
    };
    const database = path.join(dataFolder, "device", "device.sqlite");
    const backup = path.join(dataFolder, "backup.sqlite");

    await propose(2);
    expect(await held()).toEqual(proposed.toSorted());
    copyFileSync(database, backup);
    await propose(3);
    expect(await held()).toEqual(proposed.toSorted());

    copyFileSync(backup, database);
    expect(await held()).toEqual(proposed.toSorted());
    expect(await held()).toEqual(proposed.toSorted());
  },
  timeoutMs,
);
