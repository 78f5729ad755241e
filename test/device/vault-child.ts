import process from "node:process";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { setPassphrase } from "../../device/vault/change-passphrase.ts";

/** Encrypts a data folder, and says so when the answers are and nothing else is. */
const [, , dataFolder = "", passphrase = ""] = process.argv;
const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
const { answers } = store;
const told = {
  ...answers,
  renew() {
    answers.renew();
    process.stdout.write("half\n");
  },
};
await setPassphrase({ ...store, answers: told }, passphrase, Date.now());
