import { stripVTControlCharacters } from 'node:util';
import { toErrorMessage } from '@agent/text';
import { APICallError, LoadAPIKeyError, NoSuchModelError, RetryError } from 'ai';

/** Kind of a failure of the model or its endpoint. */
export type ModelFailureKind =
  | 'unauthorized'
  | 'no-quota'
  | 'unknown-model'
  | 'untrusted-certificate'
  | 'rate-limited'
  | 'unreachable'
  | 'timeout'
  | 'server-error'
  | 'context-too-long'
  | 'answer-too-long'
  | 'nonsense'
  | 'refused'
  | 'over-budget'
  | 'unknown';

/** Why a model call failed, as far as the error tells. */
export interface ModelFailure {
  readonly kind: ModelFailureKind;
  /**
   * Remedy: `wait`, because it passes; `operator`, because a person has to fix key, account, name or address,
   * for every run alike; `none`, because this very request is at fault.
   */
  readonly remedy: 'wait' | 'operator' | 'none';
  /** Wait that the endpoint asks for, in milliseconds; null where it does not say. */
  readonly retryAfterMs: number | null;
  /** The endpoint's address, without user, password and query; null where the error has none. For logs. */
  readonly address: string | null;
  readonly status: number | null;
  /** The endpoint's own words, on one line; null where they could carry a secret or say nothing. */
  readonly detail: string | null;
  /** False where the request was spared, because the endpoint is known not to answer. */
  readonly wasAsked: boolean;
}

const remedies: Readonly<Record<ModelFailureKind, ModelFailure['remedy']>> = {
  unauthorized: 'operator',
  'no-quota': 'operator',
  'unknown-model': 'operator',
  'untrusted-certificate': 'operator',
  'rate-limited': 'wait',
  unreachable: 'wait',
  timeout: 'wait',
  'server-error': 'wait',
  'context-too-long': 'none',
  'answer-too-long': 'none',
  nonsense: 'none',
  refused: 'none',
  'over-budget': 'none',
  unknown: 'none',
};

const tooLong =
  /context.{0,20}(length|window|size)|maximum context|too many tokens|prompt is too long|exceeds? the (available|maximum) (context|number of tokens)|input is too long/i;
const noQuota = /insufficient_quota|exceeded your current quota|billing|credit balance/i;
const noModel = /model_not_found|no models? loaded|model .{0,100}(not found|does not exist)/i;
/** With 403 some endpoints refuse a text, not a key. */
const moderated = /moderation|content.?(filter|policy)|\bflagged\b/i;
const certificates = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT)/;

/** Codes of errors that are no answer of an endpoint: a code of another kind is a mistake in a program. */
const networkCodes = /^(ECONN|EPIPE$|ETIMEDOUT$|EAI_|ENOTFOUND$|EHOST|ENET|UND_ERR_)/;

/** Characters of an endpoint's answer that are read. */
const maxReadChars = 4_000;

/** Options of `classifyModelError`. */
export interface ClassifyOptions {
  /** Milliseconds since 1970, for an endpoint that names a date to wait for. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Sorts what a model call rejected with. */
export function classifyModelError(error: unknown, { now = Date.now }: ClassifyOptions = {}): ModelFailure {
  const last = RetryError.isInstance(error) ? (error.errors.findLast(isAnswer) ?? error.lastError) : error;
  if (last instanceof ModelUnavailable) return { ...last.failure, wasAsked: false };
  const code = findSystemCode(last);
  if (code === 'answer-too-long') return toFailure('answer-too-long');
  if (APICallError.isInstance(last)) return classifyCall(last, { code, now });
  if (LoadAPIKeyError.isInstance(last)) return toFailure('unauthorized');
  if (NoSuchModelError.isInstance(last)) return toFailure('unknown-model');
  const name = last instanceof Error ? last.name : '';
  if (name === 'TimeoutError') return toFailure('timeout');
  if (/NoOutput|NoContent|InvalidResponseData|JSONParse|TypeValidation|ToolChoice/.test(name)) {
    return toFailure('nonsense');
  }
  if (code !== null && (certificates.test(code) || networkCodes.test(code)))
    return toFailure(toNetworkKind(code), { detail: code });
  return toFailure('unknown', { detail: toLine(toErrorMessage(last)) });
}

/** Tells what the endpoint did from what was spared it, as a retry is when its circuit has opened meanwhile. */
const isAnswer = (error: unknown): boolean => !(error instanceof ModelUnavailable);

/** Thrown in place of asking an endpoint that is known not to answer: carries why. */
export class ModelUnavailable extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(
      failure.kind === 'over-budget'
        ? `The model was not called: the limit of ${failure.detail} is reached`
        : 'The model was not called: its endpoint did not answer the calls before',
    );
    this.name = 'ModelUnavailable';
    this.failure = failure;
  }
}

