import { asc, eq, sql } from "drizzle-orm";
import type { CalendarEvent } from "../../../work/entities.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { events, people } from "../../work-schema.ts";

/** What is asked of a person's work for each mail that comes, where reading all of it would take too long. */
export interface WorkLookups {
  /** The event with this UID; of a series its times that differ too. */
  eventsOf(uid: string): CalendarEvent[];
  /** Whether one of the person's people has this address. @param address in small letters */
  isOfPerson(address: string): boolean;
}

/** Over a database. */
export const workLookups = (db: Database): WorkLookups => ({
  eventsOf: (uid) => db.select().from(events).where(eq(events.uid, uid)).orderBy(asc(events.start)).all(),
  isOfPerson(address) {
    const isAmong = sql`EXISTS (SELECT 1 FROM json_each(${people.addresses}) WHERE lower(value) = ${address})`;
    return db.select({ id: people.id }).from(people).where(isAmong).limit(1).all().length > 0;
  },
});
