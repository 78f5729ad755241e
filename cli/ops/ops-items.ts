import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { age } from "../../device/age.ts";
import { DeviceError } from "../../device/errors.ts";
import { scoutNamed } from "../../device/sources/scout-named.ts";
import { type ErrorCode, errorCodes } from "../../events/error-kinds.ts";
import { type ShownItem, type ShownItemStatus, shownItemStatus } from "../../events/http/items.ts";
import { type ItemRef, itemRef, type ScoutId, scoutId, type UserId, userId } from "../../events/ids.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { type CliContext, type CommonOptions, withCommonOptions } from "../context.ts";
import { counted } from "../output/counted.ts";
import { damagedLine } from "../output/damaged-line.ts";
import { type Output, outputOn } from "../output/output.ts";
import { table } from "../output/table.ts";
import { askScouts } from "../scouts/known-scouts.ts";
import { withHome } from "../scouts/scouts-home.ts";
import { type ItemSelection, type ItemsApi, itemsOfHome } from "./items-api.ts";

interface Flags extends CommonOptions {
  readonly scout?: string;
  readonly table?: string;
  readonly user?: UserId;
  readonly issuer?: string;
  readonly subject?: string;
}
interface ListFlags extends Flags {
  readonly status?: ShownItemStatus;
}
interface RedriveFlags extends Flags {
  readonly all?: boolean;
  readonly code?: ErrorCode;
}

/** Where to look, and what scouts are called there as far as that can be read. */
interface Place {
  readonly door: ItemsApi;
  readonly scout: ScoutId | undefined;
  readonly names: ReadonlyMap<string, string>;
  readonly output: Output;
}

const scoutOption = ["--scout <scout>", "only this scout's: its name, or the beginning of its id"] as const;

function asRef(text: string): ItemRef {
  const ref = itemRef.safeParse(text);
  if (!ref.success) throw new InvalidArgumentError("It is not a ref of an item.");
  return ref.data;
}

function asCode(text: string): ErrorCode {
  const code = errorCodes.find((each) => each === text);
  if (code === undefined) throw new InvalidArgumentError("There is no such code; `scouts ops items list` shows them.");
  return code;
}

function asUser(text: string): UserId {
  const user = userId.safeParse(text);
  if (!user.success) throw new InvalidArgumentError("It is not the id of a person, as the log has it: usr_…");
  return user.data;
}

/** @throws DeviceError `usage` */
function personOf({ user, issuer, subject }: Flags): UserId {
  if (user !== undefined) return user;
  if (issuer !== undefined && subject !== undefined) return userIdOf(issuer, subject);
  throw new DeviceError("usage", { sentence: "Say whose: --user, or --issuer and --subject." });
}

/** Names of a deployed Ledger are sealed. @throws DeviceError `usage` */
function idOf(text: string): ScoutId {
  const id = scoutId.safeParse(text);
  if (id.success) return id.data;
  throw new DeviceError("usage", { sentence: "With --table, --scout is the whole id of a scout." });
}

async function withItems(context: CliContext, flags: Flags, work: (place: Place) => Promise<void>): Promise<void> {
  if (flags.table === undefined) {
    return withHome(context, flags, async (api, output) => {
      const scouts = await askScouts(context, flags, api);
      const scout = flags.scout === undefined ? undefined : scoutNamed(scouts, flags.scout).id;
      const names = new Map<string, string>(scouts.map(({ id, name }) => [id, name]));
      await work({ door: itemsOfHome(api), scout, names, output });
    });
  }
  const scout = flags.scout === undefined ? undefined : idOf(flags.scout);
  const person = personOf(flags);
  const { onDeployedItems } = await import("./deployed-items.ts");
  const output = outputOn(context.io);
  return onDeployedItems(flags.table, person, (door) => work({ door, scout, names: new Map(), output }));
}

