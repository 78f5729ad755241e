import type { ErrorCode } from "../../events/error-kinds.ts";
import { isScoutsError, ScoutsError } from "../../events/errors.ts";
import { Delivery } from "../../shared/devices/delivery.ts";
import { modelFailureClass } from "../../shared/llm/model-failure-class.ts";
import { done } from "../../shared/outcome/outcome.ts";
import type { Outgoing } from "../../shared/ports/queue.ts";
import type { Change, Condition, Item, Key, Path, Table, Value } from "../../shared/ports/table.ts";
import { RemoteConnector } from "../../shared/scouts/connectors/remote/remote-connector.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import type { Variant } from "./cloud.ts";
import type { FaultKind } from "./faults.ts";
import type { MustBeNoticed } from "./noticed.ts";
import type { SourceKind } from "./world.ts";

type Update = Table["update"];

/** A table whose updates of one kind of row go another way. */
function updating(table: Table, kind: "ITEM#" | "SCOUT#", update: (inner: Update) => Update): Table {
  const inner: Update = (key, change, when) => table.update(key, change, when);
  const bent = update(inner);
  return {
    get: (key) => table.get(key),
    getMany: (keys) => table.getMany(keys),
    put: (item, when) => table.put(item, when),
    update: (key, change, when) => (key.sk.startsWith(kind) ? bent : inner)(key, change, when),
    delete: (key, when) => table.delete(key, when),
    query: (query) => table.query(query),
  };
}

/** The change that removes what it would set. */
function unset(change: Change, ...attributes: string[]): Change {
  const other = ([[name]]: readonly [Path, Value]) => !attributes.includes(name);
  const remove = [...(change.remove ?? []), ...attributes.map((name): Path => [name])];
  return { ...change, set: (change.set ?? []).filter(other), remove };
}

function sets(change: Change, attribute: string): Value | undefined {
  return change.set?.find(([path]) => path.length === 1 && path[0] === attribute)?.[1];
}

interface Breakage extends MustBeNoticed {
  readonly variant: Variant;
  /** The faults that bring it to light, where others only hide it; all when left out. */
  readonly only?: readonly FaultKind[];
  /** The kind of source it is about, where it is about one. */
  readonly source?: SourceKind;
}

/** A connector that takes what cannot be read now for what is gone. */
const goneWhenAway = (sourceType: SourceKind, code: ErrorCode): Variant => ({
  triagePorts: (ports) => {
    const connector = ports.connectors.get(sourceType);
    if (!connector || connector instanceof RemoteConnector) return ports;
    const fetchContent = connector.fetchContent.bind(connector);
    connector.fetchContent = (scout, ref) =>
      fetchContent(scout, ref).catch((error: unknown) => {
        throw isScoutsError(error, code) ? new ScoutsError("item_gone", { cause: error }) : error;
      });
    return ports;
  },
});

