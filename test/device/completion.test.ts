import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { scoutsHere } from "../e2e/program.ts";

const scriptFor = async (shell: string) => (await scoutsHere(["completion", shell])).stdout;
const hasBash = spawnSync("bash", ["--version"]).status === 0;

/** What bash is offered behind words, the last of them begun, and how it goes on where that is nothing. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const asked = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _scouts; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p scouts`;
  const { stdout } = spawnSync("bash", ["-c", `${await scriptFor("bash")}\n${asked}`, "bash", "scouts", ...words], {
    encoding: "utf8",
  });
  return stdout.split("\n").filter((line) => line !== "");
}

test.skipIf(!hasBash)("bash completes commands and options, and files by itself where none of these fits", async () => {
  const ofReadline = "complete -o default -F _scouts scouts";
  expect(await offered("pro")).toEqual(["proposals", "project", ofReadline]);
  expect(await offered("project", "li")).toEqual(["list", "link", ofReadline]);
  // Names with blanks are readline's to complete: a list of words takes them apart.
  for (const words of [
    ["task", "import", "./no such"],
    ["project", "link", "Garden", "/tmp/"],
    ["up", "--mailbox", ""],
  ])
    expect(await offered(...words), words.join(" ")).toEqual([ofReadline]);
});

test("zsh and fish complete files where a command takes one", async () => {
  expect(await scriptFor("zsh")).toContain("_describe 'scouts' choices || _files");
  const fish = await scriptFor("fish");
  expect(fish).toContain(
    "complete -c scouts -n '__fish_seen_subcommand_from task; and __fish_seen_subcommand_from import' -F",
  );
  expect(fish).not.toContain("__fish_seen_subcommand_from status' -F");
});
