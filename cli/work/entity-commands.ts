import type { Command } from "commander";
import type { DeviceStore } from "../../device/store/open.ts";
import { addEntity, editEntity, eraseEntity, removeEntity } from "../../device/work/change-entities.ts";
import { type Draft, type EntityKind, type EntityTypes, titleOf } from "../../device/work/entities.ts";
import { commandOf, entityNamed, idNamed, kindNames } from "../../device/work/find-entity.ts";
import { undoChange } from "../../device/work/undo-change.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions, withStore, zoneOf } from "../context.ts";
import { counted } from "../output/counted.ts";
import { facts } from "../output/facts.ts";
import { tellThatOlderMayBe } from "../output/newest.ts";
import type { Output } from "../output/output.ts";
import { printable, printableLines } from "../output/printable.ts";
import { type Column, table } from "../output/table.ts";
import { whenPart } from "./date-options.ts";
import { showHistory } from "./shown-history.ts";

/** What tells the commands of one kind of work from those of another. */
export interface WorkCommands<K extends EntityKind, F extends CommonOptions> {
  readonly kind: K;
  readonly description: string;
  /** What follows `add`: the words that name it. */
  readonly named: { readonly argument: string; readonly description: string; readonly field: keyof Draft<K> & string };
  /** Adds the options that say something of it, to `add` and `edit`. */
  readonly options: (command: Command) => Command;
  /** What the options say; `before` is the one that is changed. */
  readonly draft: (store: DeviceStore, flags: F, before?: EntityTypes[K]) => Draft<K> | Promise<Draft<K>>;
  readonly columns: (store: DeviceStore) => readonly Column<EntityTypes[K]>[];
  readonly facts: (store: DeviceStore, entity: EntityTypes[K]) => readonly (readonly [string, string])[];
  /** Its longer text. */
  readonly text: (entity: EntityTypes[K]) => string;
}

/** The draft of a title given as words: the field it fills differs by kind. */
type Named<K extends EntityKind> = (title: string) => Draft<K>;

interface UndoFlags extends CommonOptions {
  readonly change?: number;
}

