const replacement = '[REDACTED]';

/** Every expression is linear: what repeats is bounded, and nothing repeats within a repetition. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{20,255}/g, replacement],
  [/\bglpat-[A-Za-z0-9_-]{16,255}/g, replacement],
  [/\bsk-[A-Za-z0-9_-]{16,255}/g, replacement],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, replacement],
  [/\b(Bearer|Basic)[ \t]{1,4}[A-Za-z0-9+/._~-]{16,4096}={0,2}/gi, `$1 ${replacement}`],
  [/\b(password|passwd|pwd)(["']?[ \t]{0,4}[=:][ \t]{0,4}["']?)[^\s"',;]{4,256}/gi, `$1$2${replacement}`],
  [/(パスワード[ \t]{0,4}[=:：][ \t]{0,4})[^\s"',;、。]{4,256}/g, `$1${replacement}`],
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:"'<>]{0,256}:[^\s/@"'<>]{1,256}@/gi, `$1${replacement}@`],
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    replacement,
  ],
];

/** Takes out what looks like a secret, wherever it comes from. @see decision C12 */
export function redactPatterns(text: string): string {
  return patterns.reduce((clean, [pattern, substitute]) => clean.replace(pattern, substitute), text);
}

/** Shorter values would take ordinary words out of texts. */
const shortestSecret = 6;

/** Takes out known secrets by value: as they are, escaped in JSON or in an address, in base64. */
export function redactValues(text: string, secrets: readonly string[]): string {
  const spellings = secrets.filter((secret) => secret.length >= shortestSecret).flatMap(toSpellings);
  const longestFirst = [...new Set(spellings)].sort((one, other) => other.length - one.length);
  return longestFirst.reduce((clean, value) => clean.replaceAll(value, replacement), text);
}

function toSpellings(secret: string): readonly string[] {
  const base64 = Buffer.from(secret, 'utf8').toString('base64');
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64];
}
