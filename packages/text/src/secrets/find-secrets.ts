import { findEncodedSecrets } from './encoded-secrets.ts';
import type { FoundSecret } from './found-secret.ts';
import type { KnownSecrets } from './known-secrets.ts';
import { namedForms } from './named-forms.ts';
import { readEscapes } from './read-escapes.ts';
import { findForm, hasKeyBody, listIssuedForms } from './secret-forms.ts';

/**
 * Finds what is written as secrets are, wherever it comes from. Linear in the length of the text.
 *
 * @example
 * findSecretForms('password=hunter22, next'); // [{ kind: 'password', start: 9, end: 17 }]
 */
export function findSecretForms(text: string): readonly FoundSecret[] {
  return [...listIssuedForms(text), ...namedForms].flatMap((form) => findForm(text, form));
}

/**
 * Finds what is certain enough to hold something back: what its issuer has marked, what a maintained scanner knows, and
 * of what is called a secret only values that are long and drawn by chance. Examples out of manuals are none.
 *
 * @example
 * await findCertainSecrets('password=hunter22'); // []: short, and perhaps an example
 */
export async function findCertainSecrets(text: string): Promise<readonly FoundSecret[]> {
  const own = [{ text, toWritten: (found: FoundSecret) => found }, ...readEscapes(text)].flatMap((reading) =>
    findCertainForms(reading.text).map(reading.toWritten),
  );
  const scanned = (await scanSecrets(text)).filter(({ start, end }) => {
    const found = text.slice(start, end);
    if (isPrivateKey(found)) return isWholeKey(found);
    return isCertain(found) && !isOfWords(found.split(/[\s:="']+/).at(-1) ?? '');
  });
  return withoutOverlaps([...own, ...findEncodedSecrets(text), ...scanned]);
}

function findCertainForms(text: string): readonly FoundSecret[] {
  const issued = listIssuedForms(text)
    .flatMap((form) => findForm(text, form))
    .filter(({ kind, start, end }) => {
      const found = text.slice(start, end);
      return kind === 'private key' ? isWholeKey(found) : isCertain(found);
    });
  const named = namedForms
    .flatMap((form) => findForm(text, form))
    .filter(({ kind, start, end }) => {
      const found = text.slice(start, end);
      const value = kind === 'password in an address' ? found.slice(found.indexOf(':') + 1) : found;
      return isLongAndRandom(value) && isCertain(value);
    });
  return [...issued, ...named];
}

function isPrivateKey(found: string): boolean {
  return /^-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/.test(found);
}

/**
 * Every OpenSSH key without a passphrase has seven signs alike, and any word can be in a key. Manuals leave out most of a key and write
 * three dots instead; the shortest keys have about this number of characters.
 */
function isWholeKey(key: string): boolean {
  const [shown = ''] = key.split('...');
  return shown === key ? !isPrivateKey(key) || hasKeyBody(key) : shown.length > 120;
}

/** Words that manuals, tests and templates put where a secret belongs. */
const example =
  /example|placeholder|change[_-]?me|your[_-]|redacted|dummy|sample|localhost|x{5,}|\.{3}|eyJzdWIiOiIxMjM0NTY3ODkwIi|123e4567-e89b|0?1234567890?abcdef/i;

function isCertain(value: string): boolean {
  return !example.test(value) && !value.split('').some((unit, at) => value.startsWith(unit.repeat(7), at));
}

function isLongAndRandom(secret: string): boolean {
  const isMixed = /[a-z]/.test(secret) && /[A-Z]/.test(secret) && /\d/.test(secret);
  return (secret.length >= 20 && isMixed && !isOfWords(secret)) || randomForms.test(secret);
}

/** Hexadecimal digits, a UUID, and letters of one case with several numbers between them. */
const randomForms =
  /^(?:[0-9a-f]{32,}|[0-9A-F]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}|(?=.{32})[a-z]*(?:[0-9]+[a-z]+){2}[0-9]+[a-z][a-z0-9]*|(?=.{32})[A-Z]*(?:[0-9]+[A-Z]+){2}[0-9]+[A-Z][A-Z0-9]*)$/;

/** Names in code, and objects whose members are read, are words with a number; random values rarely have three small letters in a row. */
function isOfWords(value: string): boolean {
  const [first = ''] = value.split('.');
  const words = first.match(/[A-Z]?[a-z]{3,}/g) ?? [];
  return words.join('').length > 0.6 * first.length;
}

function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  let last = 0;
  return found
    .toSorted((one, other) => one.start - other.start || other.end - one.end)
    .filter(({ start, end }) => {
      if (start < last) return false;
      last = end;
      return true;
    });
}

/**
 * Finds known values in every spelling, and what is written as secrets are.
 *
 * @example
 * const text = 'password=hunter22, next';
 * replaceSecrets(text, findSecrets(text, createKnownSecrets([]))); // 'password=[REDACTED], next'
 */
export function findSecrets(text: string, known: KnownSecrets): readonly FoundSecret[] {
  const readings = readEscapes(text);
  const read = readings.flatMap((reading) => findSecretForms(reading.text).map(reading.toWritten));
  return [...known.find(text, readings), ...findSecretForms(text), ...read, ...findEncodedSecrets(text)];
}

/** Rules that `secretlint` recommends and that are left out here. */
const leftOut = new Set(
  [
    // Who writes a text must not say that it is not looked at.
    'filter-comments',
    // Our own form judges addresses with a password: a database of the developer's own machine is no secret.
    'basicauth',
    'database-connection-string',
  ].map((name) => `@secretlint/secretlint-rule-${name}`),
);

/**
 * Finds what a maintained scanner knows as a secret: the rules that `secretlint` recommends, whatever comments in the
 * text ask of it. Loading it costs a tenth of a second and 10 MB, so that is done at the first use.
 *
 * @example
 * replaceSecrets(text, await scanSecrets(text));
 */
export async function scanSecrets(text: string): Promise<readonly FoundSecret[]> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ]);
  // It would keep entries for each rule and text as long as the process lives.
  secretLintProfiler.setEnabled(false);
  const { messages } = await lintSource({
    source: { filePath: 'text.txt', content: text, contentType: 'text', ext: '.txt' },
    options: {
      config: {
        rules: rules.filter(({ meta }) => !leftOut.has(meta.id)).map((rule) => ({ id: rule.meta.id, rule })),
      },
      noPhysicFilePath: true,
    },
  });
  return messages.map(({ range: [start, end], ruleId }) => ({
    kind: `secret (${ruleId.replace(/^@secretlint\/secretlint-rule-/, '')})`,
    start,
    end,
  }));
}
