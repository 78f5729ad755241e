import { DatabaseSync } from "node:sqlite";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { proposalId } from "../../../events/ids.ts";
import { acts, isAct } from "./killed-acts.ts";

/**
 * A process that does one of {@link acts} with a proposal, and is killed before or after a call of SQLite:
 * `node killed-decision.ts <data> <proposal> <act> <call> before|after`. Prints how many calls there were.
 */
const [dataFolder = "", proposal = "", what = "", call = "", when = ""] = process.argv.slice(2);
const id = proposalId.parse(proposal);
const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });

let calls = 0;
const atCall = (now: string) => {
  if (calls === Number(call) && now === when) process.kill(process.pid, "SIGKILL");
};
function counted(holder: object, name: string): void {
  const real: unknown = Reflect.get(holder, name);
  if (typeof real !== "function") throw new Error(`there is no ${name}`);
  Reflect.set(holder, name, function (this: unknown, ...values: unknown[]) {
    calls++;
    atCall("before");
    const result: unknown = Reflect.apply(real, this, values);
    atCall("after");
    return result;
  });
}
const probe = new DatabaseSync(":memory:");
const statement = Object.getPrototypeOf(probe.prepare("SELECT 1"));
probe.close();
counted(DatabaseSync.prototype, "exec");
for (const name of ["run", "get", "all"]) counted(statement, name);

if (!isAct(what)) throw new Error(`there is no act ${what}`);
acts[what](store, id);
process.stdout.write(String(calls));
