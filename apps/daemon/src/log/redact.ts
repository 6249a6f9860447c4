/** Gives a text back without its secrets. */
export type Redact = (text: string) => string;

const replacement = '[REDACTED]';

/** Shorter values would take ordinary words out of texts. */
const shortestSecret = 6;

/** What secrets look like wherever they come from. Every expression is linear: no nested repetition. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{20,255}/g, replacement],
  [/\bglpat-[A-Za-z0-9_-]{16,255}/g, replacement],
  [/\bsk-[A-Za-z0-9_-]{16,255}/g, replacement],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, replacement],
  [/\bxox[abprs]-[A-Za-z0-9-]{10,255}/g, replacement],
  [/\b(Bearer|Basic|token)\s+(?=[A-Za-z0-9+/._~-]*\d)[A-Za-z0-9+/._~-]{16,4096}=*/gi, `$1 ${replacement}`],
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:"']{0,256}:[^\s/@"']{1,256}@/gi, `$1${replacement}@`],
  [/\b(password|passwd|pwd)(\s{0,3}[=:]\s{0,3}["']?)[^\s"',;]{4,256}/gi, `$1$2${replacement}`],
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    replacement,
  ],
];

/**
 * Makes the function that takes secrets out of everything that leaves the process: by value for the secrets
 * that this process holds (as they are, escaped in JSON, and as git sends them), by pattern for all others.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const values = [...new Set(secrets.filter((secret) => secret.length >= shortestSecret).flatMap(spellings))];
  values.sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const value of values) clean = clean.replaceAll(value, replacement);
    for (const [pattern, substitute] of patterns) clean = clean.replace(pattern, substitute);
    return clean;
  };
}

function spellings(secret: string): readonly string[] {
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(`x-access-token:${secret}`).toString('base64'),
  ];
}
