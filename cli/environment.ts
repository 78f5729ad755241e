import * as z from "zod";

const optional = z
  .string()
  .trim()
  .transform((text) => (text === "" ? undefined : text))
  .optional();

const schema = z.object({
  /** The data folder, in place of `.scouts`. */
  SCOUTS_DATA: optional,
  /** Opens what agents left on the device, where that is encrypted (`scouts passphrase`). */
  SCOUTS_PASSPHRASE: z
    .string()
    .transform((text) => (text === "" ? undefined : text))
    .optional(),
  /** No colours when set to anything (https://no-color.org). */
  NO_COLOR: optional,
  /** `dumb` for terminals that only print. */
  TERM: optional,
  /** Shows long text a page at a time. */
  PAGER: optional,
  /** What a question is written in; the first one counts. */
  VISUAL: optional,
  EDITOR: optional,
  /** Settings for one call, as JSON of the form of `device/config.json` (docs/LLM_FILE_ACCESS.md). */
  SCOUTS_SETTINGS: optional,
  /** Set to anything, an unexpected error is told with its cause. */
  SCOUTS_DEBUG: optional,
  /** The deployed home to sign in to, in place of options of `scouts login`. */
  SCOUTS_API: optional,
  SCOUTS_ISSUER: optional,
  SCOUTS_CLIENT_ID: optional,
  SCOUTS_AUDIENCE: optional,
  OPENAI_API_KEY: optional,
  OPENAI_BASE_URL: optional,
  OPENAI_MODEL: optional,
  TRIAGE_CASCADE: optional,
  /** Both set, `scouts up` works on a real account (docs/connect-gmail.md). */
  GOOGLE_APPLICATION_CREDENTIALS: optional,
  SCOUTS_PUBSUB_SUBSCRIPTION: optional,
});

/** What the command line reads from its environment, and all it reads. */
export type Environment = z.infer<typeof schema>;

/** Reads the variables this program knows, and leaves all others alone. One that is set to nothing counts as not set. */
export function readEnvironment(source: NodeJS.ProcessEnv): Environment {
  return schema.parse(source);
}
