/** Codes of envelopes that this process has shown to a model, in lower case, oldest first. */
const codes = new Set<string>();

/** Codes that are kept. Each run has one. */
const maxCodes = 10_000;

/** Remembers a code, so that no text with it is published: anyone who knows it can end an envelope. */
export function rememberEnvelopeCode(nonce: string): void {
  const code = nonce.toLowerCase();
  codes.delete(code);
  codes.add(code);
  const [oldest] = codes;
  if (codes.size > maxCodes && oldest !== undefined) codes.delete(oldest);
}

const shortestCode = 16;

/**
 * Removes the codes of envelopes from a text. Models that copy their prompt publish them otherwise.
 *
 * @see SECURITY.md, untrusted text
 */
export function removeEnvelopeCodes(text: string): string {
  if (codes.size === 0 || text.length < shortestCode) return text;
  return text.replace(/[a-z0-9-]{16,}/gi, (token) => {
    const lower = token.toLowerCase();
    if (codes.has(lower)) return '';
    const code = [...codes].find((one) => one.length < lower.length && lower.includes(one));
    if (code === undefined) return token;
    const at = lower.indexOf(code);
    return removeEnvelopeCodes(`${token.slice(0, at)}${token.slice(at + code.length)}`);
  });
}