/** Gives what is thrown in place of a call that would pass a limit of spending; `limit` in words for people. */
export function overBudget(limit: string): ModelUnavailable {
  return new ModelUnavailable(toFailure('over-budget', { detail: limit, wasAsked: false }));
}

function toFailure(kind: ModelFailureKind, known: Partial<Omit<ModelFailure, 'kind'>> = {}): ModelFailure {
  const unknown = { address: null, status: null, detail: null, retryAfterMs: null, wasAsked: true };
  return { kind, remedy: remedies[kind], ...unknown, ...known };
}

function classifyCall(
  error: APICallError,
  { code, now }: { readonly code: string | null; readonly now: () => number },
): ModelFailure {
  const status = error.statusCode ?? null;
  // Some providers give an answer of another kind as it was parsed.
  const body = typeof error.responseBody === 'string' ? error.responseBody : '';
  const words = `${error.message.slice(0, maxReadChars)} ${body.slice(0, maxReadChars)}`;
  const kind = toKind(words, { status, code, isPage: /^\s{0,99}</.test(body) });
  // An endpoint repeats a rejected key in its answer, and what is no answer could be any page.
  const isHidden = kind === 'unauthorized' || kind === 'nonsense';
  const detail = isHidden ? null : (code ?? toLine(findWords(body) ?? error.message));
  const retryAfterMs = readRetryAfter(error.responseHeaders ?? {}, now);
  return toFailure(kind, { status, address: toAddress(error.url), detail, retryAfterMs });
}

function toKind(
  words: string,
  {
    status,
    code,
    isPage,
  }: { readonly status: number | null; readonly code: string | null; readonly isPage: boolean },
): ModelFailureKind {
  if (status === null || (status < 400 && code !== null)) return toNetworkKind(code);
  // The provider's own words, under a status of its own making, for an answer of another kind.
  if (/returned no (output|content)/i.test(words)) return 'nonsense';
  if (status === 403 && moderated.test(words)) return 'refused';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status < 400) return 'nonsense';
  if (tooLong.test(words)) return 'context-too-long';
  if (status === 402 || (status === 429 && noQuota.test(words))) return 'no-quota';
  if (status === 404 || (status === 400 && noModel.test(words))) return 'unknown-model';
  if (status === 429) return 'rate-limited';
  if (status >= 500 || status === 408 || status === 409 || status === 425) return 'server-error';
  return isPage ? 'nonsense' : 'refused';
}

function toNetworkKind(code: string | null): ModelFailureKind {
  return code !== null && certificates.test(code) ? 'untrusted-certificate' : 'unreachable';
}

/** The code of the system call beneath a failed request, such as ECONNREFUSED. */
function findSystemCode(error: unknown): string | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    const { code } = cause as { code?: unknown };
    if (code === 'answer-too-long') return code;
    if (typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code)) return code;
  }
  return null;
}

/** Servers give their words as `{ error: { message } }`, as `{ error: "…" }`, or as `{ message }`. */
function findWords(body: string): string | null {
  try {
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown };
    const words = typeof error === 'object' ? (error as { message?: unknown } | null)?.message : error;
    return [words, message].find((one): one is string => typeof one === 'string' && one !== '') ?? null;
  } catch {
    return null;
  }
}

/** Words of a server as part of a sentence: one line, nothing that a terminal obeys, no longer than is read. */
function toLine(words: string): string {
  const plain = stripVTControlCharacters(words.slice(0, maxReadChars)).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu,
    ' ',
  );
  return plain.trim();
}

/** Seconds, a date, or milliseconds in a header of some endpoints' own. */
function readRetryAfter(headers: Readonly<Record<string, string>>, now: () => number): number | null {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (milliseconds >= 0) return milliseconds;
  const header = headers['retry-after'] ?? '';
  const seconds = Number(header === '' ? Number.NaN : header);
  const wanted = Number.isNaN(seconds) ? Date.parse(header) - now() : seconds * 1_000;
  return wanted >= 0 ? wanted : null;
}

function toAddress(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
