import { expect, test } from "vitest";
import { backgroundRescans } from "../../../device/agent/background-rescans.ts";
import { DeviceError } from "../../../device/errors.ts";
import type { Rescan } from "../../../device/folders/indexer/rescan-project.ts";
import { ownContent } from "../../own-content.ts";
import { project } from "../content/setting.ts";
import { temporaryStore } from "../setting.ts";

/** No scan of these tests goes to the cloud. */
function offline() {
  const store = temporaryStore();
  const api = { apiUrl: "http://127.0.0.1:1", auth: async () => "token" };
  return { store, api, ...ownContent(store, api) };
}

test("4.3: a stale manifest begins one scan of its project, which nobody waits for", async () => {
  const held = Promise.withResolvers<Rescan>();
  const causes: unknown[] = [];
  const rescans = backgroundRescans({
    ...offline(),
    rescan: async ({ cause }) => {
      causes.push(cause);
      return held.promise;
    },
  });
  rescans.begin(project);
  rescans.begin(project);
  expect({ causes, running: rescans.running }).toEqual({ causes: ["stale"], running: 1 });
  held.resolve({} as Rescan);
  expect(await rescans.ended()).toEqual([]);
  expect(rescans.running).toBe(0);
});

test("what kept a scan from its end is told; another one that runs is none", async () => {
  const failing = (error: Error) => backgroundRescans({ ...offline(), rescan: () => Promise.reject(error) });
  const [gone, busy] = [failing(new DeviceError("folder_not_found")), failing(new DeviceError("scan_running"))];
  gone.begin(project);
  busy.begin(project);
  expect(await gone.ended()).toMatchObject([{ code: "folder_not_found" }]);
  expect(await busy.ended()).toEqual([]);
});
