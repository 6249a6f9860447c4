import { isRecord, parseJson } from '@agent/text/json';

/** Words that models write where a tool needs no arguments. */
const noArguments = /^(?:null|none|nil|undefined)?$/i;

/**
 * Arguments of a tool call as JSON text. Missing ones mean an empty object. Only what stands between the values is repaired: fences,
 * marks of templates, comments, commas and closing brackets. A value that could be cut leaves the call invalid, and the model is
 * asked again.
 */
export function repairArguments(value: unknown): string {
  if (value === undefined || value === null) return '{}';
  if (typeof value !== 'string') return toText(value, JSON.stringify(value));
  const text = withoutFrame(value);
  if (noArguments.test(text)) return '{}';
  const parsed = parseJson(text);
  // Some models encode the object twice.
  if (typeof parsed === 'string') return isRecord(parseJson(parsed)) ? parsed : value;
  if (parsed !== undefined) return toText(parsed, text);
  return new ArgumentsReader(text).read() ?? value;
}

/** A list stands for its only item, and for no arguments if it is empty. */
function toText(value: unknown, written: string): string {
  if (!Array.isArray(value) || value.length > 1) return written;
  return isRecord(value[0]) || value.length === 0 ? JSON.stringify(value[0] ?? {}) : written;
}

const frameStart = /^[\s\uFEFF]*(?:`{3}\w{0,20}\s)?\s*/;
const frameEnd = /(?:`{3}|<[|｜/][^<>\n]{1,60}>)$/;

function withoutFrame(text: string): string {
  let inner = text.replace(frameStart, '').trimEnd();
  for (let count = 0; count < maxFrames; count += 1) {
    const [mark] = frameEnd.exec(inner.slice(-maxMarkChars)) ?? [];
    if (mark === undefined) break;
    inner = inner.slice(0, -mark.length).trimEnd();
  }
  return inner;
}

const maxFrames = 8;
const maxMarkChars = 64;

/** Values without quotes, also as Python writes them. */
const literals: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** Reads an object sign by sign. Strings are taken as they are: one that does not end makes the whole unreadable. */
class ArgumentsReader {
  readonly #text: string;
  #at = 0;
  readonly #written: string[] = [];
  /** Place of a comma that nothing follows yet. */
  #comma = -1;
  /** Brackets that are to be closed, outermost first. */
  readonly #open: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): string | null {
    if (this.#text.charAt(0) !== '{') return null;
    while (this.#at < this.#text.length) {
      if (!this.#step()) return null;
      if (this.#open.length === 0) return this.#readRest();
    }
    // A number at the end could have had more digits.
    const written = this.#written.join('').trimEnd();
    return /\d$/.test(written) ? null : check(written + this.#open.toReversed().join(''));
  }

  #step(): boolean {
    const sign = this.#text.charAt(this.#at);
    if (sign === '"' || sign === "'") return this.#takeString(sign);
    if (sign === '/') return this.#skipComment();
    if (/[A-Za-z]/.test(sign)) {
      const [word = ''] = /^\w+/.exec(this.#text.slice(this.#at, this.#at + 10)) ?? [];
      this.#take(literals[word] ?? word, word.length);
      return true;
    }
    if (sign === '{' || sign === '[') this.#open.push(sign === '{' ? '}' : ']');
    if (sign === '}' || sign === ']') {
      if (this.#open.pop() !== sign) return false;
      if (this.#comma !== -1) this.#written[this.#comma] = '';
    }
    this.#take(sign, 1);
    if (sign === ',') this.#comma = this.#written.length - 1;
    return true;
  }

  #take(written: string, length: number): void {
    if (!/^\s$/.test(written)) this.#comma = -1;
    this.#written.push(written);
    this.#at += length;
  }

  /** Line breaks within strings are escaped. A string between single quotes ends with the first of them. */
  #takeString(quote: string): boolean {
    let content = '';
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const sign = this.#text.charAt(at);
      if (sign === quote) {
        if (quote === "'" && !/^\s*[,:}\]]/.test(this.#text.slice(at + 1, at + 100))) return false;
        this.#take(`"${content}"`, at + 1 - this.#at);
        return true;
      }
      if (sign === '\\') {
        at += 1;
        const escaped = this.#text.charAt(at);
        content += escaped === "'" ? "'" : sign + escaped;
      } else if (sign === '"') content += '\\"';
      else content += sign < ' ' ? JSON.stringify(sign).slice(1, -1) : sign;
    }
    return false;
  }

  #skipComment(): boolean {
    const isBlock = this.#text.startsWith('/*', this.#at);
    if (!isBlock && !this.#text.startsWith('//', this.#at)) return false;
    const end = this.#text.indexOf(isBlock ? '*/' : '\n', this.#at + 2);
    if (end === -1) return false;
    this.#at = end + (isBlock ? 2 : 1);
    return true;
  }

  /** Behind the object only brackets stand that nothing opens, or the object once more. An empty object is no more than a beginning. */
  #readRest(): string | null {
    const object = check(this.#written.join(''));
    const rest = withoutFrame(this.#text.slice(this.#at));
    if (object === null || /^[\s}\]]*$/.test(rest)) return object;
    const second = parseJson(rest);
    if (!isRecord(second)) return null;
    const isSame = JSON.stringify(second) === JSON.stringify(parseJson(object));
    return isSame || Object.keys(parseJson(object) ?? {}).length === 0 ? rest : null;
  }
}

function check(text: string): string | null {
  return parseJson(text) === undefined ? null : text;
}
