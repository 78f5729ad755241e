/** What a server says of a failure is quoted nowhere; so much of it is looked at. */
const maxLookedAt = 16_384;
const hourMs = 3_600_000;

/**
 * A model server's "no". Its words may quote the request, so they stay inside: one may ask whether they say something,
 * not read them.
 */
export class ModelRefusal extends Error {
  readonly status: number;
  /** As the server says; 0 to an hour. */
  readonly retryAfterMs: number | undefined;
  /** Whether the body was JSON; a web page is none. */
  readonly isJson: boolean;
  readonly #body: unknown;
  readonly #words: string;

  /** @param text the answer's body, which need not be JSON */
  constructor(status: number, headers: Headers, text: string) {
    super("The model's server refused the request.");
    this.name = "ModelRefusal";
    this.retryAfterMs = retryAfterMs(headers);
    this.#body = parsed(text.slice(0, maxLookedAt));
    this.#words = text.slice(0, maxLookedAt).toLowerCase();
    this.isJson = this.#body !== undefined;
    const code = Number(this.#fact("code"));
    // OpenRouter answers 200 when the failure comes after the model began, with the status in `error.code`.
    this.status = status >= 400 ? status : code >= 400 && code < 600 ? code : 502;
  }

  /** Whether the server's words match; they are in lower case. */
  says(pattern: RegExp): boolean {
    return pattern.test(this.#words);
  }

  /** Whether `error.code`, `error.type` or a code nested in it (Azure) is one of these. */
  isCoded(...codes: readonly string[]): boolean {
    const inner = this.#inner();
    return [this.#fact("code"), this.#fact("type"), inner].some(
      (code) => typeof code === "string" && codes.includes(code),
    );
  }

  /** The parameters it names, such as `response_format.type`: `error.param`, or FastAPI's `detail[].loc`. */
  parameters(): readonly string[] {
    const param = this.#fact("param");
    if (typeof param === "string" && param !== "") return [param];
    const detail = at(this.#body, "detail") ?? at(at(this.#body, "message"), "detail");
    if (!Array.isArray(detail)) return [];
    return detail.flatMap((each) => {
      const place = at(each, "loc");
      return Array.isArray(place) ? [place.filter((part) => part !== "body").join(".")] : [];
    });
  }

  /** The number that its words have in such a place: the first group of the pattern. */
  numberIn(pattern: RegExp): number | undefined {
    const digits = pattern.exec(this.#words)?.[1];
    return digits === undefined ? undefined : Number(digits);
  }

  /** The greatest number in its words that is less than this, such as the most tokens it allows; its status is none of them. */
  numberBelow(limit: number): number | undefined {
    const numbers = [...this.#words.matchAll(/\b\d{2,7}\b/g)].map(([digits]) => Number(digits));
    const below = numbers.filter((number) => number < limit && number !== this.status);
    return below.length === 0 ? undefined : Math.max(...below);
  }

  #fact(name: string): unknown {
    return at(at(this.#body, "error"), name) ?? at(this.#body, name);
  }

  #inner(): unknown {
    const inner = at(at(this.#body, "error"), "innererror");
    return at(inner, "code");
  }
}

function at(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whatever it is, it is no JSON.
    return undefined;
  }
}

/** `retry-after-ms` is OpenAI's and Azure's; of the standard's two forms the seconds. */
function retryAfterMs(headers: Headers): number | undefined {
  const ms = Number(headers.get("retry-after-ms")) || Number(headers.get("retry-after")) * 1000;
  return ms > 0 ? Math.min(ms, hourMs) : undefined;
}
