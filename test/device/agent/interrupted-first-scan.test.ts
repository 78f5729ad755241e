import { expect, test } from "vitest";
import { runCommand } from "../../../cli/program.ts";
import { checkRequest } from "../../../device/agent/check-request.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { linkedFolder } from "../scanner/setting.ts";
import { Screen } from "../screen.ts";
import { temporaryFolder, temporaryStore } from "../setting.ts";

function interrupted() {
  const store = temporaryStore();
  const { id } = store.projects.add("Garden");
  store.projects.link(id, temporaryFolder());
  store.projects.beginScan(id, { holder: "one", pid: 1, until: 0 }, () => true);
  const sentence = "The scan was interrupted; the next one goes on from there.";
  store.projects.endScan(id, "one", { status: "error", code: "scan_interrupted", sentence });
  return { store, id };
}

test("nothing silent: of a folder whose first scan was interrupted an answer is refused with that, and with what goes on", async () => {
  const { store, id } = interrupted();
  await expect(checkRequest({ agent: "home", message: "What?", projectId: id }, store)).rejects.toMatchObject({
    code: "folder_empty",
    message:
      "Nothing is known yet of the folder of Garden: its scan was interrupted. Go on with it: scouts project rescan Garden",
  });
});

test("nothing silent: a first scan that was interrupted is not listed as one that never was", async () => {
  const { store } = interrupted();
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: {}, workingFolder: store.dataFolder, ...systemTimeAndIds };
  await runCommand(["project", "list", "--data", store.dataFolder], context, "1");
  expect(stdout.written).toMatch(/^error +0 +in part +Garden/m);
});

test("nothing silent: of a first scan that was interrupted, what is known by then is counted", async () => {
  const { store, start } = linkedFolder({ "a.md": "one", "b.md": "two" });
  const scan = await start();
  scan.finish({ status: "cancelled" });
  expect(store.projects.list()).toMatchObject([{ folderErrorCode: "scan_interrupted", folderTotalFiles: 2 }]);
});
