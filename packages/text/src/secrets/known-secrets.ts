import { type FoundSecret, readSpelled, replaceSecrets, type SpelledText } from './found-secret.ts';
import { beginsLikeIssued } from './secret-forms.ts';
import { listSecretValues, type SecretValues } from './secret-values.ts';

/** Secrets that this process holds, found by their values. */
export interface KnownSecrets {
  /** Hides the values as they are written in code and data: plain, in JSON, in an address, in hexadecimal, in base64 on one line or several. */
  readonly hide: (text: string) => string;
  /** Finds what `hide` hides, and besides the values in any case, with any of their characters written by number, and the halves of long ones. `spelled` is what `readSpelled` read, where that was done already. */
  readonly find: (text: string, spelled?: SpelledText | null) => readonly FoundSecret[];
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
    find: (text, read) => {
      const { folded, base64 } = spellings();
      if (folded.length === 0) return [];
      const spelled = read === undefined ? readSpelled(text) : read;
      const byNumber =
        spelled === null ? [] : findAll(toLowerAscii(spelled.text), folded).map(spelled.toWritten);
      return [...findAll(toLowerAscii(text), folded), ...findBase64(text, base64), ...byNumber];
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
  const { text, toGiven } = unwrapLines(given);
  return findAll(text, base64).map((found) => widen(given, toGiven(found)));
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

/** Signs around a line of base64 in code, such as indentation, quotes and a sign that joins. */
const widestMargin = 40;

/** Takes out what wraps base64 at the end of lines. */
function unwrapLines(given: string): {
  readonly text: string;
  /** The place in the text as it was given. */
  readonly toGiven: (found: FoundSecret) => FoundSecret;
} {
  const parts: string[] = [];
  /** The place where each part begins: in the text without breaks, and in the one that was given. */
  const starts = [{ own: 0, given: 0 }];
  let own = 0;
  let from = 0;
  for (let at = given.indexOf('\n'); at !== -1; at = given.indexOf('\n', from)) {
    const end = skipMargin(given, { from: at, step: -1, limit: from }) + 1;
    parts.push(given.slice(from, end));
    own += end - from;
    from = skipMargin(given, { from: at, step: 1, limit: given.length - 1 });
    starts.push({ own, given: from });
  }
  const shift = (offset: number) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >>> 1;
      if ((starts[middle]?.own ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const { own: begin = 0, given: place = 0 } = starts[low] ?? {};
    return offset - begin + place;
  };
  return {
    text: [...parts, given.slice(from)].join(''),
    toGiven: (found) => ({ ...found, start: shift(found.start), end: shift(found.end - 1) + 1 }),
  };
}

/** The first character from a line feed on that belongs to base64. */
function skipMargin(
  text: string,
  { from, step, limit }: { readonly from: number; readonly step: 1 | -1; readonly limit: number },
): number {
  let at = from + step;
  while (at * step <= limit * step && Math.abs(at - from) <= widestMargin && isMargin(text, at, step))
    at += step;
  return at;
}

/** A sign of base64 that no other follows joins strings, or begins an item. */
function isMargin(text: string, at: number, step: 1 | -1): boolean {
  const code = text.charCodeAt(at);
  if (code === 10) return false;
  return !isBase64(code) || (isSign(code) && !isBase64(text.charCodeAt(at + step)));
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

function isBase64(code: number): boolean {
  const isDigit = code >= 48 && code <= 57;
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isDigit || isLetter || isSign(code);
}

function isSign(code: number): boolean {
  // + / = - _
  return code === 43 || code === 47 || code === 61 || code === 45 || code === 95;
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
