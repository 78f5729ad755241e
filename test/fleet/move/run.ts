import { SeededRandom } from "../../simulation/random.ts";
import { type Mistake, movePerson } from "./steps.ts";
import { judge, look, type Process, requeue } from "./workers.ts";
import { type CellRows, World } from "./world.ts";

export interface MoveOptions {
  readonly seed: number;
  /** Whoever moves dies when it has made so many pauses; another takes the move up. */
  readonly killedAfter?: number;
  /** It does not die but sleeps, and goes on when the other has ended. */
  readonly sleepsInstead?: boolean;
  readonly mistake?: Mistake;
}

export interface MoveReport {
  readonly lost: number;
  readonly twice: number;
  readonly arrived: number;
  /** Pauses of the first who moved: places where it can be killed. */
  readonly pauses: number;
}

const mails = 25;
const beforeMove = 60;
const crashShare = 0.03;
const turnsAtMost = 20_000;

/** Mail comes, workers look and judge and die, while a person is moved; then all that is left is worked off. */
export function runMove({ seed, killedAfter, sleepsInstead, mistake }: MoveOptions): MoveReport {
  const random = new SeededRandom(seed);
  const world = new World(random);
  const workers: Process[] = [];
  let mover: Process | undefined;
  let sleeping: Process | undefined;
  let isKilled = killedAfter === undefined;
  let pauses = 0;
  for (world.now = 1; world.now < turnsAtMost; world.now += 1) {
    const isQuiet = world.arrived === mails;
    arrive(world, isQuiet);
    begin(world, workers, isQuiet);
    advance(workers, random, isQuiet);
    if (world.now < beforeMove) continue;
    if (random.chance(0.5)) {
      mover ??= movePerson(world, mistake);
      const hasEnded = mover.next().done;
      if (!hasEnded) pauses += 1;
      if (!isKilled && pauses === killedAfter) {
        isKilled = true;
        if (sleepsInstead) sleeping = mover;
        mover = undefined;
      } else if (hasEnded && sleeping) {
        [mover, sleeping] = [sleeping, undefined];
      }
    }
    if (isQuiet && world.directory.step === "done" && !sleeping && isWorkedOff(world, workers)) break;
  }
  return { ...world.balance(), arrived: world.arrived, pauses };
}

/** A push tells the cell that watches the mailbox; some are lost, and the timer looks all the same. */
function arrive(world: World, isQuiet: boolean): void {
  const { random, cells, directory } = world;
  if (!isQuiet && random.chance(0.15)) {
    world.arrived += 1;
    if (random.chance(0.9)) world.send(cells[directory.cell].sync, 0);
  }
  for (const cell of Object.values(cells)) {
    const isIdle = cell.scout?.state === "atWork" && cell.sync.size === 0 && cell.scout.cursor < world.arrived;
    if (isIdle && random.chance(0.1)) world.send(cell.sync, 0);
  }
}

function begin(world: World, workers: Process[], isQuiet: boolean): void {
  const { random } = world;
  for (const cell of Object.values(world.cells)) {
    if (waits(cell.sync) && random.chance(0.5)) workers.push(look(world, cell));
    if (waits(cell.triage) && random.chance(0.5)) workers.push(judge(world, cell));
    if (cell.triage.size === 0 && random.chance(isQuiet ? 0.3 : 0.05)) workers.push(requeue(world, cell));
  }
}

/** Any of those at work goes on, for a few port calls; now and then one dies instead. */
function advance(workers: Process[], random: SeededRandom, isQuiet: boolean): void {
  for (let calls = 3; calls > 0 && workers.length > 0; calls -= 1) {
    const at = random.int(0, workers.length - 1);
    const worker = workers[at];
    const dies = !isQuiet && random.chance(crashShare);
    if (dies) worker?.return();
    if (dies || worker?.next().done) workers.splice(at, 1);
  }
}

const waits = (queue: CellRows["sync"]) => [...queue].some(({ inFlight }) => !inFlight);

function isWorkedOff({ cells, directory }: World, workers: readonly Process[]): boolean {
  const { scout, items, sync, triage } = cells[directory.cell];
  const left = sync.size + triage.size + cells.old.sync.size + cells.old.triage.size + workers.length;
  const nothingWaits = [...items.values()].every((row) => row === "judged");
  return left === 0 && nothingWaits && (scout === undefined || scout.cursor === mails);
}
