import type { Command } from "commander";
import { age } from "../../device/age.ts";
import type { Artifacts } from "../../device/artifacts/artifacts.ts";
import type { FileMetadata } from "../../device/artifacts/metadata.ts";
import type { ArtifactState } from "../../device/artifacts/store/artifact-store.ts";
import type { ArtifactSession } from "../../device/artifacts/tools/artifact-session.ts";
import { DeviceError } from "../../device/errors.ts";
import { type CliContext, type CommonOptions, dataFolderOf, wholeNumber, withCommonOptions } from "../context.ts";
import { counted } from "../output/counted.ts";
import { tellThatOlderMayBe } from "../output/newest.ts";
import type { Output } from "../output/output.ts";
import { printable, printableLines } from "../output/printable.ts";
import { printableCode } from "../output/printable-code.ts";
import { tableOr } from "../output/table.ts";
import { personSession, withArtifacts } from "./artifact-context.ts";
import { addArtifactAdd, addArtifactSearch } from "./artifact-search.ts";

const dayMs = 24 * 3_600_000;
const megabyte = 1024 * 1024;

interface ShowFlags extends CommonOptions {
  readonly lines?: string;
}
interface PruneFlags extends CommonOptions {
  readonly days?: number;
  readonly megabytes?: number;
  readonly dryRun?: boolean;
}

