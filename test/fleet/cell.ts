import type { SeededRandom } from "../simulation/random.ts";
import type { Books } from "./books.ts";
import { Bucket } from "./bucket.ts";
import { type Day, secondsADay } from "./day.ts";
import { Devices } from "./devices.ts";
import type { Values } from "./figures.ts";
import { type Budgets, eachLimit, type Limit, type LimitName, limitsOf } from "./limits.ts";
import { binomial, poisson } from "./poisson.ts";
import type { ServiceTimes } from "./service-times.ts";
import { Usage } from "./usage.ts";
import { type Cohort, Later, nextTry, split, total, Waiting } from "./waiting.ts";
import { Workers } from "./workers.ts";

export interface CellOptions {
  readonly people: number;
  readonly values: Values;
  readonly budgets: Budgets;
  readonly day: Day;
  readonly random: SeededRandom;
  readonly serviceTimes: ServiceTimes;
  /** Hears how long verdicts took that came of pushes of a second. */
  readonly onJudged?: (origin: number, seconds: number, count: number) => void;
}

/** Frames, posts, functions and writes of a connection, from ticket to goodbye (test/cost/month.ts, `presence`). */
const ofAConnection = { requests: 8, invocations: 6, writes: 3 } as const;
/** Retries of writes that were throttled: seconds, doubled each time (shared/outcome/next-try.ts). */
const faultSeconds = 2;
const longestRefusalSeconds = 120;

/**
 * One deployment in an account of its own, second by second: mail is announced, looked up, judged and posted, as fast as
 * the limits of the account let it. People are numbers here; only cohorts of mail that came in the same second are told apart.
 */
export class Cell {
  people: number;
  /** Who is being moved: nobody looks for their mail, which stays in their mailboxes. */
  heldPeople = 0;
  readonly held = new Waiting();
  readonly usage: Usage;
  /** What was refused; of workers and the timer: what was left for the next second, or minute. */
  readonly throttles: Record<LimitName, number>;
  readonly sync: Workers;
  readonly triage: Workers;
  /** The most that waited at any time. */
  mostWaiting = { count: 0, atSecond: 0 };
  readonly #options: CellOptions;
  readonly #devices: Devices;
  readonly #limits: Readonly<Record<LimitName, Limit>>;
  readonly #buckets: Readonly<Record<LimitName, Bucket>>;
  /** Pushes that were refused, to be sent again. */
  readonly #pushes = new Later();
  /** Mail that was announced, or has come since its scout's last look, and is not on the Triage queue yet. */
  readonly #unlisted = new Waiting();
  readonly #triageQueue = new Waiting();
  /** Items that wait for a rate, or for a store that throttled. */
  readonly #deferred = new Later();
  /** Messages of the Sync queue: hints by pushes, and by the timer. */
  #hints = 0;
  #polls = 0;
  #duePolls = 0;
  #waitingConnections = 0;
  #posts = 0;
  #acks = 0;
  /** Of this second: writes of the table, units of Gmail, hints by pushes. */
  #written = 0;
  #units = 0;
  #sent = 0;
  #arrived = 0;
  #proposed = 0;
  #hidden = 0;
  #failed = 0;