/** Defects a run must notice, each the way somebody might really write it, and the rule that notices. */
export const breakages: Readonly<Record<string, Breakage>> = {
  "the cursor is committed before its refs are queued": {
    rule: /cursor follows the queue|P2/,
    variant: {
      syncPorts(ports) {
        const waiting: Outgoing<never>[] = [];
        const ledger = updating(ports.ledger, "SCOUT#", (inner) => async (key, change, when) => {
          const answer = await inner(key, change, when);
          if (sets(change, "cursor") !== undefined) await ports.triage.send(waiting.splice(0));
          return answer;
        });
        const triage = {
          send: async (messages: readonly Outgoing<unknown>[]) => void waiting.push(...(messages as never[])),
        };
        return { ...ports, ledger, triage };
      },
    },
  },
  "a verdict is written whatever the row says": {
    seed: 2,
    rule: /states move as drawn|verdict|tokens/,
    variant: {
      ledger: (table) =>
        updating(table, "ITEM#", (inner) => (key: Key, change: Change, when?: Condition) => {
          const judges = sets(change, "triagedAt") !== undefined;
          return judges ? inner(key, change) : inner(key, change, when);
        }),
    },
  },
  "spam is proposed": {
    rule: /no spam is proposed/,
    variant: {
      ledger: (table) =>
        updating(table, "ITEM#", (inner) => async (key, change, when) => {
          const answer = await inner(key, change, when);
          return answer && sets(change, "status") === "spam" ? ({ ...answer, status: "queued" } as Item) : answer;
        }),
    },
  },
  "tokens are counted each time an answer is written": {
    seed: 2,
    rule: /tokens|verdict stands|states move as drawn/,
    variant: {
      ledger: (table) =>
        updating(table, "ITEM#", (inner) => async (key, change, when) => {
          const answer = await inner(key, change, when);
          const tokens = change.add?.filter(([[name]]) => name === "inputTokens") ?? [];
          if (!answer && tokens.length > 0) await inner(key, { add: tokens });
          return answer;
        }),
    },
  },
  "waiting spends an attempt": {
    rule: /waiting spends no attempt/,
    variant: {
      ledger: (table) =>
        updating(table, "ITEM#", (inner) => (key, change, when) => {
          const waits = sets(change, "status") === "deferred";
          return inner(key, waits ? { ...change, add: [[["attempts"], 1]] } : change, when);
        }),
    },
  },
  "a model nobody can ask is taken for the mail's own failure": {
    seed: 4,
    rule: /a model nobody can ask spends no attempt/,
    variant: {
      triagePorts: (ports) => ({
        ...ports,
        model: {
          async complete(request) {
            try {
              return await ports.model.complete(request);
            } catch (error) {
              const isConfiguration = isScoutsError(error) && modelFailureClass(error.code) === "configuration";
              throw isConfiguration ? new ScoutsError("model_answer_invalid", { cause: error }) : error;
            }
          },
        },
      }),
    },
  },
  "a source is listed whatever the breaker says": {
    seed: 4,
    rule: /listed or asked while the model cannot be asked/,
    variant: {
      syncPorts: ({ breaker, ...ports }) => ({
        ...ports,
        breaker: { current: async () => undefined, requestProbe: () => breaker.requestProbe() },
      }),
    },
  },
  "what cannot be judged is set aside": {
    rule: /what cannot be judged is shown/,
    only: ["model_refusal", "model_invalid", "model_denies"],
    variant: {
      triagePorts: (ports) => {
        ports.unjudged.show = async (id, how, nowMs, tokens) => {
          await ports.items.end(id, { status: "dead", ...how }, nowMs, tokens);
          return false;
        };
        return ports;
      },
    },
  },
  "a watch that is refused switches its scout off": {
    rule: /only its owner switches a scout off/,
    variant: {
      ledger: (table) =>
        updating(table, "SCOUT#", (inner) => (key, change, when) => {
          const isRefused = sets(change, "watchFailedAt") !== undefined;
          const off = [...(change.set ?? []), [["disabledCode"], "reauth"] as const];
          return inner(key, isRefused ? { ...change, set: off } : change, when);
        }),
    },
  },
  "fields are handed on as long as they are": {
    seed: 2,
    rule: /a frame fits the gateway/,
    variant: {
      triagePorts: (ports) => {
        for (const connector of ports.connectors.values()) {
          const fetchContent = connector.fetchContent.bind(connector);
          connector.fetchContent = async (scout, ref) => {
            const content = await fetchContent(scout, ref);
            const isCut = content.subject.reveal().includes("too long");
            return isCut ? { ...content, subject: content.subject.map((text) => text.repeat(1_000)) } : content;
          };
        }
        return ports;
      },
    },
  },
  "an item that has to wait is not queued again": {
    rule: /P2 nothing lost/,
    variant: {
      triagePorts: (ports) => ({
        ...ports,
        triage: { send: async (messages) => ports.triage.send(messages.filter((each) => !each.delaySeconds)) },
      }),
    },
  },
  "a failure that could not be written down is forgotten": {
    seed: 2,
    rule: /P2 nothing lost/,
    variant: { outcome: () => done },
  },
  "what the model said is logged": {
    rule: /P1/,
    variant: {
      triagePorts: (ports) => ({
        ...ports,
        model: {
          async complete(request) {
            const answer = await ports.model.complete(request);
            ports.log.event("answered", { answer: JSON.stringify(answer.value.reveal()) });
            return answer;
          },
        },
      }),
    },
  },
  "a paused scout is forgotten": {
    seed: 2,
    rule: /has no watch/,
    variant: {
      ledger: (table) =>
        updating(table, "SCOUT#", (inner) => (key, change, when) => {
          const idle = sets(change, "paused") === true;
          return inner(key, idle ? unset(change, "dueAt", "dueShard") : change, when);
        }),
    },
  },
  "a watch is stopped although somebody else needs it": {
    seed: 57,
    rule: /told of news|has a watch/,
    only: ["scout_paused", "scout_deleted", "scout_rests", "late_cron"],
    variant: {
      ledger: (table) => ({
        ...updating(table, "SCOUT#", (inner) => inner),
        async get(key) {
          const item = await table.get(key);
          return item && key.pk.startsWith("MAILBOX#") ? { ...item, scouts: {} } : item;
        },
      }),
    },
  },
  "a folder that was numbered anew is read on from its end": {
    seed: 10,
    rule: /cursor follows the queue|P2/,
    source: "imap",
    only: ["imap_renumbered", "late_cron"],
    variant: {
      syncPorts: (ports) => {
        const connector = ports.connectors.get("imap");
        if (!connector) return ports;
        const listNew = connector.listNew.bind(connector);
        connector.listNew = async (scout, position) => {
          const listing = await listNew(scout, position);
          return listing.gap ? { ...listing, refs: [] } : listing;
        };
        return ports;
      },
    },
  },
  "a message whose connection was cut is taken for gone": {
    rule: /P2 nothing lost/,
    source: "imap",
    variant: goneWhenAway("imap", "source_unavailable"),
  },
  "an item that a feed broke off before is taken for gone": {
    seed: 3,
    rule: /P2 nothing lost/,
    source: "feed",
    variant: goneWhenAway("feed", "source_unavailable"),
  },
  "mail on a disk that is away is taken for gone": {
    seed: 4,
    rule: /P2 nothing lost/,
    source: "mailbox",
    only: ["source_vanishes", "slow_call"],
    variant: goneWhenAway("mailbox", "source_path_missing"),
  },
  "proposals go to whoever is connected": {
    seed: 2,
    rule: /tenant isolation/,
    variant: {
      delivery: (ports) =>
        new (class extends Delivery {
          override async toEveryDevice(_user: never, frames: Parameters<Delivery["toEveryDevice"]>[1]) {
            for (let socket = 1; socket < 10; socket += 1) {
              for (const frame of frames) await ports.sockets.post(`c${socket}`, frame);
            }
          }
        })(ports),
    },
  },
  "a proposal one device has is kept from the others": {
    seed: 3,
    rule: /P2 every item ends/,
    variant: {
      delivery: (ports, ledger) =>
        new Delivery({
          ...ports,
          items: new (class extends ItemStore {
            override async openAfter(...asked: Parameters<ItemStore["openAfter"]>) {
              const page = await super.openAfter(...asked);
              return { ...page, rows: page.rows.filter((row) => row.status === "queued") };
            }
          })(ledger),
        }),
    },
  },
  "a device goes on exactly after what it has seen, and never begins anew": {
    seed: 97,
    rule: /P2 every item ends/,
    only: ["index_lag", "clock_skew", "device_crash"],
    variant: {
      delivery: (ports) =>
        new (class extends Delivery {
          override async pull(...[to, request]: Parameters<Delivery["pull"]>) {
            // Once a day it asks from the beginning, which makes up for the rest.
            const after = request.after ?? seenTo.get(to.deviceId);
            const page = await super.pull(to, after === undefined ? request : { ...request, after });
            if (page.resume === undefined) return page;
            // The overlap is two minutes.
            const resume = String(Number(page.resume) + 120_000).padStart(15, "0");
            seenTo.set(to.deviceId, resume);
            return { ...page, resume };
          }
        })(ports),
    },
  },
};

/** How far each device has read in the breakage above; devices of another seed have other ids. */
const seenTo = new Map<string, string>();
