import { existsSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import type { AuditTrail } from "../../device/access/audit/trail.ts";
import { endText } from "../../device/activity/end-words.ts";
import { age } from "../../device/age.ts";
import { exportFailed } from "../../device/errors/export-failed.ts";
import { DeviceError } from "../../device/errors.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import { systemCode } from "../../device/files/backends/fs/fs-errors.ts";
import { noDataYet } from "../../device/store/open.ts";
import type { ExitWith } from "../context.ts";
import { type CliContext, dataFolderOf, wholeNumber } from "../context.ts";
import { pathGiven } from "../given-path.ts";
import { counted } from "../output/counted.ts";
import { tellThatOlderMayBe } from "../output/newest.ts";
import { type Output, outputOn } from "../output/output.ts";
import { printable, printableJsonText } from "../output/printable.ts";
import { tableOr } from "../output/table.ts";
import {
  folderMeant,
  type ProjectOptions,
  type ProjectWork,
  withProject,
  withProjectOptions,
} from "../projects/project-context.ts";
import { discard } from "./discard.ts";

const ofDevice = "of what was asked of this device itself, and not of a project's files";

interface TrailOptions extends ProjectOptions {
  readonly device?: boolean;
}

/** `scouts audit …`: the trail of every call, and the proof that it is whole. */
export function addAudit(program: Command, context: CliContext, exitWith: ExitWith): void {
  const audit = program.command("audit").description("the trail of every call: list, verify, replay, export, rotate");

  withProjectOptions(audit.command("list").description("the newest records"))
    .option("--limit <number>", "at most so many", wholeNumber(1, 10_000), 30)
    .option("--device", ofDevice)
    .action((flags: TrailOptions & { limit: number }) =>
      withTrail(context, flags, async (trail, output) => {
        const records = trail.newest(flags.limit);
        if (flags.json) return output.json(records);
        tableOr(output, "No records.", records, [
          { title: "SEQ", cell: ({ seq }) => String(seq) },
          { title: "AGE", cell: ({ at }) => age(at, context.now()) },
          { title: "BY", cell: ({ caller }) => caller },
          { title: "TOOL", cell: ({ tool }) => tool },
          { title: "DECISION", cell: ({ decision }) => decision },
          { title: "OUTCOME", cell: ({ outcome }) => endText(outcome), fills: true, least: 15 },
          { title: "FILES", cell: ({ files }) => [...new Set(files.map((file) => file.path))].join(" "), fills: true },
        ]);
        tellThatOlderMayBe(output, records, flags.limit);
      }),
    );

  withProjectOptions(audit.command("verify").description("prove that no record was altered, removed or moved"))
    .option("--device", ofDevice)
    .action((flags: TrailOptions) =>
      withTrail(context, flags, async (trail, output) => {
        const verdict = trail.verify();
        if (flags.json) output.json(verdict);
        else if (verdict.ok) output.line(`${verdict.records} records, whole; the newest hash is ${verdict.headHash}`);
        else output.line(`Record ${verdict.seq} is ${verdict.reason}.`);
        if (!verdict.ok) exitWith(exitCodes.attention);
      }),
    );

  withProjectOptions(audit.command("replay").description("compare the files with what the trail says was done")).action(
    (flags: ProjectOptions) =>
      withProject(context, flags, async (opened) => {
        const { same, different, missing, outsideChanges } = await compared(opened);
        if (flags.json) opened.output.json({ same, different, missing, outsideChanges });
        else {
          opened.output.line(`As the trail left them: ${counted(same.length, "file")}; not: ${different.length}.`);
          for (const file of different) opened.output.line(`  ${printable(file)}`);
          if (missing.length > 0)
            opened.output.line(`${missing.length} cannot be compared: their versions were let go of.`);
        }
      }),
  );

  withProjectOptions(audit.command("export").description("the trail as JSON lines"))
    .option("--device", ofDevice)
    .action((flags: TrailOptions) =>
      withTrail(context, flags, async (trail) => {
        for (const line of trail.export()) context.io.stdout.write(printableJsonText(line));
      }),
    );

  withProjectOptions(
    audit.command("rotate").description("move the trail so far into a file; the chain goes on from it"),
  )
    .requiredOption("--to <path>", "the file to make")
    .action((flags: ProjectOptions & { to: string }) =>
      withProject(context, flags, async ({ project, output }) => {
        const file = pathGiven(context, flags.to);
        const { headSeq } = project.database.store.audit.anchors();
        writeNew(file, [...project.access.audit.export()].join(""));
        const moved = project.access.audit.rotate(headSeq);
        if (flags.json) output.json({ moved, file });
        else output.line(`${moved} records are in ${printable(file)} now.`);
      }),
    );
}

/** A project's trail, also when its folder is gone, or with `--device` the device's own. */
async function withTrail(
  context: CliContext,
  flags: TrailOptions,
  work: (trail: AuditTrail, output: Output) => Promise<void>,
): Promise<void> {
  const dataFolder = dataFolderOf(context, flags);
  if (flags.device === true && !existsSync(dataFolder))
    throw new DeviceError("store_missing", { sentence: noDataYet(dataFolder) });
  const [{ openTrail, placeElsewhere }, { deviceRoot }] = await Promise.all([
    import("../../device/access/audit/open-trail.ts"),
    import("../../device/actions/device-trail.ts"),
  ]);
  const place = flags.device ? deviceRoot : placeElsewhere(dataFolder, (await folderMeant(context, flags)).path);
  if (place === undefined) {
    return withProject(context, flags, ({ project, output }) => work(project.access.audit, output));
  }
  const { trail, close } = openTrail(dataFolder, place, context.now);
  try {
    await work(trail, outputOn(context.io));
  } finally {
    close();
  }
}

async function compared({ project }: ProjectWork) {
  const { replay } = await import("../../device/access/audit/replay.ts");
  const replayed = replay(project.access.audit.records(), project.database.store.contents);
  const [same, different]: [string[], string[]] = [[], []];
  for (const [file, bytes] of replayed.files) {
    const there = await project.access.kit.files.exists(file);
    const now = there ? await project.access.kit.files.read(file) : null;
    const equal = bytes === null || now === null ? bytes === now : Buffer.compare(bytes, now) === 0;
    (equal ? same : different).push(file);
  }
  return { same, different, missing: replayed.missing, outsideChanges: replayed.outsideChanges };
}

/** All of it, on the disk: what it holds is let go of then. A file that is there is left alone, and of a part of it nothing stays. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx", flush: true });
  } catch (cause) {
    if (systemCode(cause) === "EEXIST") {
      const sentence = `${file} is there already, and is not written over; choose another name. Nothing was moved.`;
      throw new DeviceError("usage", { sentence, cause });
    }
    discard(file);
    const otherwise = "cannot be written; choose a name in a folder that you may write to.";
    throw exportFailed(file, cause, otherwise, " Nothing was moved.");
  }
}

/** `scouts files stats`: what is kept about a project. */
export function addStats(files: Command, context: CliContext): void {
  const command = files.command("stats").description("what is kept about a project's files");
  withProjectOptions(command).action((flags: ProjectOptions) =>
    withProject(context, flags, async ({ project, output }) => {
      const { store, path: database } = project.database;
      const entries = store.registry.list();
      const versions = store.versions.all();
      const { baseSeq, headSeq } = store.audit.anchors();
      const outcomes: Record<string, number> = {};
      for (const { outcome } of project.access.audit.records()) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const stats = {
        root: project.root,
        database,
        files: entries.length,
        fileBytes: entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        sensitiveFiles: entries.filter(({ sensitivity }) => sensitivity !== "normal").length,
        versions: versions.length,
        changedFiles: new Set(versions.map((version) => version.path)).size,
        contents: store.contents.totals(),
        audit: { records: headSeq - baseSeq, outcomes },
      };
      if (flags.json) return output.json(stats);
      output.line(
        printable(
          `${stats.root}: ${counted(stats.files, "file")}, ${counted(stats.fileBytes, "byte")}, ${stats.sensitiveFiles} sensitive`,
        ),
      );
      output.line(
        `history: ${counted(stats.versions, "version")} of ${counted(stats.changedFiles, "file")} in ${counted(stats.contents.storedBytes, "byte")}`,
      );
      const ends = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome.replaceAll("_", " ")}`);
      const how = ends.length === 0 ? "" : ` (${ends.join(", ")})`;
      output.line(printable(`audit: ${counted(stats.audit.records, "record")}${how}`));
    }),
  );
}