/** The verbs every kind of work has, but for `list`: add, show, edit, remove, undo, history. */
export function addVerbs<K extends EntityKind, F extends CommonOptions>(
  program: Command,
  context: CliContext,
  commands: WorkCommands<K, F>,
  named: Named<K>,
): Command {
  const { kind } = commands;
  const { a, one, many } = kindNames[kind];
  const which = `id of ${a}, its end, or (a part of) its ${commands.named.field}`;
  const group = program.command(commandOf(kind)).description(commands.description);

  const add = group
    .command("add")
    .description(`make ${a}`)
    .argument(`<${commands.named.argument}...>`, commands.named.description);
  withCommonOptions(commands.options(add)).action((words: string[], flags: F) =>
    withStore(context, flags, async (store, output) => {
      const draft = { ...(await commands.draft(store, flags)), ...named(words.join(" ")) };
      told(context, output, flags, "added", addEntity(store, kind, draft, context.now()));
    }),
  );

  const show = group.command("show").description(`show one ${one}`).argument(`<${one}>`, which);
  withCommonOptions(show).action((text: string, flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const found = entityNamed(store, kind, text);
      if (flags.json) output.json(found);
      else showEntity(output, store, commands, found);
    }),
  );

  const edit = group
    .command("edit")
    .description(`change what ${a} says; what is not given stays`)
    .argument(`<${one}>`, which)
    .option(`--${commands.named.field} <text>`, `another ${commands.named.field}`);
  withCommonOptions(commands.options(edit)).action((text: string, flags: F & Record<string, unknown>) =>
    withStore(context, flags, async (store, output) => {
      const before = entityNamed(store, kind, text);
      const title = flags[commands.named.field];
      const draft = {
        ...(await commands.draft(store, flags, before)),
        ...(typeof title === "string" ? named(title) : {}),
      };
      const edited = editEntity(store, kind, before.id, draft, context.now());
      told(context, output, flags, edited.updatedAt === before.updatedAt ? "unchanged" : "changed", edited);
    }),
  );

  const remove = group
    .command("remove")
    .description(`take ${a} away; \`undo\` brings it back`)
    .argument(`<${one}>`, which)
    .option("--for-good", "forget its history too: nothing brings it back");
  withCommonOptions(remove).action((text: string, flags: CommonOptions & { forGood?: boolean }) =>
    withStore(context, flags, (store, output) => {
      if (flags.forGood === true) {
        const id = idNamed(store, kind, text);
        eraseEntity(store, kind, id);
        if (flags.json) output.json({ id, erased: true });
        else output.line(`erased  ${id}`);
      } else told(context, output, flags, "removed", removeEntity(store, kind, entityNamed(store, kind, text).id));
    }),
  );

  const undo = group
    .command("undo")
    .summary(`take the last change of ${a} back`)
    .description(
      `Takes the newest change of ${a} back that stands, or the one named by its number, as the history shows it; ` +
        "that may be an undo. What something newer rests on is not taken back.",
    )
    .argument(`<${one}>`, `${which}; also of one that was removed`)
    .option("--change <number>", "which change", wholeNumber(1, 999_999_999_999));
  withCommonOptions(undo).action((text: string, flags: UndoFlags) =>
    withStore(context, flags, (store, output) => {
      const { change, entity, title } = undoChange(store, kind, idNamed(store, kind, text), flags.change);
      if (flags.json) output.json({ change: change.number, undoes: change.undoes, entity });
      else {
        const end = entity === null ? "  (it is gone)" : "";
        output.line(`undone  ${printable(title)}  change ${change.undoes}${end}`);
      }
    }),
  );

  const history = group
    .command("history")
    .description(`what was done to ${a}, or to all ${many}, newest first`)
    .argument(`[${one}]`, `${which}; also of one that was removed`)
    .option("--limit <number>", "at most so many (default: 50)", wholeNumber(1, 100_000));
  withCommonOptions(history).action((text: string | undefined, flags: CommonOptions & { limit?: number }) =>
    withStore(context, flags, (store, output) => {
      const limit = flags.limit ?? 50;
      const changes =
        text === undefined
          ? store.entityChanges.latest(kind, limit)
          : store.entityChanges
              .of(idNamed(store, kind, text))
              .toReversed()
              .slice(0, limit);
      if (flags.json) output.json(changes);
      else {
        showHistory(output, store, changes, context.now());
        tellThatOlderMayBe(output, changes, limit);
      }
    }),
  );
  return group;
}

/** Rows of a kind, and how many they are. */
export function showList<K extends EntityKind, F extends CommonOptions>(
  output: Output,
  store: DeviceStore,
  commands: WorkCommands<K, F>,
  rows: readonly EntityTypes[K][],
): void {
  const { one, many } = kindNames[commands.kind];
  if (rows.length === 0) output.line(`No ${many}.`);
  else {
    table(output, rows, commands.columns(store));
    output.line(output.style("dim", counted(rows.length, one, many)));
  }
}

/** Says what was done to one; to a program, all of it. */
export function told(
  context: CliContext,
  output: Output,
  flags: CommonOptions,
  verb: string,
  entity: EntityTypes[EntityKind],
): void {
  if (flags.json) output.json(entity);
  else output.line(`${verb}  ${printable(titleOf(entity))}  ${whenPart(entity, zoneOf(context))}${entity.id}`);
}

function showEntity<K extends EntityKind, F extends CommonOptions>(
  output: Output,
  store: DeviceStore,
  commands: WorkCommands<K, F>,
  entity: EntityTypes[K],
): void {
  output.line(output.style("bold", printable(titleOf(entity))));
  const { sourceSuggestionId, id } = entity;
  const pairs = [
    ...commands.facts(store, entity),
    ["id", id] as const,
    ...(sourceSuggestionId === null ? [] : [["from", `proposal ${sourceSuggestionId}`] as const]),
  ];
  facts(
    output,
    pairs.filter(([, value]) => value !== ""),
  );
  const text = commands.text(entity);
  if (text !== "") output.line(`\n${printableLines(text)}`);
}
