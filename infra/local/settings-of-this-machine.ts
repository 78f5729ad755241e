/**
 * Every setting a deployment has to name, as it is on one machine where nothing runs yet: the stand-ins' addresses take
 * their place when they have started. A home that is stopped is evaluated with these; its queues and tables do not
 * depend on them.
 */
export const settingsOfThisMachine: Readonly<Record<string, string>> = {
  OIDC_ISSUER: "http://127.0.0.1:1/",
  GOOGLE_CLIENT_ID: "scouts-local.apps.googleusercontent.com",
  GMAIL_TOPIC: "projects/local/topics/scouts-gmail",
  PUSH_SUBSCRIPTION: "projects/local/subscriptions/scouts-gmail",
  PUSH_SERVICE_ACCOUNT: "scouts-push@local.iam.gserviceaccount.com",
};
