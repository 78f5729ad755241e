import { KmsKeyService } from "../../shared/aws/kms-key-service.ts";
import { openKeyRing } from "../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../shared/privacy/ring-sealer.ts";
import { linked } from "../environment.ts";
import { once } from "../once.ts";

const sealer = (name: "VaultKeyRing" | "SessionKeyRing", purpose: string) =>
  once(async () => new RingSealer(await openKeyRing(new KmsKeyService(), linked(name).value, purpose)));

/** Opens what must last: refresh tokens, scouts' names and purposes. One KMS request per environment. */
export const vaultSealer = sealer("VaultKeyRing", "vault");
/** Wraps and unwraps device session keys. */
export const sessionSealer = sealer("SessionKeyRing", "session");