/** `scouts artifacts …`: results of tools that were stored on this device instead of shown to a model. */
export function addArtifacts(program: Command, context: CliContext): void {
  const artifacts = program.command("artifacts").description("results of tools that are stored on this device");

  withCommonOptions(artifacts.command("list").description("what is stored, newest first"))
    .option("--limit <number>", "at most so many", wholeNumber(1, 100_000), 50)
    .action((flags: CommonOptions & { limit: number }) =>
      withArtifacts(context, flags, async (opened, output) => {
        const { shapeOf } = await import("../../device/artifacts/description/shape.ts");
        const { sizeText } = await import("../../device/artifacts/description/context.ts");
        const found = (await newestFirst(opened)).slice(0, flags.limit);
        const states = new Map<string, ArtifactState>();
        for (const metadata of found) states.set(metadata.id, await opened.stateOf(metadata));
        if (flags.json) return output.json(found.map((each) => ({ ...each, state: states.get(each.id) })));
        tableOr(output, "No artifacts.", found, [
          { title: "AGE", cell: ({ createdAt }) => age(createdAt, context.now()) },
          { title: "SIZE", cell: ({ sizeBytes }) => sizeText(sizeBytes) },
          { title: "TOOL", cell: ({ origin }) => origin.tool },
          { title: "ID", cell: ({ id }) => id },
          { title: "STATE", cell: ({ id }) => states.get(id) ?? "stored" },
          { title: "SHAPE", cell: ({ stats }) => shapeOf(stats), fills: true },
        ]);
        tellThatOlderMayBe(output, found, flags.limit);
      }),
    );

  withCommonOptions(
    artifacts
      .command("show")
      .description("what is known of one, and its beginning or some lines")
      .argument("<id>", "its id, as `scouts artifacts list` shows it"),
  )
    .option("--lines <from-to>", "these lines instead of the preview")
    .action((id: string, flags: ShowFlags) =>
      withArtifacts(context, flags, async (opened, output) => {
        const { metadata } = await opened.find(id);
        if (flags.lines !== undefined) return showLines(personSession(opened, context), output, metadata, flags);
        if (flags.json) return output.json(metadata);
        const { contextForPerson } = await import("../../device/artifacts/description/context.ts");
        output.line(printableLines(contextForPerson(metadata)));
        output.line(`Came from ${printable(metadata.origin.tool)}; age: ${age(metadata.createdAt, context.now())}.`);
        output.line();
        output.line(printableCode(metadata.preview));
      }),
    );

  withCommonOptions(
    artifacts
      .command("query")
      .description("a JMESPath expression on JSON, JSON Lines or CSV")
      .argument("<id>", "its id, as `scouts artifacts list` shows it")
      .argument("<expression>", "JMESPath, such as [?amount > `100`].name"),
  ).action((id: string, query: string, flags: CommonOptions) =>
    withArtifacts(context, flags, async (opened, output) => {
      const { parseExactJson } = await import("../../device/artifacts/exact-json.ts");
      const { queryArtifact } = await import("../../device/artifacts/tools/artifact-query.ts");
      const { json } = await queryArtifact(personSession(opened, context), id, query);
      if (flags.json) output.json(parseExactJson(json));
      else output.line(printableCode(json));
    }),
  );

  addArtifactAdd(artifacts, context);
  addArtifactSearch(artifacts, context);

  withCommonOptions(artifacts.command("prune").description("remove what is old or too much; what is in use stays"))
    .option("--days <number>", "keep what is younger", wholeNumber(0, 36_500))
    .option("--megabytes <number>", "keep so much in all", wholeNumber(0, 10_000_000))
    .option("--dry-run", "say what would be removed")
    .action((flags: PruneFlags) =>
      withArtifacts(context, flags, async (opened, output) => {
        const { days, megabytes } = flags;
        const policy = {
          ...opened.retention,
          ...(days !== undefined && { maxAgeMs: days * dayMs }),
          ...(megabytes !== undefined && { maxTotalBytes: megabytes * megabyte }),
        };
        const report = await opened.prune(policy, flags.dryRun ?? false);
        if (flags.json) return output.json(report);
        const verb = flags.dryRun ? "would be removed" : "removed";
        output.line(
          `${counted(report.removed.length, "artifact")} ${verb} (${counted(report.freedBytes, "byte")}), ${report.keptArtifacts} kept`,
        );
        if (report.pinned.length > 0) output.line(`${report.pinned.length} kept because a conversation refers to them`);
        for (const warning of report.warnings) context.io.stderr.write(`scouts: ${printable(warning)}\n`);
      }),
    );

  withCommonOptions(
    artifacts
      .command("regenerate")
      .description("run the call it came from again, when that changes nothing")
      .argument("<id>", "its id, as `scouts artifacts list` shows it"),
  ).action((id: string, flags: CommonOptions) =>
    withArtifacts(context, flags, async (opened, output) => {
      const { rerun } = await import("../../device/actions/rerun.ts");
      const kept = await opened.regenerate(id, (origin) =>
        rerun(origin, {
          artifacts: opened,
          dataFolder: dataFolderOf(context, flags),
          now: context.now,
          newId: context.newId,
        }),
      );
      if (kept.kind !== "file")
        throw new DeviceError("internal", { sentence: "The result could not be stored again." });
      if (flags.json) output.json(kept.metadata);
      else output.line(`stored as ${kept.metadata.id}`);
    }),
  );

  withCommonOptions(artifacts.command("stats").description("storage, and what artifacts saved")).action(
    (flags: CommonOptions) =>
      withArtifacts(context, flags, async (opened, output) => {
        const { sizeText } = await import("../../device/artifacts/description/context.ts");
        const { artifactMetrics } = await import("../../device/artifacts/metrics.ts");
        const metrics = await artifactMetrics(opened);
        if (flags.json) return output.json(metrics);
        const { stored, usage } = metrics;
        const kinds = Object.entries(stored.kinds).map(([kind, count]) => `${count} ${kind}`);
        const ofKinds = kinds.length === 0 ? "" : ` (${kinds.toSorted().join(", ")})`;
        output.line(
          `stored: ${counted(stored.artifacts, "artifact")}${ofKinds}, ${sizeText(stored.bytes)}, ${stored.pinned} in use`,
        );
        output.line(
          `context: ${counted(usage.contextTokensBefore, "token")} of results, ${usage.contextTokensAfter} shown`,
        );
        output.line(
          `access: ${usage.reads} reads, ${usage.searches} searches, ${usage.queries} queries, ${usage.references} filled in`,
        );
        output.line(
          `checks: ${usage.cacheHits} remembered, ${usage.cacheMisses} made; ${usage.corrupt} corrupt, ${usage.missing} missing`,
        );
        output.line(
          `clean-up: ${counted(usage.cleanups, "time")}, ${counted(usage.cleanedArtifacts, "artifact")}, ${sizeText(usage.cleanedBytes)}, ${counted(usage.cleanupFailures, "failure")}`,
        );
      }),
  );
}

async function newestFirst(artifacts: Artifacts): Promise<FileMetadata[]> {
  const found: FileMetadata[] = [];
  for await (const metadata of artifacts.list()) found.push(metadata);
  return found.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
}

async function showLines(
  session: ArtifactSession,
  output: Output,
  { id }: FileMetadata,
  { lines = "", json }: ShowFlags,
): Promise<void> {
  const [, from, to] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(lines) ?? [];
  if (from === undefined) throw new DeviceError("usage", { sentence: "--lines takes a number or two: 10-20." });
  const { artifactRead } = await import("../../device/artifacts/tools/artifact-read.ts");
  const [startLine, endLine] = [Number(from), Number(to ?? from)];
  const { facts, text = "" } = await artifactRead(session, { id, startLine, endLine, maxChars: 10_000_000 });
  if (json) output.json({ ...facts, text });
  else output.line(printableCode(text.replace(/\n$/, "")));
}
