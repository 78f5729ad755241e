import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readEnvironment } from "../../../cli/environment.ts";
import { runCommand } from "../../../cli/program.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { Screen } from "../../device/screen.ts";
import { temporaryFolder } from "../../device/setting.ts";

/** One of 64 refs of mail and feeds begins like an option: they are base64url, over IMAP with the time and the size behind dots. */
const refs = [
  "-x7Qp",
  "-Vq8s",
  "-h_3k",
  "-x7Qp9dJmU2sVbqkL0aZcR4tYw1eHgNfTiOuPlKjM",
  "--7Qp9dJmU2sVbqkL0aZcR4tYw1eHgNfTiOuPlKjMxx",
  "-Q8vYTcGMPXgzfQtdT4tm6Ptxzx.tp0na6.4e",
  "--8vYTcGMPXgzfQtdT4tm6Ptxzx.tp0na6.4e",
];

/** The words made sense; the folder they name is empty. */
const understood = /There is no device data in|No home is running on/;

async function said(...words: string[]) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const workingFolder = temporaryFolder();
  const context = { ...systemTimeAndIds, io, environment: readEnvironment({}), workingFolder };
  await runCommand([...words, "--data", join(workingFolder, "none")], context, "1.2.3");
  return stderr.written + stdout.written;
}

describe.each(refs)("a ref that begins like an option: %s", (ref) => {
  test.each([
    [["open"], ["--json"]],
    [["open", "--scout", "Post"], []],
    [["restore", "--scout", "Post"], ["another"]],
    [["proposals", "approve"], []],
    [["proposals", "show"], ["--json"]],
  ])("is the ref for %j", async (before, after) => {
    expect(await said(...before, ref, ...after)).toMatch(understood);
  });
});

test.each([
  [["-greenhouse"], []],
  [['"late frost"', "-greenhouse"], ["--json"]],
  [
    ["frost", "-Gewächshaus", "-Vogelhaus", "-hail"],
    ["--limit", "3"],
  ],
  [
    ["frost", "-kind:pdf"],
    ["--", "-x"],
  ],
])("a word that is not to be found is a word for search: %j", async (before, after) => {
  expect(await said("search", ...before, ...after)).toMatch(understood);
});

test.each([
  [["search", "frost", "--jsn"], /unknown option '--jsn'/],
  [["search", "frost", "-x"], /unknown option '-x'/],
  [["brief", "-jsn"], /unknown option '-jsn'/],
  [["search", "-h"], /Usage: scouts search/],
  [["open", "abcd", "--jsn"], /unknown option '--jsn'/],
  [["list", "-jsn"], /unknown option '-jsn'/],
  [["up", "-Data"], /unknown option '-Data'/],
  [["-Version"], /1\.2\.3/],
])("what is no ref stays a wrong option: %j", async (words, sentence) => {
  expect(await said(...words)).toMatch(sentence);
});

test("what follows an option that takes a value is the value, whatever it begins with", async () => {
  expect(await said("restore", "abcd", "--scout", "-x7Qp")).toMatch(understood);
  expect(await said("open", "--scout", "-x7Qp")).toContain("missing required argument");
});

test("behind two hyphens nothing is an option, as ever", async () => {
  expect(await said("open", "--", "-x7Qp")).toContain("too many arguments");
  expect(await said("task", "add", "--data", temporaryFolder(), "--", "-xylophone", "strings")).not.toContain(
    "(usage)",
  );
});
