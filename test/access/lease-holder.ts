import { fileLease } from "../../device/access/store/lease.ts";

/** A process that takes the lease it is told of and keeps it. */
const [path = ""] = process.argv.slice(2);
void fileLease(path).run(async () => {
  process.send?.("held");
  await new Promise<never>(() => setInterval(() => undefined, 1_000));
});
