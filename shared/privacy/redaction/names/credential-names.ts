/**
 * What a name says of its value.
 * `password`: a credential whatever it looks like. `secret`: so, too, but never an ordinary word. `token`: drawn at random.
 * `code`: recovery codes. `pin`: digits. `maybe`: only what can hardly be anything else.
 */
export type NameStrength = "password" | "secret" | "token" | "code" | "pin" | "maybe";

/** Each also ends a longer word (`dbpassword`). */
const passwordEnds = /(?:password|passwd|passphrase|passcode|passwort|kennwort|losenord|lösenord|wachtwoord)s?$/;
const passwordWords = new Set(
  (
    "pass pwd pw pswd psw passw psk mdp motdepasse contrasena contraseña clave senha parola haslo hasło heslo " +
    "sifre şifre salasana adgangskode passord jelszo jelszó пароль пароля пароли 密码 密碼 口令 パスワード 비밀번호 암호 " +
    "dbpass userpass mypass rootpass adminpass smtppass ftppass mysqlpass storepass keypass sshpass requirepass " +
    "masterauth passin passout dbpwd userpwd adminpwd pgpassword"
  ).split(" "),
);
const secretEnds = /(?:secret|geheimnis)s?$/;
const tokenEnds = /(?:api|access|auth|refresh|bearer|session|bot|csrf|xsrf|id|jwt|oauth|deploy|user|push|app)tokens?$/;
const tokenWords = new Set(
  (
    "token tokens jwt apikey apikeys credential credentials creds cred authkey appkey secretkey privatekey accesskey " +
    "sessionid sessid phpsessid jsessionid skey ikey masterkey authcookie pat sas xapikey " +
    "apisecret appsecret clientsecret bearer authorization ключ"
  ).split(" "),
);
/** `X key` is a credential. */
const keyOwners = new Set(
  (
    "api access secret private auth authentication authorization account app application client deploy encryption " +
    "encrypt license licence master service session shared signing signature storage subscription webhook consumer " +
    "integration bot admin security x ssh rsa aes hmac crypto root server vault wallet user ingest write read project " +
    "functions host management data maps rest restapi web push fcm openai anthropic aws azure google gcp github gitlab " +
    "stripe twilio sendgrid mailgun mailchimp datadog algolia pinecone cohere mistral groq tavily serper deepl weather " +
    "partner merchant developer dev prod live test sandbox system registration activation recovery ingestion agent " +
    "instrumentation collector token jwt cipher personal upload download"
  ).split(" "),
);
/** A key that names a thing. */
const publicKeys = new Set(
  (
    "public primary foreign partition sort cache index object hot map row column sub item entry range hash group query " +
    "composite unique natural surrogate react translation i18n locale route routing dedupe dedup idempotency lookup " +
    "property prop field shortcut arrow enter escape tab shift ctrl alt meta modifier keyboard event press down up left " +
    "right state storybook lock redis s3 bucket file image node parent gpg pgp fingerprint child any by each next prev first last key verify"
  ).split(" "),
);
const codeOwners = new Set(
  "recovery backup rescue scratch emergency 2fa mfa totp otp restore wiederherstellungs".split(" "),
);
const wordOwners = new Set("seed recovery mnemonic backup wallet secret".split(" "));
/** Say nothing of what the value is. */
const neutral = new Set(
  (
    "value val plain plaintext cleartext clear raw text str string current new old default confirm confirmation " +
    "confirmed again repeat prod production dev development staging stage test live main primary secondary base base64 b64 " +
    "env v1 v2 x y base32 override local init initial hex content data input"
  ).split(" "),
);
/** What stands behind the word makes it the name of something else: `password_hash`, `tokenType`. */
const otherThing = new Set(
  (
    "hash hashed hashes hasher digest type types name names length len size count limit url uri endpoint path file files " +
    "dir id ids field fields label labels policy policies expiry expires expiration expired ttl age date time timeout " +
    "reset required valid validator validation validate strength min max pattern regex rule rules provider manager " +
    "service store storage source factory generator helper util utils error errors message hint placeholder prompt " +
    "title description help text input form page view screen dialog modal button link icon class style " +
    "encoder encoding format algorithm algo method mode salt rounds cost iterations scheme status state enabled disabled " +
    "index position start end line column kind list map set array table row entry cache prefix suffix version option " +
    "options config settings params param arg args schema model request response handler callback listener event " +
    "exists changed updated created used usage budget price cost usd ring rotation ref reference arn alias env var " +
    "variable header scope scopes audience issuer owner user username group role only less free based protected stream " +
    "parser lexer reader writer iterator counter bucket splitter stats info is has can for from in to of with by and or " +
    "not if then else char chars character characters word words per budget window usage estimate command cmd function " +
    "func fn getter setter object instance holder wrapper context session secret auth"
  ).split(" "),
);

