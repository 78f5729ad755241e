import { expect, onTestFinished, test } from "vitest";
import { startSystem } from "../../cli/up/system.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { openLedger } from "../../infra/local/open-ledger.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { upTo } from "./mail.ts";
import { scoutsHere } from "./program.ts";
import { settingWith } from "./setting.ts";

test("nothing silent: what a home cannot read of its model is told by status, and a command deletes it", async () => {
  const { mailFolder, dataFolder, model } = await settingWith(upTo(1));
  const { signal } = new AbortController();
  const start = async () => {
    const { environment } = model;
    const system = await startSystem({ ...systemTimeAndIds, dataFolder, mailboxPath: mailFolder, environment, signal });
    onTestFinished(() => system.stop());
    return system;
  };
  const here = (...words: string[]) => scoutsHere([...words, "--data", dataFolder]);
  const reset = () => here("ops", "model", "reset");

  expect(await reset()).toMatchObject({ code: 4, stderr: expect.stringContaining("(data_unusable)") });
  const first = await start();
  expect((await here("status")).stdout).not.toContain("row_damaged");
  const { ledger, close } = openLedger(first.home);
  await ledger.put({ ...ledgerKey.breaker(), failedProbes: 1, code: "of a later version", since: 1 });
  close();
  expect((await here("status")).stdout).toMatch(
    /home: the home cannot read what it has noted of its language model \(row_damaged\)\. .*scouts ops model reset/,
  );
  expect(JSON.parse((await here("status", "--json")).stdout)).toMatchObject({ isModelRowDamaged: true });
  expect((await here("doctor")).stdout).toMatch(/cannot read what it has noted of its language model/);
  expect(await reset()).toMatchObject({ code: 4, stderr: expect.stringContaining("(data_in_use)") });
  await first.stop();

  expect(await reset()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^deleted/) });
  expect(await reset()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing is wrong/) });
  await start();
  expect((await here("status")).stdout).not.toContain("row_damaged");
});
