import fc from "fast-check";
import { expect, test } from "vitest";
import { optionsOf, stateOf } from "../../device/google/cloud-pubsub.ts";
import type { SubscriptionState } from "../../device/google/pubsub-admin.ts";

const seconds = fc.integer({ min: 1, max: 600_000 });
const text = fc.string({ minLength: 1, maxLength: 20 });
const state = fc.record<SubscriptionState>(
  {
    topic: text,
    push: fc.record({ endpoint: text, serviceAccount: text, audience: text }),
    ackDeadlineSeconds: seconds,
    retentionSeconds: seconds,
    expiresAfterDays: fc.option(fc.integer({ min: 1, max: 31 })),
    retry: fc.record({ minSeconds: seconds, maxSeconds: seconds }),
    deadLetters: fc.record({ topic: text, afterAttempts: fc.integer({ min: 5, max: 100 }) }),
  },
  { requiredKeys: ["topic", "ackDeadlineSeconds", "retentionSeconds", "expiresAfterDays"] },
);

test("what is written of a subscription is read back as the same, so that a second setup finds nothing to change", () => {
  fc.assert(
    fc.property(state, (wanted) => {
      const { topic } = wanted;
      expect(stateOf({ ...optionsOf(wanted), topic })).toEqual(wanted);
    }),
  );
});

test("Pub/Sub's own spelling is understood: long seconds, empty push settings, no expiry", () => {
  const described = {
    name: "projects/p/subscriptions/s",
    topic: "projects/p/topics/t",
    pushConfig: { attributes: {}, pushEndpoint: "", oidcToken: null },
    ackDeadlineSeconds: 10,
    messageRetentionDuration: { seconds: "604800", nanos: 0 },
    expirationPolicy: { ttl: { seconds: "2678400", nanos: 0 } },
    deadLetterPolicy: null,
    retryPolicy: null,
  };
  expect(stateOf(described)).toEqual({
    topic: "projects/p/topics/t",
    ackDeadlineSeconds: 10,
    retentionSeconds: 604_800,
    expiresAfterDays: 31,
  });
});
