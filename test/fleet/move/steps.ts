import type { Process } from "./workers.ts";
import type { CellRows, Message, Step, World } from "./world.ts";

/** How a move can be done wrong: each is tried, to see whether a run notices. */
export const mistakes = [
  "switches before it has drained",
  "copies before it holds",
  "does not hold",
  "drains without what is in flight",
  "leaves behind what waits",
  "erases before it copies",
] as const;
export type Mistake = (typeof mistakes)[number];

/**
 * Takes a person from the old cell to the new one. The directory says which step is under way; every step can be made twice,
 * and a step that was begun by one who died is begun anew:
 *
 *   hold     the old cell lists no more mail of theirs (it stays in the mailbox), and judges nothing more
 *   drain    until no message that was sent before is left, in flight or not: whoever began earlier has ended
 *   copy     rows, those that wait as well, then the scout with its cursor, which rests there
 *   switch   one conditional write: from now on they are at home in the new cell
 *   release  the new cell watches the mailbox and lists from the cursor on: what came meanwhile is found
 *   erase    the old cell forgets them
 */
export function* movePerson(world: World, mistake?: Mistake): Process {
  const { directory } = world;
  const { old: from, new: to } = world.cells;
  for (;;) {
    yield;
    const { step } = directory;
    switch (step) {
      case "hold":
        if (mistake === "copies before it holds") yield* copy(from, to);
        if (mistake === "erases before it copies") yield* erase(from);
        if (from.scout && mistake !== "does not hold")
          from.scout = { ...from.scout, state: "held", version: from.scout.version + 1 };
        directory.heldAt = world.now;
        yield;
        next(world, step, mistake === "switches before it has drained" ? "copy" : "drain");
        break;
      case "drain":
        while (!isDrained(world, from, mistake)) yield;
        next(world, step, mistake === "copies before it holds" ? "switch" : "copy");
        break;
      case "copy":
        yield* copy(from, to, mistake);
        next(world, step, "switch");
        break;
      case "switch":
        if (directory.step === "switch") Object.assign(directory, { cell: "new", step: "release" });
        break;
      case "release":
        if (to.scout?.state === "held") to.scout = { ...to.scout, state: "atWork", version: to.scout.version + 1 };
        yield;
        world.send(to.sync, 0);
        yield;
        next(world, step, "erase");
        break;
      case "erase":
        yield* erase(from);
        next(world, step, "done");
        break;
      case "done":
        return;
    }
  }
}

/** On the condition that the step is still the one that was made: one who wakes late changes nothing. */
function next({ directory }: World, made: Step, following: Step): void {
  if (directory.step === made) directory.step = following;
}

/** As the age of a queue's oldest message shows it, which counts those in flight. */
function isDrained({ directory }: World, cell: CellRows, mistake: Mistake | undefined): boolean {
  const ignoresInFlight = mistake === "drains without what is in flight";
  const before = (message: Message) => message.sentAt <= directory.heldAt && !(ignoresInFlight && message.inFlight);
  return ![...cell.sync, ...cell.triage].some(before);
}

/** A row that is there already is newer, unless it waits and this one is judged. */
function* copy(from: CellRows, to: CellRows, mistake?: Mistake): Process {
  for (const [ref, row] of [...from.items]) {
    yield;
    if (mistake === "leaves behind what waits" && row === "waiting") continue;
    if (to.items.get(ref) !== "judged") to.items.set(ref, row);
  }
  yield;
  if (from.scout) to.scout ??= { ...from.scout, state: "held", version: 1 };
}

function* erase(from: CellRows): Process {
  yield;
  from.scout = undefined;
  for (const ref of [...from.items.keys()]) {
    yield;
    from.items.delete(ref);
  }
}
