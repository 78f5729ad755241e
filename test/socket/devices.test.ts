import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { Device } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { joinProposalId } from "../../events/ids.ts";
import { Screen } from "../device/screen.ts";
import { quick } from "../rounds.ts";
import { visitAsOwner } from "../standins/owner.ts";
import { type DeliveryHome, startDeliveryHome } from "./home.ts";

const timeoutMs = 240_000;
const dayMs = 86_400_000;
let home: DeliveryHome;
beforeAll(async () => {
  home = await startDeliveryHome();
}, timeoutMs);
afterAll(() => home.close(), timeoutMs);

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "scouts-devices-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function deviceIn(dataFolder: string, api: CloudApi) {
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  const device = new Device({ ...systemPorts, ...api, store });
  onTestFinished(async () => {
    await device.close();
    store.close();
  });
  return { device, store };
}

/** One command line in this process; the browser it asks for follows the issuer's redirects. */
async function scouts(...words: string[]) {
  const stdout = new Screen();
  const stderr = new (class extends Screen {
    override _write(chunk: Buffer, encoding: string, done: () => void): void {
      super._write(chunk, encoding, done);
      const page = /^Sign in at (\S+)/.exec(chunk.toString())?.[1];
      if (page !== undefined) void visitAsOwner(page, home.system.world.ownerSecret);
    }
  })();
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: tmpdir(), ...systemTimeAndIds };
  const code = await runCommand(words, context, "1");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

const login = (data: string) =>
  scouts(
    ...["login", "--no-browser", "--data", data, "--api", home.system.home.apiUrl],
    ...["--issuer", home.system.world.issuer.url, "--client-id", "scouts-cli"],
  );
test(
  "scouts login, scouts connect: another device of the same person on the home, by its issuer and nothing else",
  async () => {
    const person = await home.person("owner");
    await home.propose(person, home.deliver(3));
    const data = folder();
    expect(await login(data)).toMatchObject({ code: 0 });
    const connected = await scouts("connect", "--once", "--json", "--data", data);
    expect(connected, connected.stderr).toMatchObject({ code: 0 });
    const told = connected.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(told.filter(({ event }) => event === "proposal").length).toBeGreaterThanOrEqual(3);

    // The home's own commands speak to the home one is signed in to.
    const listed = await scouts("list", "--json", "--data", data);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id: home.owner.scoutId, paused: true }]);

    const known = JSON.parse((await scouts("devices", "--json", "--data", data)).stdout);
    expect(known.pairing).toMatchObject({ isAnywhere: true });
    expect(known.devices.map(({ isThisOne }: { isThisOne: boolean }) => isThisOne)).toContain(true);
    const shown = await scouts("devices", "--data", data);
    expect(shown.stdout).toContain("To make another machine a second device, run there:");
  },
  timeoutMs,
);

test.skipIf(quick)(
  "scouts doctor: a home that runs here or that one is signed in to is asked for its health, its clock and a socket",
  async () => {
    const data = folder();
    await login(data);
    await scouts("connect", "--once", "--data", data);
    for (const place of [home.dataFolder, data]) {
      const { code, stdout, stderr } = await scouts("doctor", "--json", "--data", place);
      const checks: { name: string; state: string }[] = JSON.parse(stdout).checks;
      const found = checks.filter(({ name }) => ["home", "clock", "socket"].includes(name));
      expect(
        found.map(({ name, state }) => `${name} ${state}`),
        stderr,
      ).toEqual(["home ok", "clock ok", "socket ok"]);
      expect(code).toBe(0);
    }
    const unreachable = await scouts("doctor", "--json", "--api", "http://127.0.0.1:9", "--data", folder());
    expect(unreachable.code).toBe(6);
    expect(JSON.parse(unreachable.stdout).checks).toContainEqual(
      expect.objectContaining({ name: "home", state: "fail" }),
    );
    const apart = await scouts("doctor", "--json", "--api", home.system.home.apiUrl, "--data", folder());
    expect(apart.code).toBe(0);
  },
  timeoutMs,
);

test(
  "P2: a device that was away for a week gets what it missed once; what it had is not told again",
  async () => {
    const zoe = await home.person("zoe");
    const refs = home.deliver(4);
    const missed = refs.splice(1);
    await home.propose(zoe, refs, Date.now() - 8 * dayMs);
    const { device, store } = deviceIn(folder(), zoe.api);
    const told: (string | null)[] = [];
    device.events.on("proposal", ({ rawSubject }) => told.push(rawSubject));
    device.connect();
    await device.settled();
    expect(told).toHaveLength(1);
    await device.close({ keepSession: true });

    for (const [day, ref] of missed.entries()) await home.propose(zoe, [ref], Date.now() - (7 - day) * dayMs);
    device.connect();
    await device.settled();
    expect(told).toHaveLength(4);
    expect(new Set(told).size).toBe(4);
    expect(store.proposals.counts()).toMatchObject({ pending: 4 });
  },
  timeoutMs,
);

test(
  "a decision on one device closes the proposal on the others: at once where they are connected, else when they return",
  async () => {
    const max = await home.person("max");
    const refs = home.deliver(2);
    await home.propose(max, refs);
    const [a, b, away] = [deviceIn(folder(), max.api), deviceIn(folder(), max.api), deviceIn(folder(), max.api)];
    for (const { device } of [a, b, away]) {
      device.connect();
      await device.settled();
    }
    await away.device.close();
    const [id, other] = refs.map((ref) => joinProposalId(max.scoutId, ref));
    const closed = once(b.device.events, "closed");
    if (id) a.device.decide(id, "approved");
    expect(await closed).toMatchObject([{ id, closedReason: "resolved_elsewhere", status: "expired" }]);
    await a.device.settled();

    // A fourth device is not offered what is decided.
    const fourth = deviceIn(folder(), max.api);
    fourth.device.connect();
    await fourth.device.settled();
    expect(fourth.store.proposals.list().map((stored) => stored.id)).toEqual([other]);
    expect(a.store.proposals.list().length).toBe(2);

    // The one that was away finds out although nobody told it: here it has been away for long.
    away.store.identity.update({ seenAt: Date.now() - dayMs });
    away.device.connect();
    await away.device.settled();
    expect(id && away.store.proposals.find(id)).toMatchObject({
      status: "expired",
      closedReason: "resolved_elsewhere",
    });
    expect(away.store.proposals.counts()).toMatchObject({ pending: 1, expired: 1 });
  },
  timeoutMs,
);
