import { expect, onTestFinished, test } from "vitest";
import { drain } from "../../cli/up/drain.ts";
import { judged } from "../../cli/up/item-counts.ts";
import { startSystem } from "../../cli/up/system.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { whole } from "../rounds.ts";
import { alteredTree } from "./altered-tree.ts";
import { ownFolder } from "./folders.ts";
import { upTo } from "./mail.ts";
import { settingWith } from "./setting.ts";

// Of a change, the simulation crashes this function too, before and after each of its calls.
test.skipIf(!whole)(
  "P2: a connection whose first sync was never asked for (the function died in between) is drained all the same",
  async () => {
    const tree = ownFolder();
    onTestFinished(() => tree.remove());
    const died = {
      file: "shared/scouts/connectors/gmail/connect.ts",
      call: "ports.sync.send",
      instead: "",
    };
    const { mailFolder, dataFolder, model } = await settingWith(upTo(6));
    const signal = new AbortController().signal;
    const system = await startSystem({
      ...systemTimeAndIds,
      dataFolder,
      mailboxPath: mailFolder,
      environment: { ...model.environment },
      signal,
      home: { configFile: alteredTree(tree.path, [died]) },
    });
    onTestFinished(() => system.stop());
    expect(judged(await drain(system, signal))).toMatchObject({
      relevant: 4,
      spam: 2,
      deadLettered: 0,
      waiting: 0,
      failed: 0,
    });
  },
  240_000,
);
