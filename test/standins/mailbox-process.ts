import type { Mailbox } from "../../infra/standins/mailbox/mailbox.ts";
import { startMailbox } from "../../infra/standins/mailbox/start.ts";

/** A mailbox in its own process, to be killed: says on stdout when some but not all mail has arrived, then stops moving. */
const [path = "", stateDir = ""] = process.argv.slice(2);
let start = "";
const mailbox: Mailbox = await startMailbox({
  path,
  stateDir,
  address: "ada@example.com",
  oauth: { clientId: "c", clientSecret: "s", ownerSecret: "o" },
  // Asked for the time of each arrival: the process stops inside the transaction of a chunk.
  clock: () => {
    if (start !== "" && mailbox.stats().arrived >= 350) {
      process.stdout.write(`${JSON.stringify({ start, arrived: mailbox.stats().arrived })}\n`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000);
    }
    return Date.now();
  },
});
const { accessToken } = mailbox.grant(["https://www.googleapis.com/auth/gmail.readonly"]);
const call = async (path: string, init: RequestInit) => {
  const headers = { authorization: `Bearer ${accessToken}` };
  return JSON.parse(await (await fetch(`${mailbox.url}/gmail/v1/users/me/${path}`, { ...init, headers })).text());
};
start = (await call("profile", {})).historyId;
await call("watch", { method: "POST", body: JSON.stringify({ topicName: "projects/local/topics/scouts-gmail" }) });
