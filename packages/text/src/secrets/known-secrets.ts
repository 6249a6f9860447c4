import { checkValue, expected } from '../check-options.ts';
import { isBase64, unwrapLines } from './base64-lines.ts';
import { type FoundSecret, replaceSecrets } from './found-secret.ts';
import { type ReadText, readEscapes } from './read-escapes.ts';
import { beginsLikeIssued } from './secret-forms.ts';
import { listSecretValues, type SecretValues } from './secret-values.ts';

/** Secrets that this process holds, found by their values. */
export interface KnownSecrets {
  /** Hides the values as they are written in code and data: plain, in JSON, in an address, in hexadecimal, in base64 on one line or several. */
  readonly hide: (text: string) => string;
  /** Finds what `hide` hides, and besides the values in any case, with any of their characters written by number, and the halves of long ones. `readings` are those of `readEscapes`, where that was done already. */
  readonly find: (text: string, readings?: readonly ReadText[]) => readonly FoundSecret[];
}

/** Shorter values are words of ordinary texts: `ollama` as a key must not take the word out of code. */
const shortestSecret = 12;
/** The same for a value that begins as its issuer's tokens do. */
const shortestIssued = 8;

/**
 * Tells whether a value is long enough, or distinct enough, to be looked for without hiding ordinary words.
 *
 * @example
 * isHideable('ollama'); // false
 */
export function isHideable(value: string): boolean {
  return value.length >= shortestSecret || (value.length >= shortestIssued && beginsLikeIssued(value));
}

/**
 * Takes the values that can be hidden; the others are left out, see `isHideable`.
 *
 * @example
 * createKnownSecrets(['plum-orchard-lane']).hide('at plum-orchard-lane'); // 'at [REDACTED]'
 */
export function createKnownSecrets(values: SecretValues): KnownSecrets {
  checkValue('The secrets', values, expected.secrets);
  let known = { values: listSecretValues(values), ...spellAll(listSecretValues(values)) };
  const spellings = () => {
    const present = listSecretValues(values);
    if (present !== known.values) known = { values: present, ...spellAll(present) };
    return known;
  };
  return {
    hide: (text) => {
      const { plain, base64 } = spellings();
      return replaceSecrets(text, [...findAll(text, plain), ...findBase64(text, base64)]);
    },
    find: (text, readings) => {
      const { folded, base64 } = spellings();
      if (folded.length === 0) return [];
      const findIn = (read: string) => [...findAll(toLowerAscii(read), folded), ...findBase64(read, base64)];
      const escaped = (readings ?? readEscapes(text)).flatMap((reading) =>
        findIn(reading.text).map(reading.toWritten),
      );
      return [...findIn(text), ...escaped];
    },
  };
}

function spellAll(values: readonly string[]) {
  const hideable = [...new Set(values)].filter(isHideable);
  return {
    plain: unique(hideable.flatMap(spellPlain)),
    base64: unique(hideable.flatMap((value) => [0, 1, 2].flatMap((shift) => spellBase64(value, shift)))),
    folded: unique(hideable.flatMap((value) => [...spellPlain(value), ...halve(value)]).map(toLowerAscii)),
  };
}

function findBase64(given: string, base64: readonly string[]): FoundSecret[] {
  if (base64.length === 0) return [];
  const { text, toWritten } = unwrapLines(given);
  return findAll(text, base64).map((found) => widen(given, toWritten(found)));
}

function findAll(text: string, needles: readonly string[]): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
      found.push({ kind: 'a secret of this service', start: at, end: at + needle.length });
    }
  }
  return found;
}

/** A distance greater than that of a name before a token in a login, as in `x-access-token:…`. */
const widestLogin = 64;

/** Takes in the rest of a run of base64: its outermost characters hold bits of the secret. */
function widen(text: string, found: FoundSecret): FoundSecret {
  let { start, end } = found;
  while (found.start - start < widestLogin && isBase64(text.charCodeAt(start - 1))) start -= 1;
  while (end - found.end < widestLogin && isBase64(text.charCodeAt(end))) end += 1;
  return { ...found, start, end };
}

function spellPlain(value: string): readonly string[] {
  const hex = Buffer.from(value, 'utf8').toString('hex');
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), hex, hex.toUpperCase()];
}

/** Base64 of the value where `shift` bytes stand before it in their group of three, as far as they do not matter. */
function spellBase64(value: string, shift: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value, 'utf8')]);
  const own = bytes.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6));
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}

/** The same for values that are drawn by chance: half a passphrase is a word. */
function halve(value: string): readonly string[] {
  if (value.length < 2 * shortestSecret) return [];
  const middle = Math.floor(value.length / 2);
  const halves = [value.slice(0, middle), value.slice(middle)];
  return halves.every((half) => /\d/.test(half) && /[A-Za-z]/.test(half)) ? halves : [];
}

/** Lower case where that keeps the length. */
function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function unique(needles: readonly string[]): readonly string[] {
  return [...new Set(needles)];
}
