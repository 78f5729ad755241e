import process from "node:process";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { proposalId } from "../../../events/ids.ts";
import { atEachCall } from "./at-each-call.ts";
import { acts, isAct } from "./killed-acts.ts";

/**
 * A process that does one of {@link acts} with a proposal, and is killed before or after a call of SQLite:
 * `node killed-decision.ts <data> <proposal> <act> <call> before|after`.
 */
const [dataFolder = "", proposal = "", what = "", call = "", when = ""] = process.argv.slice(2);
const id = proposalId.parse(proposal);
if (!isAct(what)) throw new Error(`there is no act ${what}`);
const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
atEachCall(
  () => acts[what](store, id),
  (now, at) => {
    if (now === Number(call) && at === when) process.kill(process.pid, "SIGKILL");
  },
);
