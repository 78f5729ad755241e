/** What the fixtures' stand-ins take for the word of the home's owner; nobody else may have a token, a code, a key. */
export const ownerSecret = "the-owner-s-own-secret";

/** What the owner's programs send beside a request. */
export const asOwner = { authorization: `Bearer ${ownerSecret}` };

/** What the owner does with a page of consent in their browser: shows who they are, and follows it to the end. */
export async function visitAsOwner(url: string, secret = ownerSecret): Promise<void> {
  await (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).arrayBuffer();
}