  constructor(options: CellOptions) {
    const { budgets, values } = options;
    this.#options = options;
    this.people = options.people;
    this.#devices = new Devices(values, options.day, options.random);
    this.#limits = limitsOf(values);
    this.usage = new Usage(this.#limits);
    this.throttles = eachLimit(this.#limits, () => 0);
    const depths: Partial<Record<LimitName, number>> = {
      gateway: values.gatewayBurst,
      gmailUnits: budgets.gmailUnits * this.#limits.gmailUnits.windowSeconds,
      modelTokens: budgets.modelTokens * this.#limits.modelTokens.windowSeconds,
    };
    this.#buckets = eachLimit(this.#limits, (name) => new Bucket(budgets[name], depths[name]));
    const { syncBatch: batch, syncSeconds: seconds, executionsASecond: growth } = values;
    this.sync = new Workers({ most: budgets.syncConcurrency, batch, seconds, growth });
    this.triage = new Workers({
      most: Math.min(budgets.triageConcurrency, budgets.inFlight / values.triageBatch),
      batch: values.triageBatch,
      seconds: values.triageSeconds,
      growth: values.pollersASecond,
    });
  }

  get books(): Books {
    const queued = this.#pushes.size + this.#unlisted.size + this.#triageQueue.size + this.#deferred.size;
    return {
      arrived: this.#arrived,
      proposed: this.#proposed,
      hidden: this.#hidden,
      failed: this.#failed,
      waiting: queued + this.held.size,
    };
  }

  /** When the oldest item that is queued here arrived. */
  get oldestQueued(): number | undefined {
    const oldest = [this.#unlisted.oldest, this.#triageQueue.oldest].filter((origin) => origin !== undefined);
    return oldest.length > 0 ? Math.min(...oldest) : undefined;
  }

  /** What happens in a second, counted from the first midnight. */
  step(second: number): void {
    for (const bucket of Object.values(this.#buckets)) bucket.refill();
    this.#written = 0;
    this.#units = 0;
    const news = this.#arrivals(second, this.people);
    this.held.push({ origin: second, count: this.#arrivals(second, this.heldPeople), tries: 0 });
    const pushes = [{ origin: second, count: news, tries: 0 }, ...this.#pushes.due(second)];
    const granted = this.#front(second, pushes);
    this.#poll(second);
    this.#look(second, granted);
    this.#judge(second, granted);
    this.usage.note("tableWrites", second, this.#written);
    this.usage.note("gmailUnits", second, this.#units);
    this.usage.note("gmailDay", second, this.#units);
    const { waiting } = this.books;
    if (waiting > this.mostWaiting.count) this.mostWaiting = { count: waiting, atSecond: second };
  }

  /** People come from another cell, with the mail that has waited for them in their mailboxes. */
  adopt(people: number, mail: readonly Cohort[]): void {
    this.people += people;
    this.#hints += people;
    for (const cohort of mail) this.#unlisted.push(cohort);
    this.#arrived += total(mail);
  }

  /** From now on nobody here looks for the mail of so many people. */
  hold(people: number): void {
    this.people -= people;
    this.heldPeople += people;
  }

  /** Those who were held go, and their mail with them: it never was this cell's. */
  release(): Cohort[] {
    const mail = this.held.take(this.held.size);
    this.heldPeople = 0;
    this.#arrived -= total(mail);
    return mail;
  }

  #arrivals(second: number, people: number): number {
    const { values, day, random } = this.#options;
    const weight = day.mail[second % secondsADay] ?? 0;
    const count = poisson(random, (people * values.mailsADay * weight) / secondsADay);
    this.#arrived += count;
    return count;
  }

  /** What comes in over API Gateway: pushes, and devices. @returns the share of the executions wanted that there are */
  #front(second: number, pushes: readonly Cohort[]): number {
    const { values, budgets } = this.#options;
    const pulls = this.#devices.pulls(second, this.people);
    const coming = this.#devices.connections(second, this.people);
    const wanted = this.#waitingConnections + coming;
    const connections = this.#buckets.connections.takeWhole(wanted);
    this.#waitingConnections = wanted - connections;
    // Devices wait longer and longer between tries: each counts once.
    this.throttles.connections += Math.min(coming, this.#waitingConnections);
    this.usage.note("connections", second, connections);

    const announced = total(pushes);
    const requests = announced + 2 * pulls + ofAConnection.requests * connections + this.#posts + this.#acks;
    const passed = this.#take("gateway", requests);
    const share = requests > 0 ? passed / requests : 1;
    this.usage.note("gateway", second, passed);

    const calls = pulls + ofAConnection.invocations * connections + this.#acks;
    const front = share * (announced * values.webhookSeconds + calls * values.socketSeconds);
    const workers = this.sync.executions + this.triage.executions;
    const granted = Math.min(1, budgets.executions / Math.max(front + workers, 1e-9));
    this.usage.note("executions", second, front + workers);

    const { first, rest } = split(pushes, announced * share * granted);
    const sent = split(first, this.#buckets.syncMessages.takeWhole(total(first)));
    this.throttles.executions += Math.round(announced * share * (1 - granted));
    this.throttles.syncMessages += total(sent.rest);
    this.#sent = total(sent.first);
    this.#hints += this.#sent;
    for (const cohort of sent.first) this.#unlisted.push(cohort);
    for (const cohort of [...sent.rest, ...rest]) {
      this.#pushes.push(nextTry(second, cohort, values.pushRetryLeast, values.pushRetryMost), cohort);
    }
    this.#written += this.#take("tableWrites", ofAConnection.writes * connections);
    this.#acks = 0;
    this.#posts = 0;
    return granted;
  }

  /** A scout is due a quarter of an hour after its last look; a tick of the cron reads all that are. */
  #poll(second: number): void {
    const { values, random, budgets } = this.#options;
    if (second % values.pollEverySeconds === 0) {
      const others = Math.max(0, this.people - this.#duePolls);
      const share = values.pollEverySeconds / values.pollIntervalSeconds;
      this.#duePolls += Math.min(others, poisson(random, others * share));
    }
    // Where nothing bounds the cron, it takes its minute for what it has.
    const pace = this.#duePolls / (values.pollEverySeconds - (second % values.pollEverySeconds));
    const polled = budgets.polls === Number.POSITIVE_INFINITY ? Math.ceil(pace) : this.#take("polls", this.#duePolls);
    this.#duePolls -= polled;
    this.#polls += polled;
    this.usage.note("polls", second, polled);
    this.usage.note("syncMessages", second, this.#sent + polled);
  }

  /** A look finds all that has come for its scout: the hints that are left of it then find nothing. */
  #look(second: number, granted: number): void {
    const { values } = this.#options;
    const waiting = this.#hints + this.#polls;
    const byPush = waiting > 0 ? this.#hints / waiting : 0;
    // Each look writes when the next one is due; before one by the timer, the timer has.
    const dueWrites = values.dueWritesAChange * (byPush + 2 * (1 - byPush));
    const could = this.sync.take(waiting, granted);
    this.throttles.syncConcurrency += waiting - could;
    const written = this.#take("tableWrites", this.#take("dueWrites", could, dueWrites), values.writesASync);
    const looked = this.#take("gmailUnits", written, values.gmailUnitsASync);
    const ofHints = Math.min(this.#hints, Math.round(looked * byPush));
    this.#hints -= ofHints;
    this.#polls = Math.max(0, this.#polls - (looked - ofHints));
    const scouts = this.people * (1 - Math.exp(-waiting / Math.max(1, this.people)));
    const found = looked >= waiting ? this.#unlisted.size : (this.#unlisted.size * looked) / Math.max(1, scouts);
    for (const cohort of this.#unlisted.take(found)) this.#triageQueue.push({ ...cohort, queuedAt: second });
    this.#written += looked * values.writesASync;
    this.usage.note("syncConcurrency", second, this.sync.executions);
    this.usage.note("dueWrites", second, looked * dueWrites);
    this.#units += looked * values.gmailUnitsASync + (this.people * values.gmailUnitsAWatch) / secondsADay;
  }

  #judge(second: number, granted: number): void {
    const { values } = this.#options;
    for (const cohort of this.#deferred.due(second)) this.#triageQueue.push({ ...cohort, queuedAt: second });
    this.#triageQueue.drop(second - values.keptSeconds);
    const waiting = this.#triageQueue.size;
    const batch = this.#triageQueue.take(this.triage.take(waiting, granted));
    this.throttles.triageConcurrency += waiting - total(batch);

    const kept = split(batch, this.#take("tableWrites", total(batch), values.writesAMail));
    for (const { origin, count, tries } of kept.rest) this.#storeRefused(second, { origin, count, tries: tries + 1 });
    const read = split(kept.first, this.#take("gmailUnits", total(kept.first), values.gmailUnitsARead));
    for (const cohort of read.rest) this.#refused(second, cohort);
    const asked = split(read.first, this.#take("modelTokens", total(read.first), values.tokensAMail));
    for (const cohort of asked.rest) this.#deferred.push(second + values.rateLimitedSeconds, cohort);
    for (const cohort of asked.first) this.#judged(second, cohort);

    const judged = total(asked.first);
    this.#written += judged * values.writesAMail;
    this.#units += total(read.first) * values.gmailUnitsARead;
    this.usage.note("triageConcurrency", second, this.triage.executions);
    this.usage.note("inFlight", second, this.triage.executions * values.triageBatch);
    this.usage.note("modelTokens", second, judged * values.tokensAMail);
  }

  #judged(second: number, { origin, count }: Cohort): void {
    const { values, random, serviceTimes, onJudged } = this.#options;
    const hidden = binomial(random, count, 1 - values.relevantShare);
    const proposed = count - hidden;
    this.#hidden += hidden;
    this.#proposed += proposed;
    const connected = this.#devices.share(second);
    this.#acks += binomial(random, proposed, connected);
    this.#posts += Math.round(proposed * connected * values.devices * values.postsARelevantMail);
    if (!onJudged) return;
    for (const [share, seconds] of serviceTimes.drawn(random, count))
      onJudged(origin, second - origin + seconds, share);
  }

  /** The source refuses: a second or two, then as long again as it has been, two minutes at most. */
  #refused(second: number, cohort: Cohort): void {
    this.#deferred.push(nextTry(second, cohort, 2, longestRefusalSeconds), cohort);
  }

  #storeRefused(second: number, cohort: Cohort): void {
    if (cohort.tries >= this.#options.values.itemFaults) this.#failed += cohort.count;
    else this.#deferred.push(second + faultSeconds * 2 ** (cohort.tries - 1), cohort);
  }

  #take(name: LimitName, wanted: number, price = 1): number {
    const taken = this.#buckets[name].takeWhole(wanted, price);
    this.throttles[name] += wanted - taken;
    return taken;
  }
}
