/** What must survive. Point-in-time recovery is on by SST's default and stays on. */
export const ledger = new sst.aws.Dynamo("Ledger", {
  fields: {
    pk: "string",
    sk: "string",
    dueShard: "string",
    dueAt: "number",
    openFor: "string",
    openAt: "string",
  },
  primaryIndex: { hashKey: "pk", rangeKey: "sk" },
  globalIndexes: {
    due: { hashKey: "dueShard", rangeKey: "dueAt", projection: "keys-only" },
    recent: { hashKey: "openFor", rangeKey: "openAt", projection: ["status"] },
  },
  ttl: "ttl",
  deletionProtection: $app.stage === "production",
});

/** What must be forgotten: no backups, so that a deleted session key is gone for good. */
export const sessions = new sst.aws.Dynamo("Sessions", {
  fields: { pk: "string", sk: "string", expiryShard: "string", expiresAt: "number" },
  primaryIndex: { hashKey: "pk", rangeKey: "sk" },
  globalIndexes: { expiry: { hashKey: "expiryShard", rangeKey: "expiresAt", projection: "keys-only" } },
  ttl: "ttl",
  transform: { table: { pointInTimeRecovery: { enabled: false } } },
});

/**
 * Sealed payloads on their way. The code deletes them; the lifecycle rule is only the net, and no finer than some two days: S3 adds
 * the day, rounds up to midnight (UTC) and looks once a day (S3 user guide, "Expiring objects").
 */
export const transit = new sst.aws.Bucket("Transit", {
  enforceHttps: true,
  cors: false,
  lifecycle: [{ id: "one-day", expiresIn: "1 day" }],
});
