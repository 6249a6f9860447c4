import { fitStart } from '../prompts/fit-start.ts';

/** Longer than any secret. */
const margin = 32_000;

/**
 * The beginning of a text without its secrets. They are taken out before it is cut, or half of one would stay; of a
 * text that is far too long, only so much is looked at that none of what is kept is next to a cut.
 */
export function fitWithoutSecrets(
  text: string,
  {
    hideKnownSecrets,
    maxChars,
  }: { readonly hideKnownSecrets: (text: string) => string; readonly maxChars: number },
): string {
  const looked = maxChars + 2 * margin;
  if (text.length <= looked) return fitStart(hideKnownSecrets(text), maxChars).toWellFormed();
  const clean = hideKnownSecrets(text.slice(0, looked));
  return fitStart(`${clean.slice(0, Math.max(0, clean.length - margin))}…`, maxChars).toWellFormed();
}
