import type { FaultInjector } from "../faults.ts";
import { accessKeyOf, allows, type Principal, type Principals } from "./access.ts";
import type { Meter } from "./meter.ts";

/** One AWS request as the local cloud sees it before an engine does. */
export interface AwsRequest {
  service: string;
  operation: string;
  /** IAM actions with the resource each is asked on; all of them must be allowed. */
  needs: { action: string; resource: string }[];
}

export interface Refusal {
  code: "UnrecognizedClientException" | "AccessDeniedException" | "ThrottlingException";
  message: string;
}

/** Every request to an engine passes here: it is counted, its rights are checked, and it may be throttled on purpose. */
export class RequestAuthorizer {
  readonly #principals: Principals;
  readonly #meter: Meter;
  readonly #faults: FaultInjector | undefined;

  constructor(principals: Principals, meter: Meter, faults: FaultInjector | undefined) {
    this.#principals = principals;
    this.#meter = meter;
    this.#faults = faults;
  }

  identify(headers: { authorization?: string | undefined }, url: string | undefined): Principal | undefined {
    return this.#principals.find(accessKeyOf(headers.authorization, url));
  }

  /** @returns why the request is refused, or nothing when it may pass. */
  admit(principal: Principal | undefined, request: AwsRequest): Refusal | undefined {
    if (!principal) {
      return {
        code: "UnrecognizedClientException",
        message: "The security token included in the request is invalid.",
      };
    }
    const { rights } = principal;
    if (rights === "everything") return undefined;
    // What asks for nothing by name might touch anything.
    if (request.needs.length === 0) return denied(principal, `${request.service}:${request.operation}`, "*");
    this.#meter.count(request.service, request.operation);
    const missing = request.needs.find((need) => !allows(rights, need.action, need.resource));
    if (missing) return denied(principal, missing.action, missing.resource);
    if (this.#faults?.throttles(principal.accessKeyId)) {
      return { code: "ThrottlingException", message: "Rate exceeded" };
    }
    return undefined;
  }
}

const denied = ({ name }: Principal, action: string, resource: string): Refusal => ({
  code: "AccessDeniedException",
  message: `${name} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
});
