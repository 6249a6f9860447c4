import { unwrapLines } from './base64-lines.ts';
import type { FoundSecret } from './found-secret.ts';
import { findForm, listIssuedForms } from './secret-forms.ts';

/** Runs of characters of base64 that are long enough for a token. */
const base64Runs = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}/g;
/** Runs of hexadecimal digits in one of them. */
const hexRuns = /(?<![0-9A-Fa-f])[0-9A-Fa-f]{40,}/g;

/** A token has more visible characters in a row. */
const isVisible = /[!-~]{16}/;

/**
 * Finds what its issuer has marked in base64 (of either alphabet, on one line or several) and in hexadecimal, also beside other
 * bytes. Linear in the length of the text.
 */
export function findEncodedSecrets(text: string): readonly FoundSecret[] {
  const { text: unwrapped, toWritten } = unwrapLines(text);
  const joined = unwrapped === text ? [] : findEncoded(unwrapped).map(toWritten);
  return [...findEncoded(text), ...joined];
}

function findEncoded(text: string): readonly FoundSecret[] {
  return [...text.matchAll(base64Runs)].flatMap(({ 0: run, index }) => [
    ...findInRun(run, { index, encoding: 'base64', characters: 4, bytes: 3 }),
    ...[...run.matchAll(hexRuns)].flatMap((hex) =>
      findInRun(hex[0], { index: index + hex.index, encoding: 'hex', characters: 2, bytes: 1 }),
    ),
  ]);
}

interface Run {
  /** Offset in the text. */
  readonly index: number;
  readonly encoding: 'base64' | 'hex';
  /** So many characters stand for so many bytes. */
  readonly characters: number;
  readonly bytes: number;
}

/** Letters before an encoded value can belong to its run, so each offset in a group of characters is tried. */
function findInRun(run: string, { index, encoding, characters, bytes }: Run): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let shift = 0; shift < characters; shift += 1) {
    const decoded = Buffer.from(run.slice(shift), encoding).toString('latin1');
    if (!isVisible.test(decoded)) continue;
    const begin = index + shift;
    for (const { kind, start, end } of listIssuedForms(decoded).flatMap((form) => findForm(decoded, form)))
      found.push({
        kind,
        start: begin + Math.floor((start * characters) / bytes),
        end: Math.min(index + run.length, begin + Math.ceil((end * characters) / bytes)),
      });
  }
  return found;
}
