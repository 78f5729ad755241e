import { type Command, InvalidArgumentError, Option } from "commander";
import type { Backend } from "../../device/access/policy/profiles.ts";
import { age } from "../../device/age.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions, withStore } from "../context.ts";
import { type Output, outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { projectNamed } from "../projects/project-named.ts";

interface CreateOptions extends CommonOptions {
  readonly project: string;
  readonly write?: boolean;
  readonly expires: number;
  readonly as: Backend;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const mostDays = 365;

/** A time such as 12h or 30d, in milliseconds. */
function lifetime(text: string): number {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  const ms = Number(count) * (unit === "h" ? hourMs : dayMs);
  if (ms > 0 && ms <= mostDays * dayMs) return ms;
  throw new InvalidArgumentError(`It is not a time such as 12h or 30d, up to ${mostDays}d.`);
}

/** `scouts files token …`: lets a program work on a project's files over HTTP, on this machine. */
export function addFileTokens(files: Command, context: CliContext): void {
  const group = files
    .command("token")
    .description("let programs work on a project's files over HTTP: create, list, revoke (docs/files.md)");

  const create = group.command("create").description("make a token; it is shown this once").argument("<name>", "whose");
  withCommonOptions(create)
    .requiredOption("--project <project>", "the one project it is for, by name or id")
    .option("--write", "it may change files too")
    .addOption(
      new Option("--expires <time>", "it ends by itself after so long: 12h, 30d")
        .argParser(lifetime)
        .default(30 * dayMs, "30d"),
    )
    .addOption(
      new Option("--as <backend>", "it is shown as much of a file as such a model is shown")
        .choices(["local", "cloud", "review"])
        .default("review"),
    )
    .action((name: string, flags: CreateOptions) =>
      withStore(context, flags, async (store, output) => {
        const { makeFileToken, tokenName } = await import("../../device/access/tokens/file-tokens.ts");
        const { DeviceError } = await import("../../device/errors.ts");
        if (!tokenName.safeParse(name).success) {
          const sentence = "A token's name has up to 60 letters, digits, blanks, dots, dashes and underscores.";
          throw new DeviceError("usage", { sentence });
        }
        const project = projectNamed(store, flags.project);
        const now = context.now();
        const { token, made } = makeFileToken(dataFolderOf(context, flags), {
          ...{ name, project: project.id, backend: flags.as, createdAt: now, endsAt: now + flags.expires },
          right: flags.write ? "write" : "read",
        });
        if (flags.json) return output.json({ ...made, token });
        output.line(token);
        const may = made.right === "write" ? "read and change" : "read";
        output.line(
          `${printable(name)} may ${may} the files of ${printable(project.name)} (${project.id}) until ${day(made.endsAt)}.`,
        );
        output.line(
          output.style("dim", "It is not shown again. Where it is used: `scouts console --print-address`, /v1/files"),
        );
      }),
    );

  withCommonOptions(group.command("list").description("tokens, what each may do, and until when")).action(
    (flags: CommonOptions) =>
      withStore(context, flags, async (store, output) => {
        const { fileTokens } = await import("../../device/access/tokens/file-tokens.ts");
        const tokens = fileTokens(dataFolderOf(context, flags));
        if (flags.json) return output.json(tokens);
        if (tokens.length === 0) return output.line("There is no token.");
        const now = context.now();
        const projectOf = (each: (typeof tokens)[number]) =>
          each.name === null ? "" : (store.projects.find(each.project)?.name ?? "(no such project)");
        table(output, tokens, [
          { title: "ID", cell: ({ id }) => id },
          { title: "NAME", cell: ({ name }) => name ?? "(damaged: revoke it)", fills: true },
          { title: "PROJECT", cell: projectOf },
          { title: "RIGHT", cell: (each) => (each.name === null ? "" : each.right) },
          { title: "AGE", cell: (each) => (each.name === null ? "" : age(each.createdAt, now)) },
          {
            title: "UNTIL",
            cell: (each) => (each.name === null ? "" : each.endsAt > now ? day(each.endsAt) : "ended"),
          },
        ]);
      }),
  );

  const revoke = group.command("revoke").description("end a token at once").argument("<token>", "its name or id");
  withCommonOptions(revoke).action(async (named: string, flags: CommonOptions) => {
    const { revokeFileToken } = await import("../../device/access/tokens/file-tokens.ts");
    const { id, name } = revokeFileToken(dataFolderOf(context, flags), named);
    told(outputOn(context.io), flags, { id, name });
  });
}

function told(output: Output, { json }: CommonOptions, revoked: { readonly id: string; readonly name: string | null }) {
  if (json) output.json(revoked);
  else output.line(`${printable(revoked.name ?? revoked.id)} opens nothing any more.`);
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ").concat(" UTC");
