/**
 * Which tests run where (docs/tests.md): the short run of `npm test` leaves out what is long, and what changes the
 * process it runs in has a process of its own.
 */

/**
 * Replaces modules, the clock or the environment: no other file may be read in the same process. Or begins hundreds of programs, each of
 * which costs the more the larger the process is that begins it.
 */
export const ownProcess: readonly string[] = [
  "test/access/git-commits.test.ts",
  "test/device/shared-temporary-folder.test.ts",
  "test/doors/clock.test.ts",
  "test/hostile/events.test.ts",
  "test/hostile/push-claims.test.ts",
  "test/hostile/queue-messages.test.ts",
  "test/hostile/webhook-fuzz.test.ts",
  "test/local/host.test.ts",
  "test/local/ops-items.test.ts",
  "test/local/ops-erase.test.ts",
  "test/local/ops-model.test.ts",
  "test/local/ops-tier.test.ts",
  "test/buckets/commands.test.ts",
  "test/buckets/failures.test.ts",
  "test/buckets/home.test.ts",
  "test/google/cloud-subscription.test.ts",
  "test/webhook/cost.test.ts",
];

/** Simulations and canaries of a product that is broken on purpose: whether the suite can fail. For the whole run only. */
export const testsOfTests: readonly string[] = [
  "test/simulation/mutations.test.ts",
  "test/simulation/agents/mutations.test.ts",
  "test/simulation/folders/mutations.test.ts",
  "test/simulation/work/mutations.test.ts",
  "test/privacy/mutation.test.ts",
  "test/privacy/mutation-content.test.ts",
];

/** Second proofs of what a change has another for, each of which boots homes or reads much. For the whole run only. */
export const secondProofs: readonly string[] = [
  // A linked folder at rest: test/privacy/folders.test.ts.
  "test/e2e/folders/at-rest.test.ts",
  // Commands on a bucket and on a disk: test/files/parity.test.ts has both for the library, test/buckets/home.test.ts links a bucket.
  "test/buckets/commands.test.ts",
  // A folder linked from the command line: test/e2e/agents/ask.test.ts, which scans it again, and folders/interrupted.
  "test/e2e/folders/linking.test.ts",
  // Commands on sources: sources-command, scouts-command and other-source-command; tokens of an issuer: device/sign-in.
  "test/e2e/signed-in-sources.test.ts",
  // What a home that is started again knows: staying-up, local/added-mailboxes.
  "test/e2e/sources-restart.test.ts",
  // Tools against a model that lies: test/privacy/agents.test.ts, test/simulation/agents.
  "test/e2e/agents/hostile-model.test.ts",
  // A model that cannot be used, in a home: refusals has one that refuses, device/model-news and model-line what is said of it.
  "test/e2e/unusable-model.test.ts",
  // An export of Google's in a home: standins/mailbox-formats reads its form, local/own-mailbox has homes on mailboxes.
  "test/e2e/takeout.test.ts",
  // A home's settings of memory, which no function knows.
  "test/e2e/frugal-memory.test.ts",
  // Proposals once each, for many devices: socket/devices has a few, the simulation cuts connections.
  "test/socket/delivery.test.ts",
  // Queues of a hostile home: the simulation has every fault at every call, test/local/queues.test.ts the queues.
  "test/local/hostile.test.ts",
  // Other sources from the API to the device: imap-end-to-end has the same way, the contracts each source.
  "test/connectors/feed-end-to-end.test.ts",
  "test/connectors/mailbox-end-to-end.test.ts",
  // Answers that quote mail, and workers that die: test/privacy/agents, hostile-input and crash, with fewer of them.
  "test/privacy/failure.test.ts",
  "test/privacy/agents-crash.test.ts",
  // Published documents and edits: test/device/scanner/extraction.test.ts, test/access/byte-exactness.test.ts and placed-text have the same rules by made-up ones.
  "test/data/documents-described.test.ts",
  "test/data/documents-read.test.ts",
  "test/data/edit-variants.test.ts",
];

