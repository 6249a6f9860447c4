import { parseJson } from '@agent/text/json';
/** Error of an endpoint as its answer names it, in any form. */
export interface ErrorBody {
  /** Values of fields that name an error, such as `code` and `type`, in lower case; outermost first. */
  readonly codes: readonly string[];
  /** Sentences, outermost first. */
  readonly words: readonly string[];
  /** The status that the answer names itself, which is another than that of HTTP at gateways; null if it names none. */
  readonly status: number | null;
  /** Numbers by the name of their field. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Headers of the endpoint behind a gateway, and times to wait, by their name in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** True if the answer has a field for an error. */
  readonly hasError: boolean;
}

interface MutableBody extends ErrorBody {
  readonly codes: string[];
  readonly words: string[];
  status: number | null;
  readonly numbers: Map<string, number>;
  readonly fields: Map<string, string>;
  hasError: boolean;
}

/** Characters of an answer that are read. */
export const maxReadChars = 20_000;

const maxDepth = 8;

const maxNodes = 500;

const codeFields = /^(code|type|status|reason|name|__type|error_?code|error_?type|quotaid|limit_source)$/i;

const wordFields =
  /^(message|msg|status_?msg|error|error_?message|detail|details|description|error_description|title|raw|reason|cause|errors|text)$/i;

/** Fields that quote the request or its answer: their words are not those of the endpoint. */
const quotingFields =
  /^(failed_generation|input|ctx|body|request|messages|prompt|content|choices|output|links|user_id)$/i;

/** Reads an answer: JSON of any form, JSON within its strings, or plain text. */
export function readErrorBody(body: unknown): ErrorBody {
  const found: MutableBody = {
    ...{ codes: [], words: [], status: null, hasError: false },
    ...{ numbers: new Map(), fields: new Map() },
  };
  const value = typeof body === 'string' ? (parseJson(body) ?? body) : body;
  let nodes = 0;
  const visit = (one: unknown, { name, depth }: { readonly name: string; readonly depth: number }): void => {
    nodes += 1;
    if (depth > maxDepth || nodes > maxNodes) return;
    if (typeof one === 'string') readText(one, { name, depth, visit, found });
    if (typeof one === 'number') readNumber(one, { name, found });
    if (Array.isArray(one)) for (const part of one) visit(part, { name, depth: depth + 1 });
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return;
    if (isLocated(one)) found.words.push(`${one.loc.join('.')}: ${one.msg}`);
    for (const [field, part] of Object.entries(one)) {
      if (/^errors?$/i.test(field) && part !== null && part !== false) found.hasError = true;
      if (isFailure(field, part)) found.hasError = true;
      if (quotingFields.test(field) || (isLocated(one) && field === 'msg')) continue;
      visit(part, { name: field, depth: depth + 1 });
    }
  };
  visit(value, { name: 'message', depth: 0 });
  // A form that is not known is read as text.
  if (found.words.length === 0 && typeof body === 'string' && body !== '') found.words.push(body);
  return { ...found, words: [...new Set(found.words)] };
}

/** Fields that say that a request failed, beside its own words. */
function isFailure(field: string, value: unknown): boolean {
  if (field === 'success') return value === false;
  if (field === 'object') return value === 'error';
  return field === 'base_resp' && (value as { status_code?: unknown } | null)?.status_code !== 0;
}

interface Visit {
  readonly name: string;
  readonly depth: number;
  readonly visit: (one: unknown, place: { readonly name: string; readonly depth: number }) => void;
  readonly found: MutableBody;
}

function readText(text: string, { name, depth, visit, found }: Visit): void {
  const inner = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  if (inner !== undefined && inner !== null) {
    visit(inner, { name, depth: depth + 1 });
    return;
  }
  const isCode = codeFields.test(name) && /^[\w.:/-]{1,100}$/.test(text);
  if (isCode) {
    found.codes.push(text.toLowerCase());
    if (/^[45]\d\d$/.test(text)) found.status ??= Number(text);
  } else if (wordFields.test(name) || codeFields.test(name)) {
    if (text.trim() !== '') found.words.push(text.slice(0, maxReadChars));
  } else found.fields.set(name.toLowerCase(), text.slice(0, 200));
}

function readNumber(value: number, { name, found }: Pick<Visit, 'name' | 'found'>): void {
  if (/^(code|status|status_?code)$/i.test(name)) {
    found.codes.push(String(value));
    if (value >= 400 && value < 600) found.status ??= value;
  }
  found.numbers.set(name.toLowerCase(), value);
}

/** One entry of the list that FastAPI and pydantic answer with. */
function isLocated(one: object): one is { readonly loc: readonly unknown[]; readonly msg: string } {
  const { loc, msg } = one as { loc?: unknown; msg?: unknown };
  return Array.isArray(loc) && typeof msg === 'string';
}
