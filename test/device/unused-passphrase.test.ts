import { expect, test } from "vitest";
import { runCommand } from "../../cli/program.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Screen } from "./screen.ts";
import { temporaryFolder } from "./setting.ts";

const passphrase = "correct horse battery";

test("who gives a passphrase where nothing is encrypted is told so, and no more once it is", async () => {
  const dataFolder = temporaryFolder();
  openDeviceStore({ ...systemTimeAndIds, dataFolder }).close();
  const said = async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
    const secrets = { stdin: (async function* () {})(), variable: () => passphrase };
    const environment = { SCOUTS_PASSPHRASE: passphrase };
    const context = { ...systemTimeAndIds, io, environment, secrets, workingFolder: dataFolder };
    await runCommand([...words, "--data", dataFolder], context, "1");
    return stderr.written;
  };
  expect(await said("answers", "list")).toBe(
    "scouts: SCOUTS_PASSPHRASE is set, but nothing on this device is encrypted. " +
      "`scouts passphrase set` encrypts it; else unset the variable. (passphrase_unused)\n",
  );
  expect(await said("artifacts", "list")).toContain("(passphrase_unused)");
  expect(await said("passphrase", "set", "--new-env", "SCOUTS_PASSPHRASE")).toBe("");
  expect(await said("answers", "list")).toBe("");
  expect(await said("artifacts", "list")).toBe("");
});