/** Long proofs, which the short run leaves out. */
export const long: readonly string[] = [
  // Published data, where it lies beside the checkout.
  "test/data/path-tables.test.ts",
  // A browser: each of these takes seconds, and what the page is given is tested without it.
  "test/console/add-source.test.ts",
  "test/console/addresses.test.ts",
  "test/console/change-projects.test.ts",
  "test/console/decided-anew.test.ts",
  "test/console/each-failure.test.ts",
  "test/console/gone-on.test.ts",
  "test/console/left-dialog.test.ts",
  "test/console/left-page.test.ts",
  "test/console/pressed-twice.test.ts",
  "test/console/item-states.test.ts",
  "test/console/item-text.test.ts",
  "test/console/lost-focus.test.ts",
  "test/console/own-language.test.ts",
  "test/console/scout-form.test.ts",
  "test/console/small-window.test.ts",
  "test/console/typed-texts.test.ts",
  "test/console/unsent-forms.test.ts",
  "test/console/activity-page.test.ts",
  "test/console/ask-page.test.ts",
  "test/console/brief-inbox.test.ts",
  "test/console/project-pages.test.ts",
  "test/console/usage-page.test.ts",
  "test/console/work.test.ts",
  "test/console/browser.test.ts",
  "test/console/doctor-page.test.ts",
  "test/console/edit.test.ts",
  "test/console/editor-held.test.ts",
  "test/console/keyboards.test.ts",
  "test/console/decided-elsewhere.test.ts",
  "test/console/focus.test.ts",
  "test/console/languages.test.ts",
  "test/console/layout.test.ts",
  "test/console/late-parts.test.ts",
  "test/console/seen-edges.test.ts",
  "test/console/lists.test.ts",
  "test/console/newcomer.test.ts",
  "test/console/many-decided.test.ts",
  "test/console/morning.test.ts",
  "test/console/pages.test.ts",
  "test/console/printed.test.ts",
  "test/console/slips.test.ts",
  "test/console/hostile.test.ts",
  "test/console/search.test.ts",
  "test/console/steps.test.ts",
  "test/console/tabs.test.ts",
  "test/doors/every-port.test.ts",
  // Processes and functions that are killed again and again.
  "test/privacy/crash.test.ts",
  "test/privacy/shred.test.ts",
  "test/device/knowledge/killed.test.ts",
  // Canaries of what a model reads in stage 2 and of what is searched for; success and folders in the short run look for those of
  // mail and files.
  "test/privacy/categorize.test.ts",
  "test/privacy/search.test.ts",
  // Further ways through the whole product, each of which boots homes: test/e2e/staying-up.test.ts and agents/ask are in the short
  // run; test/console/sources.test.ts adds sources by the same use cases as sources-command.
  "test/e2e/once.test.ts",
  "test/e2e/sources-command.test.ts",
  "test/connectors/imap-end-to-end.test.ts",
  "test/e2e/dead-letters.test.ts",
  "test/e2e/gmail-faults/faults.test.ts",
  "test/privacy/trial.test.ts",
  // Further seeds, damage and sources: knowledge/index, local/queues and the contracts of the other sources hold the same.
  "test/contract/connector-feed.test.ts",
  "test/device/knowledge/damaged.test.ts",
  "test/doors/damage.test.ts",
  "test/e2e/folders/quota.test.ts",
  "test/buckets/home.test.ts",
  "test/e2e/lost-hint.test.ts",
  "test/e2e/other-source-command.test.ts",
  "test/e2e/scouts-command.test.ts",
  "test/e2e/takeout.test.ts",
  "test/e2e/unusable-model.test.ts",
  "test/e2e/uploads.test.ts",
  // Further programs, sources and orders of what the short run has once: access/hidden/hidden-files asks every tool, access/writers
  // has writers of one file, unit/privacy/ring-sealer keys that change, socket/fuzz and hostile/naughty-* what cannot be taken,
  // contract/* each source, connectors/feed-position a feed that changes, hostile/mime hostile mail, device/work/decide-into what
  // a decision makes.
  "test/access/hidden/http.test.ts",
  "test/access/http-races.test.ts",
  "test/socket/bad-input.test.ts",
  "test/e2e/mail-folders-command.test.ts",
  "test/e2e/keys-rotate.test.ts",
  "test/e2e/folders/interrupted.test.ts",
  "test/connectors/feed-long.test.ts",
  "test/connectors/imap-listener.test.ts",
  "test/connectors/mailbox-grown.test.ts",
  "test/standins/hostile-mime.test.ts",
  "test/device/work/killed.test.ts",
  // An index by meaning and one of an older version: device/knowledge/index holds the same of words.
  "test/device/knowledge/vectors.test.ts",
  "test/device/knowledge/older-reader.test.ts",
  "test/files/grep-differential.test.ts",
  // Damage at every byte, and how the built-in model is trained: for who changes either.
  "test/device/table-sums.test.ts",
  "test/model/training.test.ts",
  // What a deployment declares, which a clean clone leaves out until `npm run platform` has run.
  "test/infra/deployed.test.ts",
  "test/infra/deployed-settings.test.ts",
  // A mail server that fails by seed, with the time limits it runs into.
  "test/connectors/imap-seeds.test.ts",
  // Reads all sources or bundles all functions, as types, lint and the bench of bundles in .ci/run do.
  "test/architecture/unreachable.test.ts",
  "test/architecture/regexes.test.ts",
  "test/infra/bundles.test.ts",
  // Memory under 160 MB.
  "test/artifacts/memory.test.ts",
  // A home that is started twice, and stopped in between.
  "test/e2e/damaged-model-row.test.ts",
];
