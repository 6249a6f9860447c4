import type { WrittenCall } from './call-templates.ts';

/**
 * A text of others, in forms in which spelling, escapes, spaces and the syntax of calls do not matter. Tells whether a call that a
 * model wrote occurs in it.
 */
export class QuotedText {
  /** Words, with a colon between them for any signs, and a space for spaces alone. */
  readonly #words: string;
  /** All but quotes, escapes, and spaces that are not between words. */
  readonly #signs: string;

  constructor(text: string) {
    const decoded = decode(text.replace(outputLine, ' '));
    this.#signs = toSigns(decoded);
    this.#words = `:${toWords(decoded)}:`;
  }

  has(call: WrittenCall): boolean {
    const values = listValues(call.input);
    const reach = 2 * (call.name.length + JSON.stringify(call.input).length) + 400;
    return values.length === 0 ? this.#hasEmpty(call.name) : this.#hasValues(call.name, { values, reach });
  }

  /** Finds the name with the syntax of a call without arguments. */
  #hasEmpty(name: string): boolean {
    const written = toSigns(name);
    for (let at = this.#signs.indexOf(written); at !== -1; at = this.#signs.indexOf(written, at + 1)) {
      const behind = this.#signs.slice(at + written.length, at + written.length + 40);
      const before = this.#signs.slice(Math.max(0, at - 40), at);
      if (/^[({]|^[^a-z0-9]{0,4}(?:action)?(?:arguments|parameters|args|params|input)|\{\}|\(\)/.test(behind))
        return true;
      if (/\{\}/.test(before) || (/<\/?$/.test(before) && /^\/?>/.test(behind))) return true;
      if (/(?:invokename|function|to)=(?:functions\.)?$/.test(before)) return true;
    }
    return false;
  }

  /** Finds the name near all values, each behind its key or within parentheses. */
  #hasValues(
    name: string,
    { values, reach }: { readonly values: readonly Value[]; readonly reach: number },
  ): boolean {
    const parts = values.map(({ key, value, isItem }) => ({
      ...{ isItem, key: toSigns(key), value: toSigns(value) },
      ...{ wordKey: toWords(key), word: toWords(value) },
    }));
    const hasSigns = (
      block: string,
      { key, value, isItem }: (typeof parts)[number],
      isPositional: boolean,
    ) => {
      const places = isPositional || isItem ? ['(', ',', '['] : [];
      return [`${key}:`, `${key}=`, `${key}>`, ...places].some((sign) => hasWord(block, sign + value));
    };
    // Values without letters and digits have no words: they are looked for in all of the text.
    const isByWords = parts.some(({ word }) => word !== '');
    const others = parts.filter(({ word }) => word === '');
    const call = `${toSigns(name)}(`;
    return (
      (isByWords &&
        others.every((part) => hasSigns(this.#signs, part, false)) &&
        hasBlock(this.#words, {
          ...{ name: toWords(name), reach },
          hasAll: (block) =>
            parts.every(
              ({ word, wordKey, isItem }) =>
                word === '' || hasWord(block, `${wordKey}:${word}`) || (isItem && hasWord(block, word)),
            ),
        })) ||
      hasBlock(this.#signs, {
        ...{ name: toSigns(name), reach },
        hasAll: (block) => parts.every((part) => hasSigns(block, part, block.includes(call))),
      })
    );
  }
}

const word = /[\p{L}\p{N}]/u;

/** Tells whether a text has a part that neither begins nor ends within a word. */
function hasWord(text: string, part: string): boolean {
  const [beginsWord, endsWord] = [word.test(part.charAt(0)), word.test(part.slice(-1))];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const isWithin =
      (beginsWord && word.test(text.charAt(at - 1))) ||
      (endsWord && word.test(text.charAt(at + part.length)));
    if (!isWithin) return true;
  }
  return false;
}

interface Block {
  readonly name: string;
  readonly reach: number;
  readonly hasAll: (block: string) => boolean;
}

/** Tells whether a part of the text, of a length near that of the call, has its name and all of its values. */
function hasBlock(text: string, { name, reach, hasAll }: Block): boolean {
  for (let start = 0; start < text.length; start += reach) {
    const block = text.slice(start, start + 2 * reach);
    if (hasWord(block, name) && hasAll(block)) return true;
  }
  return false;
}

interface Value {
  readonly key: string;
  readonly value: string;
  /** True for an item of a list. */
  readonly isItem: boolean;
}

function listValues(input: WrittenCall['input'], isItem = false): readonly Value[] {
  return Object.entries(input).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) return [{ key, value: String(value), isItem }];
    if (Object.keys(value).length === 0) return [{ key, value: JSON.stringify(value), isItem }];
    if (!Array.isArray(value)) return listValues(value as WrittenCall['input']);
    return value.flatMap((item) => listValues({ [key]: item }, true));
  });
}

/** The envelope of a result names the tool that was called. */
const outputLine = /\| output of: [\w.-]{1,128} \| authority: /g;

const entities: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  nbsp: ' ',
};

/** Text with the escapes of JSON, HTML and addresses replaced, however often they were escaped. */
function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3; round += 1) {
    const next = decodeOnce(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

function decodeOnce(text: string): string {
  return text
    .replace(/(?<!\\)\\{1,64}u(?:([0-9a-f]{4})|\{([0-9a-f]{1,6})\})/gi, (_, four, any) =>
      toSign(four ?? any, 16),
    )
    .replace(/(?<!\\)\\{1,64}x([0-9a-f]{2})/gi, (_, two) => toSign(two, 16))
    .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi, (_, hex, digits) =>
      hex === undefined ? toSign(digits, 10) : toSign(hex, 16),
    )
    .replace(/&(quot|apos|lt|gt|amp|nbsp);/gi, (_, name: string) => entities[name.toLowerCase()] ?? '')
    .replace(/(?:%[0-9a-f]{2}){1,1000}/gi, (run) => decodeAddress(run));
}

function toSign(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}

function decodeAddress(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}

/** One spelling of signs, numbers and empty values. */
function toPlain(text: string): string {
  return decode(text)
    .replace(/(?<!\\)\\{1,64}[nrtbf]/gi, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[0-9]{1,20}(?:\.[0-9]{1,20})?(?:e[+-]?[0-9]{1,3})?/g, (digits) => String(Number(digits)))
    .replace(/\bnone\b/g, 'null');
}

function toWords(text: string): string {
  return toPlain(text)
    .replace(/\p{Cf}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, (signs) => (signs.trim() === '' ? ' ' : ':'))
    .replace(/^[: ]|[: ]$/g, '');
}

function toSigns(text: string): string {
  return toPlain(text)
    .replace(/[\\"'`“”‘’\p{Cf}]+/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/(?<![\p{L}\p{N}_]) | (?![\p{L}\p{N}_])/gu, '');
}
