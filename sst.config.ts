/// <reference path="./.sst/platform/config.d.ts" />

export default $config({
  app(input) {
    return {
      name: "scouts",
      home: "aws",
      removal: input.stage === "production" ? "retain" : "remove",
      protect: input.stage === "production",
      providers: { aws: "7.20.0" },
    };
  },
  async run() {
    await import("./infra/workers.ts");
    await import("./infra/imap/worker.ts");
    await import("./infra/crons.ts");
    await import("./infra/dashboard.ts");
    const { socket } = await import("./infra/socket.ts");
    const { apiUrl } = await import("./infra/api.ts");
    const { sessionRing, vaultRing } = await import("./infra/keys.ts");
    const { ledger } = await import("./infra/storage.ts");
    const { syncDeadLetters, triageDeadLetters } = await import("./infra/queues.ts");
    const { imapDeadLetters } = await import("./infra/imap/queue.ts");
    // What an operator's commands and settings ask for by name: docs/deploy.md, docs/operate.md.
    return {
      api: apiUrl,
      socket: socket.url,
      vaultKey: vaultRing.key.arn,
      sessionKey: sessionRing.key.arn,
      ledger: ledger.name,
      syncDeadLetters: syncDeadLetters.url,
      triageDeadLetters: triageDeadLetters.url,
      imapDeadLetters: imapDeadLetters.url,
    };
  },
});
