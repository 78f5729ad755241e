import type { Command } from "commander";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { buildProgram } from "../../cli/program.ts";
import { agentExitCodes } from "../../cli/questions/ask.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Screen } from "./screen.ts";

interface Helped {
  readonly name: string;
  readonly command: Command;
  /** As its person reads it, on one line. */
  readonly text: string;
}

function helpsOf(command: Command, name: string): Helped[] {
  const text = command.helpInformation().replaceAll(/\s+/g, " ");
  const children = command.commands.flatMap((child) => helpsOf(child, `${name} ${child.name()}`));
  return [{ name, command, text }, ...children];
}

const io = {
  ...{ stdout: new Screen(), stderr: new Screen(), isTTY: false, color: false },
  signal: new AbortController().signal,
};
const context = { io, environment: readEnvironment({}), workingFolder: "/", ...systemTimeAndIds };
const helps = helpsOf(
  buildProgram(context, "1.2.3", () => undefined),
  "scouts",
);

/** Who starts the cloud half here, and who operates one; and models in a cloud, which `--backend` tells from those at home. */
const mayNameTheCloud = /^scouts( up| ops\b.*)?$/;

test("what a device is connected to is called its home in every help, as in every message", () => {
  const named = helps
    .filter(({ name }) => !mayNameTheCloud.test(name))
    .flatMap(({ name, text }) => (text.match(/\S+ \bcloud\b(?!")/gi) ?? []).map((where) => `${name}: ${where}`));
  expect(named).toEqual([]);
});

test("a word that begins with a vowel has its article", () => {
  const wrong = helps.flatMap(({ name, text }) => (text.match(/\ba [aeio]\w+/g) ?? []).map((at) => `${name}: ${at}`));
  expect(wrong).toEqual([]);
});

test("every command, argument and option is described", () => {
  expect(helps.length).toBeGreaterThan(100);
  const bare = helps.flatMap(({ name, command }) => [
    ...(command.description() === "" ? [name] : []),
    ...(command.commands.length > 0 ? [] : command.registeredArguments)
      .filter(({ description }) => description === "")
      .map((each) => `${name} ${each.name()}`),
    ...command.options.filter(({ description }) => description === "").map(({ flags }) => `${name} ${flags}`),
  ]);
  expect(bare).toEqual([]);
});

test("the help of a question names each exit code that a question alone ends with", () => {
  const { runLimit, quotaUsedUp, nothingJudged, interrupted } = exitCodes;
  for (const code of [runLimit, quotaUsedUp, nothingJudged, interrupted]) {
    expect(agentExitCodes).toMatch(new RegExp(`(?<!\\d)${code} `));
  }
});
