import type { CellRows, World } from "./world.ts";

/** A process pauses at each port call, and may die there; messages it holds come again then. */
export type Process = Generator<void, void, void>;

const refusedShare = 0.15;

/** What a sync worker does with a hint (shared/scouts/sync/sync.ts): queue what is new, then move the cursor. */
export function* look(world: World, cell: CellRows): Process {
  const hint = world.receive(cell.sync);
  if (!hint) return;
  try {
    yield;
    const scout = cell.scout;
    if (scout?.state === "atWork") {
      yield;
      const listed = world.arrived;
      for (let ref = scout.cursor + 1; ref <= listed; ref += 1) {
        yield;
        world.send(cell.triage, ref);
      }
      yield;
      // Only by who finds the row as it was read.
      if (cell.scout?.version === scout.version) cell.scout = { ...scout, cursor: listed, version: scout.version + 1 };
    }
    yield;
    cell.sync.delete(hint);
  } finally {
    hint.inFlight = false;
  }
}

/** What a triage worker does with an item; a held person's is left as a row. */
export function* judge(world: World, cell: CellRows): Process {
  const message = world.receive(cell.triage);
  if (!message) return;
  const { ref } = message;
  try {
    yield;
    const before = cell.items.get(ref);
    yield;
    const scout = cell.scout;
    if (before !== "judged" && scout) {
      const waits = scout.state === "held" || world.random.chance(refusedShare);
      yield;
      if (waits) {
        if (cell.items.get(ref) !== "judged") cell.items.set(ref, "waiting");
      } else {
        // Reading the mail and asking the model.
        yield;
        if (cell.items.get(ref) !== "judged") {
          cell.items.set(ref, "judged");
          world.verdicts.set(ref, (world.verdicts.get(ref) ?? 0) + 1);
        }
      }
    }
    yield;
    cell.triage.delete(message);
  } finally {
    message.inFlight = false;
  }
}

/** The cron that queues again what waits, whoever it belongs to. */
export function* requeue(world: World, cell: CellRows): Process {
  for (const [ref, row] of [...cell.items]) {
    if (row !== "waiting") continue;
    yield;
    world.send(cell.triage, ref);
  }
}
