import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { AccountStore } from "../../shared/billing/account-store.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { Screen } from "../device/screen.ts";
import { deployedLedger } from "./deployed-ledger.ts";

const issuer = "https://issuer.example.com";

test("scouts ops erase counts what a deployment holds of a person, and erases it when it is meant", async () => {
  const ledger = await deployedLedger();
  const [ada, bob] = ["ada", "bob"].map((subject) => userIdOf(issuer, subject)) as [never, never];
  for (const user of [ada, bob]) await new AccountStore(ledger).setTier(user, "pro");
  for (let n = 0; n < 230; n += 1) await ledger.put({ ...ledgerKey.run(ada, `r${n}`) });
  const erase = async (...more: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
    const context = { io, environment: readEnvironment({}), workingFolder: tmpdir(), ...systemTimeAndIds };
    const words = ["ops", "erase", "--table", "ledger", "--issuer", issuer, "--subject", "ada", ...more];
    return { code: await runCommand(words, context, "1"), stdout: stdout.written, stderr: stderr.written };
  };
  const asked = await erase();
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("231 rows of usr_")]);
  expect(await ledger.get(ledgerKey.user(ada))).toBeDefined();
  const done = await erase("--yes", "--json");
  expect(JSON.parse(done.stdout)).toEqual({ user: ada, scouts: 0, rows: 231, isAll: true });
  expect((await ledger.query({ hash: ledgerKey.user(ada).pk })).items).toEqual([]);
  expect(await ledger.get(ledgerKey.user(bob))).toBeDefined();
});
