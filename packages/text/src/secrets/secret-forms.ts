import type { FoundSecret } from './found-secret.ts';
import { issuedForms } from './issued-forms.ts';

/** A way in which a secret is written. What a match ends with is the secret, or its group `secret` where it has one. */
export interface SecretForm {
  readonly kind: string;
  readonly pattern: RegExp;
  /** Takes out what only looks like it. Default: nothing does. */
  readonly holds?: (secret: string) => boolean;
}

const toPattern = (forms: readonly string[], flags: string) =>
  new RegExp(`(?<![A-Za-z0-9])(?:${forms.map((form) => form.replace(' ', '')).join('|')})`, flags);

const allForms = issuedForms.flatMap(([, ...forms]) => forms);

/** All of them at once: most texts hold none, and are told so in a tenth of the time. */
const anyIssued = toPattern(allForms, '');

const issuedByKind: readonly SecretForm[] = issuedForms.map(([kind, ...forms]) => ({
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
    kind: 'address of a webhook',
    pattern:
      /\bwebhook\.office\.com\/webhookb2\/(?<secret>[\w-]{8,64}@[\w-]{8,64}\/IncomingWebhook\/[\w-]{16,64}(?:\/[\w-]{8,64}){1,3})/gi,
  },
  {
    // The key of an OpenSSH file and one of a PEM file in base64, without what stands around them.
    kind: 'private key',
    pattern:
      /b3BlbnNzaC1rZXktdj[A-Za-z0-9+/=\s]{40,20000}|LS0tLS1CRUdJTi[A-Za-z0-9+/]{1,32}?(?:UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW)[A-Za-z0-9+/=\s]{24,20000}/g,
  },
  {
    kind: 'private key',
    pattern:
      /\bPrivate-Lines:\s{1,4}\d{1,4}(?<secret>[A-Za-z0-9+/=\s\\]{40,20000}(?:-MAC:\s{0,4}[0-9a-f]{40,64})?)/g,
  },
  {
    kind: 'private key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s\\:,.()]|-(?!-)){0,20000}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g,
    holds: hasKeyBody,
  },
];

/** Code and manuals write the two lines around a key without one between them, or with words. */
export function hasKeyBody(key: string): boolean {
  return /[A-Za-z0-9+/]{16}|-----\s{0,9}[A-Za-z0-9+/=]{6,15}\s{0,9}-----END/.test(key);
}

/** Finds what is written in a form. */
export function findForm(text: string, { kind, pattern, holds }: SecretForm): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.secret ?? match[0];
    const end = match.index + match[0].length;
    if (holds === undefined || holds(secret)) found.push({ kind, start: end - secret.length, end });
  }
  return found;
}