/** Options of both commands. */
function withPlace(command: Command): Command {
  return withCommonOptions(command)
    .option(...scoutOption)
    .option("--table <name>", "a deployed Ledger, with the credentials and region of the environment, not the home")
    .option("--user <id>", "with --table: whose, by the id the log has", asUser)
    .option("--issuer <url>", "with --table: whose, by the issuer of their tokens (`iss`)")
    .option("--subject <id>", "and as it names them (`sub`)");
}

function show(output: Output, items: readonly ShownItem[], names: Place["names"], nowMs: number): void {
  if (items.length === 0) {
    output.line("No item is without a verdict.");
    return;
  }
  table(output, items, [
    { title: "SINCE", cell: ({ since }) => (since === null ? "" : age(since, nowMs)) },
    { title: "SCOUT", cell: ({ scoutId }) => names.get(scoutId) ?? scoutId, least: 8 },
    { title: "STATUS", cell: ({ status }) => status },
    { title: "CODE", cell: ({ code }) => code ?? "" },
    { title: "ATTEMPTS", cell: ({ attempts }) => String(attempts) },
    { title: "REF", cell: ({ ref }) => ref },
  ]);
  const damaged = items.filter(({ code }) => code === "row_damaged").length;
  if (damaged > 0) output.line(output.style("yellow", damagedLine(damaged)));
  const givenUp = items.some(({ status }) => status === "dead" || status === "unjudged");
  if (givenUp) output.line(output.style("dim", "Once the cause is mended: scouts ops items redrive REF, or --all"));
}

function selectionOf(refs: readonly ItemRef[], { all, code }: RedriveFlags): ItemSelection {
  const ways: ItemSelection[] = [
    ...(refs.length > 0 ? [{ refs }] : []),
    ...(code === undefined ? [] : [{ code }]),
    ...(all ? [{ all: true as const }] : []),
  ];
  const [way, another] = ways;
  if (way !== undefined && another === undefined) return way;
  throw new DeviceError("usage", { sentence: "Say which items: their refs, --code, or --all; one of the three." });
}

/** `scouts ops items …`: what has no verdict, and having it judged anew. */
export function addItems(ops: Command, context: CliContext): void {
  const items = ops.command("items").description("items without a verdict");

  const list = items
    .command("list")
    .summary("what waits, was set aside, or is shown without a verdict")
    .description(
      "Lists your items without a verdict, asked of the running home: `deferred` and `failed` are tried again by " +
        "themselves, `dead` could not be read, `unjudged` is shown to you as it is.",
    )
    .addOption(new Option("--status <status>", "only these").choices(shownItemStatus.options));
  withPlace(list).action((flags: ListFlags) =>
    withItems(context, flags, async ({ door, scout, names, output }) => {
      const found = await door.list(flags.status, scout);
      if (flags.json) output.json(found);
      else show(output, found, names, context.now());
    }),
  );

  const again = items
    .command("redrive")
    .summary("have items judged anew")
    .description(
      "Has items judged anew once the cause is mended, within a minute: those that were set aside, and those that are " +
        "shown without a verdict, which stay shown meanwhile. Asking twice changes nothing.",
    )
    .addArgument(new Argument("[ref...]", "refs, as `scouts ops items list` shows them").argParser(collectRefs))
    .option("--all", "all that were set aside or are shown without a verdict")
    .option("--code <code>", "of those, all with this code", asCode);
  withPlace(again).action((refs: readonly ItemRef[] | undefined, flags: RedriveFlags) => {
    const wanted = selectionOf(refs ?? [], flags);
    return withItems(context, flags, async ({ door, scout, output }) => {
      const done = await door.redrive(wanted, scout);
      if (flags.json) return output.json(done);
      const rest = done.refused > 0 ? `; ${done.refused} could not be: see scouts ops items list` : "";
      output.line(`${counted(done.redriven, "item")} brought back${rest}`);
    });
  });
}

function collectRefs(text: string, before: readonly ItemRef[] | undefined): readonly ItemRef[] {
  return [...(before ?? []), asRef(text)];
}
