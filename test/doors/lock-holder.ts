import { lockData } from "../../infra/local/lock.ts";

/** A process that takes and gives back the locks it is told to, and says how it went. */
let release: (() => void) | undefined;
process.on("message", ({ take }: { take?: string }) => {
  if (take === undefined) {
    release?.();
    release = undefined;
    process.send?.({ released: true });
    return;
  }
  try {
    release = lockData(take, "scouts up");
    process.send?.({ won: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : String(error);
    process.send?.({ won: false, code });
  }
});
process.send?.({ ready: true });
