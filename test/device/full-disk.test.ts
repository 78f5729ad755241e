import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openTrail } from "../../device/access/audit/open-trail.ts";
import { lastPlaceOf } from "../../device/files/place/folder-place.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { makeProposal } from "./fake-cloud.ts";
import { temporaryFolder } from "./setting.ts";

const launcher = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));
/** Files may be as large as a page of the database: as on a full disk, nothing has room that is larger. */
const asOnFullDisk = (blocks: number) => `ulimit -f ${blocks}; exec "$0" "$@"`;

const isWithShell = process.platform !== "win32";

async function scoutsWithoutRoom(words: readonly string[], blocks = 8) {
  const child = spawn("sh", ["-c", asOnFullDisk(blocks), process.execPath, launcher, ...words], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [[code], stdout, stderr] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

function dataFolder(work: (store: ReturnType<typeof openDeviceStore>) => void): string {
  const data = path.join(temporaryFolder(), "data");
  const store = openDeviceStore({ dataFolder: data, ...systemTimeAndIds });
  work(store);
  store.close();
  return data;
}

test.skipIf(!isWithShell)(
  "nothing silent: on a full disk what is there is shown, and that the disk is full",
  async () => {
    const proposal = makeProposal(1);
    const data = dataFolder((store) => void store.proposals.add([proposal]));
    const { code, stdout, stderr } = await scoutsWithoutRoom(["proposals", "list", "--json", "--data", data]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^scouts: .*full.*\(store_full\)\n$/) });
    expect(JSON.parse(stdout)).toMatchObject([{ id: proposal.id }]);
  },
);

test.skipIf(!isWithShell)(
  "nothing silent: a scan that died of a full disk keeps none from looking at projects",
  async () => {
    const data = dataFolder((store) => {
      const { id } = store.projects.add("Notes");
      store.projects.link(id, "/notes");
      store.projects.beginScan(id, { holder: "dead", pid: 1, until: Number.MAX_SAFE_INTEGER }, () => false);
    });
    const { code, stdout } = await scoutsWithoutRoom(["project", "list", "--json", "--data", data]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ name: "Notes" }]);
  },
);

test.skipIf(!isWithShell)(
  "nothing lost: on a full disk what would write is refused as that, not as damage",
  async () => {
    const data = dataFolder(() => {});
    const { code, stderr } = await scoutsWithoutRoom(["task", "add", "Ring Ada", "--data", data]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^scouts: The disk is full.*\(store_full\)\n/);
    expect(stderr).not.toMatch(/is damaged|Restore/);
  },
);

test.skipIf(!isWithShell)(
  "nothing lost: a trail that finds no room in its file is not moved, and no part of it stays there",
  async () => {
    const data = dataFolder(() => {});
    const root = temporaryFolder();
    const { trail, close } = openTrail(data, lastPlaceOf(root), Date.now);
    const call = {
      caller: "person",
      session: "s",
      tool: "read_file",
      decision: "allow",
      outcome: "ok",
      files: [],
    } as const;
    for (let n = 0; n < 300; n += 1) trail.append({ ...call, args: { path: `${n}.md` } });
    close();
    const file = path.join(root, "trail.jsonl");
    const words = ["audit", "rotate", "--root", root, "--to", file, "--data", data];
    const { code, stderr } = await scoutsWithoutRoom(words, 128);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be written; .*Nothing was moved\..*\(export_failed\)/),
    });
    expect(existsSync(file)).toBe(false);
    const again = openTrail(data, lastPlaceOf(root), Date.now);
    expect(again.trail.verify()).toMatchObject({ ok: true, records: 300 });
    again.close();
  },
);