/** Words of an identifier: `dbPassword_2` is db, password. */
export function wordsOfName(name: string): string[] {
  return name
    .split(/[^\p{L}\p{M}\p{N}]+|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== "" && !/^\d+$/.test(word));
}

const plain = (word: string) => (word.length > 4 ? word.replace(/\d{1,3}$/, "") : word);

/** What the words of a name say of its value; undefined when nothing. */
export function strengthOf(nameWords: readonly string[]): NameStrength | undefined {
  const words = nameWords.map(plain);
  let end = words.length;
  while (end > 1 && neutral.has(words[end - 1] ?? "")) end--;
  const own = strengthOfLast(words.slice(0, end));
  if (own !== undefined) return own;
  // `TOKEN_GITHUB`, `apiKeyStripe`: the word stands before another.
  for (let at = end - 1; at >= 1 && at >= end - 2; at--) {
    const behind = words.slice(at, end);
    if (behind.some((word) => otherThing.has(word))) return undefined;
    if (strengthOfLast(words.slice(0, at)) !== undefined) return "maybe";
  }
  return undefined;
}

function strengthOfLast(words: readonly string[]): NameStrength | undefined {
  const last = words.at(-1) ?? "";
  const before = words.at(-2) ?? "";
  if (passwordWords.has(last) || passwordEnds.test(last))
    return ["no", "show", "hide", "forgot", "is", "has"].includes(before) ? undefined : "password";
  if (last === "passe" && before === "de") return "password";
  if (secretEnds.test(last)) return "secret";
  if (tokenWords.has(last) || tokenEnds.test(last)) {
    return /^(?:next|max|min|total|page|continuation|cancel|cancellation|stop|prompt|completion|input|output|design|syntax|public)$/.test(
      before,
    )
      ? "maybe"
      : "token";
  }
  if (last === "auth") return "maybe";
  if (last === "pin" || last === "pincode") return "pin";
  if (/^(?:codes?|schlüssel)$/.test(last)) return codeOwners.has(before) ? "code" : undefined;
  if (/^(?:phrase|words|mnemonic)$/.test(last))
    return wordOwners.has(before) || last === "mnemonic" ? "code" : undefined;
  if (/^keys?$/.test(last)) {
    if (publicKeys.has(before)) return undefined;
    return keyOwners.has(before) ? "token" : "maybe";
  }
  if (/(?:api|secret|private|access|auth|account|license|encryption|signing)keys?$/.test(last)) return "token";
  if (/^(?:cookie|seed|otp|totp|salt|sid|sig|signature)$/.test(last)) return "maybe";
  return undefined;
}

/** What a scan looks for; {@link strengthOf} then judges the whole name. */
export const nameKeywords: readonly string[] = [
  ..."password passwd passphrase passcode passwort kennwort lösenord losenord wachtwoord passord geheimnis".split(" "),
  ...[...passwordWords].filter((word) => word !== "pw" && !/^(?:.*pass|pass.+)$/.test(word)),
  ..."pass secret token jwt cred key auth sessid sid cookie pin pincode code codes phrase words mnemonic seed otp".split(
    " ",
  ),
  ..."signature sig sas pat hmac bearer pw passe ключ salt".split(" "),
];
