import { type FoundSecret, replaceSecrets } from './found-secret.ts';
import { beginsLikeIssued } from './secret-forms.ts';

/** Secrets that this process holds, found by their values. */
export interface KnownSecrets {
  /** Hides the values as they are written in code and data: plain, in JSON, in an address, in base64, in hexadecimal. */
  readonly hide: (text: string) => string;
  /** Finds what `hide` hides, and besides the values in any case and the halves of long ones. */
  readonly find: (text: string) => readonly FoundSecret[];
}

/** Shorter values are words of ordinary texts: `ollama` as a key must not take the word out of code. */
const shortestSecret = 12;
/** Of a value that begins as its issuer's tokens do. */
const shortestIssued = 8;

/** Tells whether a value is long enough, or distinct enough, to be looked for without hiding ordinary words. */
export function isHideable(value: string): boolean {
  return value.length >= shortestSecret || (value.length >= shortestIssued && beginsLikeIssued(value));
}

/** Takes the values that can be hidden; the others are left out, see `isHideable`. */
export function createKnownSecrets(values: readonly string[]): KnownSecrets {
  const hideable = [...new Set(values)].filter(isHideable);
  const plain = unique(hideable.flatMap(spellPlain));
  const base64 = unique(hideable.flatMap((value) => [0, 1, 2].flatMap((shift) => spellBase64(value, shift))));
  const folded = unique(
    hideable.flatMap((value) => [...spellPlain(value), ...halve(value)]).map(toLowerAscii),
  );
  const findBase64 = (text: string) => findAll(text, base64).map((found) => widen(text, found));
  return {
    hide: (text) => replaceSecrets(text, [...findAll(text, plain), ...findBase64(text)]),
    find: (text) =>
      folded.length === 0 ? [] : [...findAll(toLowerAscii(text), folded), ...findBase64(text)],
  };
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

/** Farther than the name that stands before a token in a login, as in `x-access-token:…`. */
const widestLogin = 64;

/** Takes in the rest of a run of base64: its outermost characters hold bits of the secret. */
function widen(text: string, found: FoundSecret): FoundSecret {
  let { start, end } = found;
  while (start > 0 && found.start - start < widestLogin && isBase64(text.charCodeAt(start - 1))) start -= 1;
  while (end < text.length && end - found.end < widestLogin && isBase64(text.charCodeAt(end))) end += 1;
  return { ...found, start, end };
}

function isBase64(code: number): boolean {
  const isDigit = code >= 48 && code <= 57;
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  // + / = - _
  return isDigit || isLetter || [43, 47, 61, 45, 95].includes(code);
}

function spellPlain(value: string): readonly string[] {
  const hex = Buffer.from(value, 'utf8').toString('hex');
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), hex, hex.toUpperCase()];
}

/** Base64 of the value where `shift` bytes stand before it in their group of three, as far as they do not matter. */
function spellBase64(value: string, shift: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value, 'utf8')]);
  const own = bytes.toString('base64').slice(shift === 0 ? 0 : shift + 1, Math.floor((bytes.length * 8) / 6));
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Of values that are drawn by chance: half a passphrase is a word. */
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
