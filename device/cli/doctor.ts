import type { Command } from "commander";
import {
  type Check,
  checkCredentials,
  checkDatabase,
  checkFolder,
  checkNode,
  checkPort,
  checkSpace,
} from "./checks.ts";
import { type CliContext, type CommonOptions, dataFolderOf, wholeNumber, withCommonOptions } from "./context.ts";
import { type Output, outputOn } from "./output.ts";
import { printable } from "./printable.ts";

/** Exit code when something must be done before scouts can work. */
const attentionExitCode = 6;
const marks = { ok: ["green", "ok  "], note: ["yellow", "note"], fail: ["red", "fail"] } as const;

function show(output: Output, checks: readonly Check[]): void {
  for (const { name, state, detail, advice } of checks) {
    const [style, mark] = marks[state];
    output.line(`${output.style(style, mark)}  ${name.padEnd(12)}${printable(detail)}`);
    if (advice !== undefined) output.line(`      ${" ".repeat(12)}${printable(advice)}`);
  }
}

/** `scouts doctor`: looks at everything a device needs and says what to do. */
export function addDoctor(program: Command, context: CliContext, exitWith: (code: number) => void): void {
  const command = program
    .command("doctor")
    .description("check node, data folder, database, clock, ports and credentials, and say what to do")
    .option("--port <number>", "also check this loopback port", wholeNumber(1, 65_535));
  withCommonOptions(command).action(async (flags: CommonOptions & { port?: number }) => {
    const dataFolder = dataFolderOf(context, flags);
    const folder = checkFolder(dataFolder);
    const checks = [
      checkNode(process.versions.node),
      folder,
      checkSpace(dataFolder),
      ...(folder.state === "ok" ? checkDatabase(dataFolder, context.now) : []),
      await checkPort(flags.port ?? 0),
      ...checkCredentials(context.environment),
    ];
    const ok = checks.every(({ state }) => state !== "fail");
    const output = outputOn(context.io);
    if (flags.json) output.json({ ok, checks });
    else show(output, checks);
    exitWith(ok ? 0 : attentionExitCode);
  });
}
