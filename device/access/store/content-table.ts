import { deflateRawSync, inflateRawSync } from "node:zlib";
import { eq, sql } from "drizzle-orm";
import type { Database } from "../../store/sqlite/sqlite.ts";
import type { ContentStore } from "./access-store.ts";
import { contents } from "./schema.ts";

/** Contents that compression does not make smaller by a tenth are stored as they are. */
const worthwhile = 0.9;

/** The contents of versions by their SHA-256, each kept once; compressed (raw deflate) where that saves a tenth. */
export function contentTable(db: Database): ContentStore {
  const storedSize = sql<number>`length(${contents.bytes})`;
  return {
    put(hash, bytes) {
      const known = db.select({ hash: contents.hash }).from(contents).where(eq(contents.hash, hash)).get();
      if (known !== undefined) return;
      const deflated = deflateRawSync(bytes);
      const isCompressed = deflated.length < bytes.length * worthwhile;
      const stored = isCompressed ? deflated : Buffer.from(bytes);
      db.insert(contents).values({ hash, bytes: stored, isCompressed, size: bytes.length }).run();
    },
    get(hash) {
      const row = db.select().from(contents).where(eq(contents.hash, hash)).get();
      if (row === undefined) return undefined;
      return row.isCompressed ? inflateRawSync(row.bytes) : row.bytes;
    },
    storedBytes: (hash) => db.select({ size: storedSize }).from(contents).where(eq(contents.hash, hash)).get()?.size,
    remove(hash) {
      db.delete(contents).where(eq(contents.hash, hash)).run();
    },
    totals() {
      const row = db
        .select({ count: sql<number>`count(*)`, storedBytes: sql<number>`coalesce(sum(length(${contents.bytes})), 0)` })
        .from(contents)
        .get();
      return row ?? { count: 0, storedBytes: 0 };
    },
  };
}
