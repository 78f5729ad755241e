/** The OAuth client the stand-in knows, and how its consent page behaves. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** What proves on the consent page that somebody is the mailbox's owner. */
  readonly ownerSecret: string;
  /**
   * Whether a refresh token is good once, as at Atlassian, Auth0 or Okta: the answer holds the next one, and whoever shows
   * one that was spent ends the whole grant (RFC 9700 §4.14.2). Google's own live on.
   */
  readonly rotates?: boolean;
  /** Where codes may be sent; any http or https address when left out. */
  readonly redirectUris?: readonly string[];
}

export interface ConsentBehaviour {
  /** What the person behind the consent page does; everything asked for is granted by default. */
  readonly decide: (requested: readonly string[]) => readonly string[] | "denied";
}
