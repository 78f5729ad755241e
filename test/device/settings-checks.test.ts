import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { examine } from "../../device/doctor/examine.ts";
import { checkSettings } from "../../device/doctor/stored/settings-checks.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { temporaryFolder } from "./setting.ts";

function device(config: string | undefined, ofProject?: string): { dataFolder: string; folder: string } {
  const [dataFolder, folder] = [temporaryFolder(), temporaryFolder()];
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  store.projects.link(store.projects.add("Garden").id, folder);
  store.close();
  mkdirSync(path.join(dataFolder, "device"), { recursive: true });
  if (config !== undefined) writeFileSync(path.join(dataFolder, "device", "config.json"), config);
  if (ofProject !== undefined) writeFileSync(path.join(folder, ".scouts.json"), ofProject);
  return { dataFolder, folder };
}

test("nothing silent: doctor fails on a damaged setting, which closes every file", async () => {
  const { dataFolder } = device("garbage");
  const checks = await examine({ dataFolder, environment: {}, version: "1", ...systemTimeAndIds });
  const file = path.join(dataFolder, "device", "config.json");
  expect(checks.filter(({ name }) => name === "settings")).toMatchObject([
    { state: "fail", code: "settings_unreadable", values: { file }, advice: expect.stringContaining("config check") },
  ]);
});

test.each([
  ["nobody says anything", undefined, undefined, []],
  ["all of it counts", '{"limits":{"calls":5}}', undefined, [{ state: "ok", code: "settings_ok" }]],
  ["no setting has this name", '{"limitz":{}}', undefined, [{ state: "fail", code: "settings_unreadable" }]],
  [
    "a folder that is not there",
    '{"projects":{"/no/such/folder":{}}}',
    undefined,
    [{ state: "note", code: "settings_idle" }],
  ],
  ["a project's file is damaged", undefined, "{", [{ state: "fail", code: "settings_project" }]],
  ["a project asks for what it may not have", undefined, '{"tools":[]}', []],
])("doctor on settings: %s", async (_, config, ofProject, expected) => {
  const { dataFolder } = device(config, ofProject);
  expect(await checkSettings(dataFolder, systemTimeAndIds)).toMatchObject(expected);
});
