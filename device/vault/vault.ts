import { DeviceError, isDeviceError } from "../errors.ts";
import { type KeyFile, keyFileVersion, readKeyFile, unwrappedKey } from "./key-file.ts";
import { type BlockCipher, boxHeadBytes, type KeyPair, openerWith, sealerFor } from "./sealed-box.ts";

/** How it stands with what is kept: readable to all who may read the folder, encrypted, or encrypted and opened. */
export type VaultState = "plain" | "locked" | "open";

/**
 * What agents leave on the device is encrypted by it once the person has set a passphrase. Sealing needs no passphrase, so that
 * nothing is lost while it is locked. Another process may set or remove one at any time: the key file is looked at before every
 * use.
 */
export class Vault {
  readonly #dataFolder: string;
  readonly #passphrase: string | undefined;
  #version: string | undefined;
  #file: KeyFile | undefined;
  #pair: KeyPair | undefined;
  /** Trying a passphrase takes some tenths of a second: one that was wrong is not tried again. */
  #isWrong = false;

  /** @param passphrase as the person gave it to this process; it is tried when something is to be opened */
  constructor(dataFolder: string, passphrase?: string) {
    this.#dataFolder = dataFolder;
    this.#passphrase = passphrase;
  }

  /** The key file; undefined when nothing is encrypted. @throws DeviceError `passphrase_unreadable` */
  get file(): KeyFile | undefined {
    const version = keyFileVersion(this.#dataFolder);
    if (version !== this.#version) {
      this.#file = readKeyFile(this.#dataFolder);
      if (this.#file?.publicKey !== this.#pair?.publicKey) this.#pair = undefined;
      this.#isWrong = false;
      this.#version = version;
    }
    return this.#file;
  }

  get state(): VaultState {
    if (this.lockedBy() !== undefined) return "locked";
    return this.file === undefined ? "plain" : "open";
  }

  /** Why what is encrypted cannot be read: `kept_locked`, `passphrase_wrong` or `passphrase_unreadable`; undefined when it can. */
  lockedBy(): DeviceError | undefined {
    try {
      if (this.file !== undefined) this.#opened();
      return undefined;
    } catch (error) {
      if (isDeviceError(error, "kept_locked", "passphrase_wrong", "passphrase_unreadable")) return error;
      throw error;
    }
  }

  /** What is written now is to be sealed by this; undefined when it is to be written as it is. */
  sealer(): ReturnType<typeof sealerFor> | undefined {
    const { file } = this;
    return file === undefined || file.isEnding ? undefined : sealerFor(file.publicKey);
  }

  /** @throws DeviceError `kept_locked`, `passphrase_wrong` */
  opener(head: Uint8Array): BlockCipher {
    return openerWith(this.#opened(), head);
  }

  /** One thing in one piece. */
  sealed(bytes: Uint8Array, { head, block }: ReturnType<typeof sealerFor>): Buffer {
    return Buffer.concat([head, block(bytes, 0)]);
  }

  /** @throws DeviceError `kept_locked`, `passphrase_wrong`; Error from node:crypto when it was changed */
  opened(sealed: Uint8Array): Buffer {
    return this.opener(sealed.subarray(0, boxHeadBytes)).block(sealed.subarray(boxHeadBytes), 0);
  }

  #opened(): KeyPair {
    const { file } = this;
    if (file === undefined || this.#passphrase === undefined) throw new DeviceError("kept_locked");
    if (this.#isWrong) throw new DeviceError("passphrase_wrong");
    try {
      this.#pair ??= unwrappedKey(file, this.#passphrase);
      return this.#pair;
    } catch (error) {
      this.#isWrong = isDeviceError(error, "passphrase_wrong");
      throw error;
    }
  }
}
