import { connectorContract } from "../../contract/connector-contract.ts";
import { imapUnderTest } from "../../contract/imap-under-test.ts";
import { peersHere } from "./here.ts";

for (const { name, start } of await peersHere()) {
  for (const tls of ["implicit", "starttls"] as const) {
    connectorContract(`IMAP (${name}, ${tls})`, () => imapUnderTest(start, tls));
  }
}
