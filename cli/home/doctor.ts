import path from "node:path";
import type { Command } from "commander";
import type { Check } from "../../device/doctor/checks.ts";
import { examine } from "../../device/doctor/examine.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import type { ExitWith } from "../context.ts";
import { type CliContext, type CommonOptions, dataFolderOf, wholeNumber, withCommonOptions } from "../context.ts";
import { addressGiven } from "../given-address.ts";
import { type Output, outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { programVersion } from "../version.ts";

const marks = { ok: ["green", "ok  "], note: ["yellow", "note"], fail: ["red", "fail"] } as const;

function show(output: Output, checks: readonly Check[]): void {
  for (const { name, state, detail, advice } of checks) {
    const [style, mark] = marks[state];
    output.line(`${output.style(style, mark)}  ${name.padEnd(12)}${printable(detail)}`);
    if (advice !== undefined) output.line(`      ${" ".repeat(12)}${printable(advice)}`);
  }
}

/** `scouts doctor`: looks at everything a device needs and says what to do. */
export function addDoctor(program: Command, context: CliContext, exitWith: ExitWith): void {
  const command = program
    .command("doctor")
    .description(
      "check node, data folder, database, settings, clock, home, socket, ports, folders and credentials, and say what to do",
    )
    .option("--api <url>", "look at this home instead of the one the data folder belongs to")
    .option("--port <number>", "also check this loopback port", wholeNumber(1, 65_535));
  withCommonOptions(command).action(async (flags: CommonOptions & { port?: number; api?: string }) => {
    const { environment, now, newId } = context;
    const api = flags.api === undefined ? undefined : addressGiven(flags.api);
    const at = { dataFolder: dataFolderOf(context, flags), api, port: flags.port };
    // What the other commands do not need is not loaded for them.
    const { damageBetweenHomes } = await import("../../infra/local/lock.ts");
    const damageOfHome = () => {
      for (const part of ["world", "cloud"]) {
        const damage = damageBetweenHomes(path.join(at.dataFolder, part));
        if (damage !== undefined) return damage;
      }
      return undefined;
    };
    const checks = await examine({ ...at, environment, version: programVersion(), now, newId, damageOfHome });
    const ok = checks.every(({ state }) => state !== "fail");
    const output = outputOn(context.io);
    if (flags.json) output.json({ ok, checks });
    else show(output, checks);
    exitWith(ok ? exitCodes.done : exitCodes.attention);
  });
}
