import type { FoundSecret } from './found-secret.ts';
import type { KnownSecrets } from './known-secrets.ts';
import { issuedForms, namedForms, type SecretForm } from './secret-forms.ts';

/** Finds what is written as secrets are, wherever it comes from. Linear in the length of the text. */
export function findSecretForms(text: string): readonly FoundSecret[] {
  return [...issuedForms, ...namedForms].flatMap((form) => findForm(text, form));
}

/** Finds what its issuer has marked as a secret: without guesses by the name of what a value is given to. */
export function findIssuedSecrets(text: string): readonly FoundSecret[] {
  return issuedForms.flatMap((form) => findForm(text, form));
}

function findForm(text: string, { kind, pattern, holds }: SecretForm): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.secret ?? match[0];
    const end = match.index + match[0].length;
    if (holds === undefined || holds(secret)) found.push({ kind, start: end - secret.length, end });
  }
  return found;
}

/** Finds known values in every spelling, and what is written as secrets are. */
export function findSecrets(text: string, known: KnownSecrets): readonly FoundSecret[] {
  return [...known.find(text), ...findSecretForms(text)];
}
