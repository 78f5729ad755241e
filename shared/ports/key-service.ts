/** Opens keys that were encrypted elsewhere (KMS). Functions that are not granted a key get `configuration_invalid`. */
export interface KeyService {
  decrypt(ciphertext: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>;
}
