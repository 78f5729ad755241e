/** The key a scout's refs are made with: one that is drawn would make every run another one. */
export const refKeyOf = (scoutId: string): string => Buffer.from(scoutId.padEnd(32)).toString("base64url");

/** Whose key it is. */
export const scoutOfKey = (refKey: string): string => Buffer.from(refKey, "base64url").toString().trim();
