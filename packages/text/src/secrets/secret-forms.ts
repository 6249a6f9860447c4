/** A way in which a secret is written. What a match ends with is the secret, or its group `secret` where it has one. */
export interface SecretForm {
  readonly kind: string;
  readonly pattern: RegExp;
  /** Takes out what only looks like it. Default: nothing does. */
  readonly holds?: (secret: string) => boolean;
}

/**
 * The forms that issuers give their keys, by kind. A space parts what stands before every key of an issuer, and is in no other
 * word, from what is drawn. A maintained scanner knows some of them as well; these are known without a promise, and where it
 * does not look: in a log line, in a part of a word.
 * @see https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
 * @see https://docs.gitlab.com/security/tokens/#token-prefixes
 */
const issued: readonly (readonly [kind: string, ...forms: string[]])[] = [
  ['GitHub token', '(?:gh[opsur]_|github_pat_) [A-Za-z0-9_]{20,255}'],
  [
    'GitLab token',
    'gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|oas|ffct|wt)- [\\w-]{16,255}(?:\\.[\\w.-]{1,64})?',
  ],
  [
    'key of a model provider',
    'sk- (?:proj-|svcacct-|admin-|ant-[a-z0-9]{1,8}-|or-v1-|lf-)[\\w-]{16,255}',
    'sk- \\w{20,255}',
  ],
  [
    'key of a model provider',
    '(?:gsk_|xai-|pplx-|hf_|api_org_|r8_|csk-|tvly-|lsv2_pt_|e2b_|fw_|nvapi-) [A-Za-z0-9_-]{20,255}',
  ],
  ['AWS access key', '(?:AKIA|ASIA|ABIA|ACCA) [A-Z0-9]{16}(?![A-Za-z0-9])'],
  [
    'Google key',
    'AIza [\\w-]{35}',
    'ya29\\. [\\w-]{16,2048}',
    'GOCSPX- [\\w-]{16,64}',
    '1//0 [\\w-]{30,255}',
  ],
  ['Azure secret', '[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}'],
  ['Slack token', 'xox[abeoprs]- [\\w-]{10,255}', 'xoxe\\. [\\w.-]{10,255}', 'xapp- [0-9]-[\\w-]{8,255}'],
  ['Stripe key', '[rs]k_(?:live|test)_ \\w{8,255}', 'whsec_ [\\w+/=]{16,255}'],
  ['SendGrid key', 'SG\\. [\\w-]{16,64}\\.[\\w-]{16,128}'],
  [
    'token of a package registry',
    'npm_ [A-Za-z0-9]{16,255}',
    'pypi- [\\w-]{16,512}',
    'rubygems_ [0-9a-f]{32,64}',
    'cio[A-Za-z0-9]{32}(?!\\w)',
    'oy2[a-z0-9]{43}(?!\\w)',
    'CLOJARS_ [0-9a-f]{60}',
    'AKCp [0-9A-Za-z]{40,128}',
  ],
  ['Docker token', 'dckr_(?:pat|oat)_ [\\w-]{16,128}'],
  ['Discord token', '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,38}'],
  ['Telegram token', '[0-9]{8,10}:AA[\\w-]{33}'],
  ['DigitalOcean token', 'do[opr]_v1_ [0-9a-f]{32,128}'],
  ['Databricks token', 'dapi[0-9a-f]{32}(?:-[0-9])?'],
  ['HashiCorp token', 'hv[brs]\\. [\\w-]{16,512}', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{40,128}'],
  ['Fly token', 'fo1_ [\\w-]{20,128}', 'fm[12][ra]?_ [\\w+/=,-]{40,4096}'],
  ['age key', 'AGE-(?:SECRET-KEY|PLUGIN)- [0-9A-Z-]{20,255}'],
  ['Shopify token', 'shp(?:at|ca|pa|ss)_ [0-9a-fA-F]{16,64}'],
  ['Linear key', 'lin_(?:api|oauth)_ [A-Za-z0-9]{16,128}'],
  ['Notion token', 'ntn_ [A-Za-z0-9]{20,128}'],
  ['Figma token', 'fig[dou]r?_ [\\w-]{20,128}'],
  ['Grafana token', 'gl(?:sa|c)_ [A-Za-z0-9+/=_]{20,512}'],
  ['Sentry token', 'sntry[su]_ [\\w+/=]{20,512}'],
  ['Doppler token', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\. [\\w.-]{20,128}'],
  [
    'token of a database service',
    'pscale_(?:tkn|oauth|pw)_ [\\w.=-]{20,128}',
    'sb(?:p|_secret)_ [\\w-]{16,128}',
    'napi_ [a-z0-9]{32,128}',
  ],
  [
    'token of a host',
    'nfp_ [\\w]{20,64}',
    'HRKU- [\\w-]{20,128}',
    'vc[prika]_ [A-Za-z0-9]{24,128}',
    'cf(?:ut|at|k)_ [\\w-]{24,128}',
    'pul- [0-9a-f]{40}',
    'ddp_ \\w{30,64}',
  ],
  ['Atlassian token', 'AT(?:ATT|CTT|STT)3 [\\w=-]{40,512}', 'ATBB [A-Za-z0-9]{24,64}'],
  ['Tailscale key', 'tskey- [a-z]{2,16}-[\\w-]{16,128}'],
  ['1Password token', 'ops_eyJ [\\w-]{40,4096}', 'A3- [A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-?){4,6}'],
  ['Postman key', 'PMAK- [0-9a-f]{24}-[0-9a-f]{34}'],
  [
    'key of a mail service',
    'key-[0-9a-f]{32}',
    'xkeysib- [0-9a-f]{64}-\\w{16}',
    're_[A-Za-z0-9]{8}_[A-Za-z0-9]{16,32}',
    '[0-9a-f]{32}-us[0-9]{1,2}',
  ],
  ['Twilio key', '(?:SK|AC)[0-9a-f]{32}(?!\\w)'],
  ['Square token', 'sq0(?:atp|csp|idp)- [\\w-]{22,64}', 'EAAA [\\w-]{60}'],
  [
    'key of a monitoring service',
    'NR(?:AK|JS|II)- [A-Z0-9]{19,64}',
    'dt0 [a-z][0-9]{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}',
  ],
  ['Mapbox token', 'sk\\.eyJ [\\w-]{20,255}\\.[\\w-]{16,64}'],
  ['key of a cloud', '(?:LTAI|AKID) [A-Za-z0-9]{16,32}(?!\\w)', 'AQVN [\\w-]{32,64}'],
  ['JSON web token', '(?<![_-])eyJ[\\w-]{8,4096}\\.[\\w-]{2,8192}\\.[\\w-]{16,2048}'],
];

const toPattern = (forms: readonly string[], flags: string) =>
  new RegExp(`(?<![A-Za-z0-9])(?:${forms.map((form) => form.replace(' ', '')).join('|')})`, flags);

const allForms = issued.flatMap(([, ...forms]) => forms);

/** All of them at once: most texts hold none, and are told so in a tenth of the time. */
const anyIssued = toPattern(allForms, '');

const issuedByKind: readonly SecretForm[] = issued.map(([kind, ...forms]) => ({
  kind,
  pattern: toPattern(forms, 'g'),
}));

const beginnings = allForms.filter((form) => form.includes(' ')).map((form) => form.replace(/ .*/s, ''));
const issuedStart = new RegExp(`^(?:${beginnings.join('|')})`);

/** Tells whether a value begins with what an issuer puts before its tokens. */
export function beginsLikeIssued(value: string): boolean {
  return issuedStart.test(value);
}

/** Forms that are distinct enough to keep a change from being pushed, as far as this text can hold them. */
export function listIssuedForms(text: string): readonly SecretForm[] {
  return anyIssued.test(text) ? [...issuedByKind, ...markedForms] : markedForms;
}

const markedForms: readonly SecretForm[] = [
  {
    kind: 'address of a webhook',
    pattern:
      /\b(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks)\/(?<secret>[\w/-]{16,255})/gi,
  },
  {
    kind: 'private key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s\\:,.()]|-(?!-)){0,20000}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
];

/**
 * Forms that say by a name that a secret follows: the name stays. Quotes may be those of JSON within JSON, as in a line of a
 * log, and a secret ends before them.
 */
export const namedForms: readonly SecretForm[] = [
  {
    kind: 'authorization',
    pattern: /\b(?:Bearer|Basic|token)[ \t]{1,4}(?<secret>[A-Za-z0-9+/._~-]{16,4096}={0,2})/gi,
    holds: (secret) => /\d/.test(secret),
  },
  {
    kind: 'password',
    pattern:
      /(?:\b|_)(?:password|passwd|pwd|passphrase)[\\"'`]{0,4}[ \t]{0,4}[=:][ \t]{0,4}[\\"'`]{0,4}(?<secret>(?:[^\s"'`,;\\]|\\(?![\\"'`])){4,256})/gi,
    holds: isLiteral,
  },
  {
    kind: 'password',
    pattern: /パスワード[ \t]{0,4}[=:：][ \t]{0,4}(?<secret>(?:[^\s"',;、。\\]|\\(?![\\"'])){4,256})/g,
  },
  {
    kind: 'secret by its name',
    pattern:
      /(?:secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|credentials?|_auth|sig)[\\"'`\]]{0,5}[ \t]{0,4}(?:=>|:=|[=:])[ \t]{0,4}[\\"'`]{0,4}(?<secret>[\w+/.~%-]{8,512}={0,2})/gi,
    holds: (secret) => isLiteral(secret) && isDrawnByChance(secret),
  },
  {
    kind: 'password in an address',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?<secret>[^\s/@:"'<>`]{0,256}:[^\s/@"'<>`]{1,256})(?=@)/gi,
    holds: (secret) => isLiteral(secret.slice(secret.indexOf(':') + 1)),
  },
  {
    kind: 'password of a .netrc',
    pattern:
      /\blogin\s{1,8}\S{1,128}\s{1,8}(?:password|account)\s{1,8}(?<secret>(?:[^\s"\\]|\\(?!["\\])){4,256})/gi,
  },
  {
    kind: 'password of a .pgpass',
    pattern:
      /(?<![\w.*-])(?:localhost|\*|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}):(?:\d{1,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?<secret>(?:[^\s"'`,\\]|\\(?![\\"'`])){4,256})/g,
  },
];

/** Code that reads a value, and what stands for one in an example, is none. */
function isLiteral(value: string): boolean {
  return !/[()[\]{}<>$]|^[A-Za-z_]+(?:\.[A-Za-z_]+)+$|\*{3}|^(?:null|undefined|true|false|string|String|None|nil)$/.test(
    value,
  );
}

/** Names and words have no digits among their letters; hashes of files say what they are. */
function isDrawnByChance(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !/^(?:sha\d{1,3}[-:]|v?\d+(?:\.\d+)+)/.test(value);
}
