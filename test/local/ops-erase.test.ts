import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { scoutId } from "../../events/ids.ts";
import { AccountStore } from "../../shared/billing/account-store.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { Screen } from "../device/screen.ts";
import { deployedLedger } from "./deployed-ledger.ts";

const issuer = "https://issuer.example.com";

async function erase(...more: string[]) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: tmpdir(), ...systemTimeAndIds };
  const words = ["ops", "erase", "--table", "ledger", "--issuer", issuer, "--subject", "ada", ...more];
  return { code: await runCommand(words, context, "1"), stdout: stdout.written, stderr: stderr.written };
}

test("scouts ops erase counts what a deployment holds of a person, and erases it when it is meant", async () => {
  const ledger = await deployedLedger();
  const [ada, bob] = ["ada", "bob"].map((subject) => userIdOf(issuer, subject)) as [never, never];
  for (const user of [ada, bob]) await new AccountStore(ledger).setTier(user, "pro");
  for (let n = 0; n < 230; n += 1) await ledger.put({ ...ledgerKey.run(ada, `r${n}`) });
  const asked = await erase();
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("231 rows of usr_")]);
  expect(await ledger.get(ledgerKey.user(ada))).toBeDefined();
  const done = await erase("--yes", "--json");
  expect(JSON.parse(done.stdout)).toEqual({ user: ada, scouts: 0, rows: 231, isAll: true, damaged: [] });
  expect((await ledger.query({ hash: ledgerKey.user(ada).pk })).items).toEqual([]);
  expect(await ledger.get(ledgerKey.user(bob))).toBeDefined();
});

test("scouts ops erase erases a person whose mailbox's row is damaged, names it, and ends with 6", async () => {
  const ledger = await deployedLedger();
  const [ada, scout] = [userIdOf(issuer, "ada"), scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEF")];
  const mailbox = ledgerKey.mailbox("blind");
  await ledger.put({ ...ledgerKey.scout(ada, scout), address: "blind" });
  await ledger.put({ ...mailbox, scouts: "none" });
  const done = await erase("--yes");
  expect([done.code, done.stdout]).toEqual([6, expect.stringContaining("erased  1 row")]);
  expect(done.stderr).toContain(`${mailbox.pk} ${mailbox.sk}`);
  expect((await ledger.query({ hash: ledgerKey.user(ada).pk })).items).toEqual([]);
});
