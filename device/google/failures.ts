import * as z from "zod";
import { DeviceError, type DeviceErrorCode } from "../errors.ts";

/** What Google's libraries throw: gRPC calls a status number and details, others a message. */
const thrown = z.object({ code: z.union([z.number(), z.string()]).optional(), message: z.string().default("") });

interface Rule {
  readonly codes: readonly number[];
  readonly matching?: RegExp;
  readonly code: DeviceErrorCode;
  readonly sentence: (project: string) => string;
}

/** gRPC status codes (https://grpc.io/docs/guides/status-codes/) and their HTTP kin; the first match decides. */
const rules: readonly Rule[] = [
  {
    codes: [],
    matching: /default credentials|invalid_grant|invalid_rapt|ENOENT|is not a valid credential|client_email field/i,
    code: "google_credentials",
    sentence: () =>
      "No usable Google credentials: run `gcloud auth application-default login`, or set " +
      "GOOGLE_APPLICATION_CREDENTIALS to a service account's key file.",
  },
  {
    codes: [16, 401],
    code: "google_credentials",
    sentence: () => "Google does not accept the credentials: run `gcloud auth application-default login` again.",
  },
  {
    codes: [7, 403],
    matching: /SERVICE_DISABLED|has not been used|is disabled/i,
    code: "google_forbidden",
    sentence: (project) =>
      "An API is switched off: run `gcloud services enable pubsub.googleapis.com gmail.googleapis.com " +
      `cloudresourcemanager.googleapis.com --project ${project}\`.`,
  },
  {
    codes: [7, 403],
    code: "google_forbidden",
    sentence: (project) =>
      `These credentials may not set Pub/Sub up in ${project}: they need the roles Pub/Sub Admin (roles/pubsub.admin), ` +
      "Service Account User (roles/iam.serviceAccountUser) on the push account, and Browser (roles/browser) or " +
      "--project-number.",
  },
  {
    codes: [5, 404],
    code: "google_invalid",
    sentence: (project) => `Google knows no project, topic or service account of that name in ${project}.`,
  },
  {
    codes: [9],
    matching: /allowedPolicyMemberDomains|permitted customer/i,
    code: "google_invalid",
    sentence: (project) =>
      "An organisation policy (iam.allowedPolicyMemberDomains) keeps Gmail's account from being given access: exempt " +
      `${project} from it.`,
  },
  {
    codes: [3, 9, 400],
    code: "google_invalid",
    sentence: () =>
      "Google refuses a value: the endpoint must be a public https address, and the service account must exist.",
  },
];

/** What a call of Google's libraries threw, with what to do about it. */
export function googleFailure(cause: unknown, project: string): DeviceError {
  if (cause instanceof DeviceError) return cause;
  const parsed = thrown.safeParse(cause);
  const { code, message } = parsed.success ? parsed.data : { code: undefined, message: "" };
  const status = Number(code);
  const rule = rules.find(
    (each) =>
      (each.codes.length === 0 || each.codes.includes(status)) &&
      (each.matching === undefined || each.matching.test(message)),
  );
  if (!rule) return new DeviceError("google_unavailable", { cause });
  return new DeviceError(rule.code, { sentence: rule.sentence(project), cause });
}
