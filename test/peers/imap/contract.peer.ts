import { connectorContract } from "../../contract/connector-contract.ts";
import { imapUnderTest } from "../../contract/imap-under-test.ts";
import { startDovecot } from "./dovecot.ts";

for (const tls of ["implicit", "starttls"] as const) {
  connectorContract(`IMAP (Dovecot, ${tls})`, () => imapUnderTest(startDovecot, tls));
}
