import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "../../device/connection/clock.ts";
import { Device } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { makeLaunch } from "../../device/console/entrance/launch-codes.ts";
import { consoleFolder } from "../../device/console/presence.ts";
import { type ServedConsole, serveConsole } from "../../device/console/serve.ts";
import type { ScanNow } from "../../device/folders/indexer/rescans.ts";
import { type DeviceStore, openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import type { ProjectId } from "../../events/ids.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";
import { FakeCloud, makeProposal } from "../device/fake-cloud.ts";

export const scoutId = makeProposal(1).scoutId;

/** A scout as the home lists it. */
export const inbox = {
  id: scoutId,
  sourceType: "gmail",
  name: "Inbox",
  purpose: "",
  connected: true,
  paused: false,
  autoTrash: false,
  mutedSenders: 0,
  pauseAfterDays: 30,
  schedule: null,
  disabledCode: null,
  disabledAt: null,
  failing: null,
  restingSince: null,
  createdAt: 1,
  lastRunAt: 2,
  nextRunAt: 3,
} satisfies ScoutResponse;

export interface Dismissed {
  readonly ref: string;
  readonly subject: string;
}

export interface ConsoleHome {
  readonly cloud: FakeCloud;
  readonly store: DeviceStore;
  readonly device: Device;
  readonly served: ServedConsole;
  readonly port: number;
  readonly restored: string[];
  /** Folders that were to be scanned, and why. */
  readonly scanned: string[];
  /** Emits `end`, as a scan of this process does, and `progress` with its project and how far it is. */
  readonly scans: EventEmitter;
  /** What this process says it scans. */
  readonly scanning: Map<ProjectId, ScanNow>;
  readonly problems: unknown[];
  /** The code of a launch, as `scouts console` makes it. */
  code(): string;
  /** A token, as a tab gets it. */
  token(): Promise<string>;
  /** A request of a tab. */
  ask(method: string, path: string, options?: { token?: string; body?: unknown }): Promise<Response>;
  /** What arrives now. */
  deliver(...proposals: Proposal[]): void;
  close(): Promise<void>;
}

export interface HomeOptions {
  /** What the cloud has, and the device is told. */
  readonly proposals?: readonly Proposal[];
  /** What the device holds already. */
  readonly held?: readonly Proposal[];
  readonly scouts?: readonly ScoutResponse[];
  readonly dismissed?: readonly Dismissed[];
  readonly text?: (ref: string) => string;
  readonly clock?: Clock;
  /** Settles when the mail that lies there has been read. */
  readonly mailRead?: Promise<unknown>;
}

/** The header of every item. */
const itemHeader = {
  fields: [
    { name: "Return-Path", value: "<bounce@elsewhere.example>" },
    { name: "From", value: '"<b>Bank</b>" <ada@example.org>' },
  ],
  leftOut: 3,
};

/** Scans of nothing. */
export const noRescans = {
  rescanInBackground: () => {},
  onScan: () => () => {},
  onProgress: () => () => {},
  scanOf: () => undefined,
  cancel: () => false,
};

/** A program as it stands behind a console. */
export const program = { version: "1", environment: {}, newId: systemTimeAndIds.newId, zone: () => "Europe/Berlin" };

/** A console on a device that is connected to a cloud with some proposals. It is its user's to close. */
export async function openConsole({
  proposals = [makeProposal(1), makeProposal(2)],
  held = [],
  scouts = [inbox],
  dismissed = [],
  text = (ref) => `The whole text of ${ref}`,
  clock = systemClock,
  mailRead,
}: HomeOptions = {}): Promise<ConsoleHome> {
  const cloud = new FakeCloud();
  await cloud.start();
  cloud.proposals.push(...proposals);
  const restored: string[] = [];
  cloud.onRequest = (path, _, response) => answerHome(path, response, { scouts, dismissed, restored });
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_item_request") return "default";
    const { id: inReplyTo, proposalId } = frame;
    const item = {
      subject: "Subject",
      sender: "Ada <ada@example.org>",
      header: itemHeader,
      part: 1,
      parts: 1,
      text: text(proposalId),
    };
    connection.send({ type: "scout_item", inReplyTo, proposalId, ...item });
    return "handled";
  };
  const dataFolder = mkdtempSync(join(tmpdir(), "scouts-console-"));
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder, now: () => clock.now() });
  for (let at = 0; at < held.length; at += 200) store.proposals.add(held.slice(at, at + 200));
  const backoff = { baseMs: 4, capMs: 20 };
  const device = new Device({ ...systemPorts, apiUrl: cloud.url, auth: async () => "token", store, backoff });
  device.connect();
  await device.settled();
  const problems: unknown[] = [];
  const api = { apiUrl: cloud.url, auth: async () => "token" };
  const scanned: string[] = [];
  const scans = new EventEmitter();
  const scanning = new Map<ProjectId, ScanNow>();
  const served = await serveConsole({
    ...{ device, store, api, clock, program, mailRead },
    rescans: {
      rescanInBackground: (id, cause) => void scanned.push(`${id} ${cause}`),
      onScan: (listener) => {
        scans.on("end", listener);
        return () => scans.off("end", listener);
      },
      onProgress: (listener) => {
        scans.on("progress", listener);
        return () => scans.off("progress", listener);
      },
      scanOf: (id) => scanning.get(id),
      cancel: (id) => scanning.delete(id),
    },
    fetchPage: async () => ({ status: 200, type: "text/plain", body: Buffer.from("The page says so.") }),
    onProblem: (error) => problems.push(error),
  });
  if (served === undefined) throw new Error("the console is served by another process");
  const folder = consoleFolder(dataFolder);
  const code = () => new URL(makeLaunch(folder, served.origin, clock.now()).url).hash.slice("#code=".length);
  const ask: ConsoleHome["ask"] = (method, path, { token, body } = {}) =>
    fetch(`${served.origin}${path}`, {
      method,
      headers: {
        // A connection that was idle while the process was busy ends just as it is used again.
        connection: "close",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    ...{ cloud, store, device, served, restored, scanned, scans, scanning, problems, code, ask },
    port: Number(new URL(served.origin).port),
    token: async () => tokenIn(await ask("POST", "/api/session", { body: { code: code() } })),
    deliver(...more) {
      cloud.proposals.push(...more);
      for (const proposal of more) cloud.push({ type: "scout_proposal", proposal });
    },
    async close() {
      await served.close();
      await device.close();
      store.close();
      await cloud.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

async function tokenIn(answer: Response): Promise<string> {
  const body: unknown = await answer.json();
  if (typeof body === "object" && body !== null && "token" in body) return String(body.token);
  throw new Error(`no token: ${answer.status}`);
}

interface AtHome {
  readonly scouts: readonly ScoutResponse[];
  readonly dismissed: readonly Dismissed[];
  readonly restored: string[];
}

function answerHome(path: string, response: ServerResponse, { scouts, dismissed, restored }: AtHome) {
  const json = (body: unknown) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(body));
    return "handled" as const;
  };
  if (path === "/api/v1/devices") return json({ devices: [] });
  if (path.startsWith("/api/v1/scouts?")) return json({ scouts, nextCursor: null });
  const [, ref] = /\/spam\/([^/]+)\/restore$/.exec(path) ?? [];
  if (ref !== undefined) {
    restored.push(decodeURIComponent(ref));
    response.writeHead(204).end();
    return "handled";
  }
  if (!path.includes("/spam?")) return "default";
  const items = dismissed
    .filter((each) => !restored.includes(each.ref))
    .map(({ ref, subject }) => ({
      ref,
      reasonCode: "marketing",
      confidence: 0.97,
      triagedAt: 5,
      trashedAt: null,
      keptBecause: null,
      atSource: { sender: { name: "Shop", address: "shop@example.org" }, subject, receivedAt: 4 },
    }));
  return json({ items, nextCursor: null });
}
