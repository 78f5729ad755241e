import type { DeviceStore } from "../../../device/store/open.ts";
import type { Task } from "../../../device/work/entities.ts";
import type { ClientFrame } from "../../../events/frames/frames.ts";
import { proposalId } from "../../../events/ids.ts";
import type { Change, Condition, Table } from "../../../shared/ports/table.ts";
import type { MustBeNoticed } from "../noticed.ts";
import type { WorkVariant } from "./world.ts";

interface Breakage extends MustBeNoticed {
  readonly variant: WorkVariant;
}

/** A table that writes otherwise than it is told. */
const writing = (other: { change?(change: Change): Change; when?(when: Condition): Condition | undefined }) => ({
  ledger: (table: Table): Table => ({
    ...table,
    update: (key, change, when) => {
      const condition = when && other.when ? other.when(when) : when;
      return table.update(key, other.change?.(change) ?? change, condition);
    },
  }),
});

/** A condition without those that do not matter. */
function without(condition: Condition, isLeftOut: (each: Condition) => boolean): Condition {
  if ("all" in condition) {
    const kept = condition.all.filter((each) => !isLeftOut(each)).map((each) => without(each, isLeftOut));
    return { all: kept };
  }
  return condition;
}

const isAboutRound = (condition: Condition): boolean =>
  ("path" in condition && condition.path[0] === "round") || ("any" in condition && condition.any.some(isAboutRound));

const proposals = (change: (store: DeviceStore) => Partial<DeviceStore["proposals"]>) => ({
  store: (store: DeviceStore): DeviceStore => ({ ...store, proposals: { ...store.proposals, ...change(store) } }),
});

const silent = /two silent truths|same round/;

/** Ways to break rounds, each of which the simulation must notice. */
export const breakages: Readonly<Record<string, Breakage>> = {
  "the cloud takes what is of another round": {
    variant: writing({ when: (when) => without(when, isAboutRound) }),
    rule: /two silent truths|same round|rounds follow|everything is said/,
  },
  "whoever has stored one round has stored the next": {
    variant: writing({
      change: (change) => ({
        ...change,
        ...(change.set && { set: change.set.filter(([path]) => path[0] !== "on" || path[1]) }),
      }),
    }),
    rule: /begins on no device/,
  },
  "the last decision counts": {
    seed: 14,
    variant: writing({
      when: (when) =>
        "all" in when
          ? { all: when.all.map((each) => ("in" in each && each.in.includes("gone") ? { exists: ["pk"] } : each)) }
          : when,
    }),
    rule: /a round is decided once/,
  },
  "a decision that comes late is passed over": {
    seed: 104,
    variant: writing({
      when: (when) =>
        "all" in when
          ? {
              all: when.all.map((each) =>
                "in" in each && each.in.includes("gone") ? { ...each, in: ["queued", "delivered"] } : each,
              ),
            }
          : when,
    }),
    rule: silent,
  },
  "whoever comes second is told that it counts": {
    seed: 22,
    variant: {
      told: (frame) => (frame.type === "accepted" && frame.decision ? { ...frame, decision: "counted" } : frame),
    },
    rule: silent,
  },
  "a device takes closings of whatever round": {
    seed: 12,
    variant: proposals((store) => ({
      close: (id, closing) => {
        const round = store.proposals.find(id)?.round ?? closing.round;
        return store.proposals.close(id, { ...closing, round });
      },
    })),
    rule: silent,
  },
  "a device keeps what is closed, whatever round begins": {
    variant: proposals((store) => ({
      add: (told) => store.proposals.add(told.filter(({ id, round }) => round === 1 || !store.proposals.find(id))),
    })),
    rule: silent,
  },
  "nobody asks about what is decided": {
    seed: 2,
    variant: {
      heard(text) {
        const { decided, ...frame } = JSON.parse(text);
        return decided === undefined ? text : JSON.stringify({ ...frame, decided: [] });
      },
    },
    rule: silent,
  },
  "an undo leaves the frame": {
    variant: {
      store(store) {
        const last = new Map<string, ClientFrame>();
        const put: typeof store.outbox.put = (frame, options) => {
          if (options?.subject !== undefined && options.notBefore !== undefined) last.set(options.subject, frame);
          store.outbox.put(frame, options);
        };
        const withdraw = (subject: string) => {
          const was = store.outbox.withdraw(subject);
          const frame = last.get(subject);
          if (was && frame) store.outbox.put(frame, { subject });
          return was;
        };
        return { ...store, outbox: { ...store.outbox, put, withdraw } };
      },
    },
    rule: /what was withdrawn never counts/,
  },
  "a reopening is not said": {
    seed: 2,
    variant: {
      store: (store) => ({
        ...store,
        outbox: {
          ...store.outbox,
          put: (frame, options) => {
            if (frame.type !== "scout_proposal_reopen") store.outbox.put(frame, options);
          },
        },
      }),
    },
    rule: silent,
  },
  "an approval makes what is there already": {
    seed: 10,
    variant: { beforeApproval: (store, id) => void store.proposals.becomes(proposalId.parse(id), null) },
    rule: /an entity is there/,
  },
  "an undo leaves what the decision made": {
    variant: {
      store: (store) => ({
        ...store,
        proposals: {
          ...store.proposals,
          becomes: (id, became) => store.proposals.becomes(id, became && { ...became, change: null }),
        },
      }),
    },
    rule: /an entity is there as the person left it|said once/,
  },
  "what gave way to a decision stays away when that is undone": {
    seed: 30,
    variant: { store: (store) => ({ ...store, entityChanges: { ...store.entityChanges, find: () => undefined } }) },
    rule: /an entity is there as the person left it|a proposal knows its entity/,
  },
  "a snooze outlasts its round": {
    seed: 4,
    variant: proposals((store) => ({
      reopen(id) {
        const until = store.proposals.find(id)?.snoozedUntil ?? null;
        const reopened = store.proposals.reopen(id);
        return until === null ? reopened : store.proposals.snooze(id, until);
      },
    })),
    rule: /hidden until its time/,
  },
  "a task says what is merged as often as it is merged": {
    variant: {
      store: (store) => ({
        ...store,
        work: { ...store.work, task: { ...store.work.task, put: (row) => store.work.task.put(saidTwice(row)) } },
      }),
    },
    rule: /said once/,
  },
};

/** A task of the person's own whose last line stands there once more. */
const saidTwice = (row: Task): Task =>
  row.sourceSuggestionId === null && row.note !== "" ? { ...row, note: `${row.note}\n${row.note}` } : row;
