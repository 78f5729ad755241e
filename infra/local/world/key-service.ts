import { join } from "node:path";
import { type Kms, startKms } from "../../standins/kms/start.ts";
import { makeSecret } from "../../standins/owner-secret.ts";

/** The key service of a home on this machine, with the keys it has kept in `worldDir` since its first start. */
export const startKeyService = (worldDir: string): Promise<Kms> =>
  startKms({ stateDir: join(worldDir, "kms"), accessKeyId: makeSecret() });
