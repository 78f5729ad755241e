import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { Screen } from "../device/screen.ts";
import { inbox, nowMs, ref } from "../unit/scouts/setting.ts";
import { deployedLedger } from "./deployed-ledger.ts";

const issuer = "https://issuer.example.com";
const ada = userIdOf(issuer, "ada");

/** One `scouts ops items …` on the deployed table. */
async function items(...words: string[]) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = {
    io,
    environment: readEnvironment({}),
    workingFolder: "/",
    ...systemTimeAndIds,
    now: () => nowMs + 3_600_000,
  };
  const code = await runCommand(["ops", "items", ...words, "--table", "ledger"], context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

test("scouts ops items shows an operator what a person's scouts set aside, past the first page too, and brings it back once", async () => {
  const ledger = await deployedLedger();
  const store = new ItemStore(ledger);
  const ids = Array.from({ length: 130 }, (_, n) => ({ userId: ada, scoutId: inbox, ref: ref(`m${1_000 + n}`) }));
  await Promise.all(
    ids.map((id) => store.end(id, { status: "dead", sourceType: "inbox", code: "source_forbidden" }, nowMs)),
  );
  const person = ["--issuer", issuer, "--subject", "ada"];

  const listed = await items("list", "--user", ada);
  expect([listed.code, listed.stderr]).toEqual([0, ""]);
  expect(listed.stdout).toMatch(new RegExp(`1 h +${inbox} +dead +source_forbidden +0 +m1129\\n`));
  expect(JSON.parse((await items("list", ...person, "--json")).stdout)).toHaveLength(130);
  expect((await items("list", "--issuer", issuer, "--subject", "bob")).stdout).toBe("No item is without a verdict.\n");
  expect(await items("list")).toMatchObject({ code: 2, stderr: expect.stringContaining("--user") });
  expect(await items("list", ...person, "--scout", "Inbox")).toMatchObject({ code: 2 });

  const one = ["redrive", "m1000", "m1001", "--scout", inbox, ...person];
  expect((await items(...one)).stdout).toBe("2 items brought back\n");
  expect((await items(...one)).stdout).toMatch(/^0 items brought back; 2 could not be/);
  expect((await items("redrive", "--all", ...person)).stdout).toBe("128 items brought back\n");
  expect(JSON.parse((await items("redrive", "--all", ...person, "--json")).stdout)).toEqual({
    redriven: 0,
    refused: 0,
  });
  expect((await store.getMany(ids.slice(0, 100))).every(({ status }) => status === "deferred")).toBe(true);
});
