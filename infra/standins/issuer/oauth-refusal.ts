/** An error answer of an OAuth endpoint (RFC 6749 §5.2). */
export class OAuthRefusal extends Error {
  readonly error: string;
  readonly status: number;

  constructor(error: string, status = 400) {
    super(error);
    this.name = "OAuthRefusal";
    this.error = error;
    this.status = status;
  }
}
