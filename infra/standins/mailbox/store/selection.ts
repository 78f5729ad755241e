import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { inTransaction } from "../../transaction.ts";
import { labelName } from "../formats/label-names.ts";

/** Which of a mailbox's messages are looked at. Without any of these: everything received. */
export interface LookAt {
  /** Only messages dated at this time or later, epoch milliseconds. */
  readonly sinceMs?: number;
  /** Only so many, the newest by date. */
  readonly limit?: number;
  /** Only messages an export lists with one of these labels, the person's own or the system's in any known language. */
  readonly labels?: readonly string[];
}

/** Why a message is not looked at: where it lies (`sent`, `spam` …), or which choice leaves it out. */
export const unselectedReasons = ["sent", "spam", "drafts", "trash", "chat", "since", "limit", "labels"] as const;
export type UnselectedReason = (typeof unselectedReasons)[number];

export interface Watched {
  /** Messages that are looked at, arrived or still to come. */
  readonly watched: number;
  readonly aside: Readonly<Partial<Record<UnselectedReason, number>>>;
}

export interface Selection {
  /**
   * Decides anew which messages are looked at; what has once been looked at stays so. Gives back the messages that lay
   * elsewhere (in Spam, say) and are looked at from now on.
   */
  choose(): readonly string[];
  /** Decides about one message that was handed in: no choice but its labels counts. */
  admit(id: string, labels: readonly string[]): void;
  counts(): Watched;
  /** Labels that were asked for and that no message carries. */
  unknownLabels(): readonly string[];
}

const places: Readonly<Record<string, UnselectedReason>> = {
  SENT: "sent",
  SPAM: "spam",
  DRAFT: "drafts",
  TRASH: "trash",
  CHAT: "chat",
};
const candidate = z.object({
  id: z.string(),
  place: z.string(),
  names: z.string(),
  dated_ms: z.number(),
  look: z.string(),
  arrived: z.number(),
});
type Candidate = z.infer<typeof candidate>;

/** Which messages of the mailbox are looked at; the choice may be another at every start. */
export function openSelection(database: DatabaseSync, lookAt: LookAt): Selection {
  const all = database.prepare(
    "SELECT id, place, names, dated_ms, look, arrived FROM messages WHERE gone = 0 ORDER BY dated_ms DESC, sequence DESC",
  );
  const setLook = database.prepare("UPDATE messages SET look = ? WHERE id = ?");
  const counts = database.prepare("SELECT look, COUNT(*) AS n FROM messages WHERE gone = 0 GROUP BY look");
  const wanted = lookAt.labels?.map(labelName);

  function reasonAgainst(message: Candidate): UnselectedReason | undefined {
    const names = () => z.array(z.string()).parse(JSON.parse(message.names));
    if (wanted === undefined ? message.place !== "INBOX" : !names().some((name) => wanted.includes(name))) {
      return places[message.place] ?? "labels";
    }
    return lookAt.sinceMs !== undefined && message.dated_ms < lookAt.sinceMs ? "since" : undefined;
  }

  return {
    choose: () => {
      const calledIn: string[] = [];
      let taken = 0;
      inTransaction(database, () => {
        for (const row of all.iterate()) {
          const message = candidate.parse(row);
          let look: UnselectedReason | "yes" = reasonAgainst(message) ?? "yes";
          if (look === "yes" && lookAt.limit !== undefined && taken++ >= lookAt.limit) look = "limit";
          // States older than this choice do not say what was looked at: what had arrived in the inbox was.
          const before = message.look === "new" && message.place === "INBOX" ? "yes" : message.look;
          if (before === "yes" && message.arrived === 1) look = "yes";
          if (look === message.look) continue;
          setLook.run(look, message.id);
          if (look === "yes" && message.arrived === 1 && before !== "yes") calledIn.push(message.id);
        }
      });
      return calledIn;
    },
    admit: (id, labels) => {
      const place = labels.map((label) => places[label]).find((reason) => reason !== undefined);
      setLook.run(labels.includes("INBOX") ? "yes" : (place ?? "labels"), id);
    },
    counts: () => {
      const rows = z.array(z.object({ look: z.string(), n: z.number() })).parse(counts.all());
      const of = (look: string) => rows.find((row) => row.look === look)?.n ?? 0;
      const aside = unselectedReasons.flatMap((reason) => (of(reason) > 0 ? [[reason, of(reason)] as const] : []));
      return { watched: of("yes"), aside: Object.fromEntries(aside) };
    },
    unknownLabels: () => {
      const carried = new Set<string>();
      for (const row of all.iterate()) {
        for (const name of z.array(z.string()).parse(JSON.parse(candidate.parse(row).names))) carried.add(name);
      }
      return (lookAt.labels ?? []).filter((label) => !carried.has(labelName(label)));
    },
  };
}
