import { APICallError, LoadAPIKeyError, NoSuchModelError, RetryError } from 'ai';

export type ModelFailureKind =
  | 'unauthorized'
  | 'unknown-model'
  | 'rate-limited'
  | 'context-too-long'
  | 'unreachable'
  | 'timeout'
  | 'nonsense'
  | 'server-error'
  | 'refused'
  | 'unknown';

/** Why a model call failed, as far as the error tells. */
export interface ModelFailure {
  readonly kind: ModelFailureKind;
  /** The endpoint's address, without user, password and query; null where the error has none. */
  readonly address: string | null;
  readonly status: number | null;
  /** The error's own words; null where they could carry a secret or say nothing. */
  readonly detail: string | null;
}

const tooLong =
  /context.{0,20}(length|window|size)|maximum context|too many tokens|prompt is too long|exceeds? the (available|maximum) (context|number of tokens)|input is too long/i;

/** Sorts what a model call rejected with. */
export function classifyModelError(error: unknown): ModelFailure {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (APICallError.isInstance(last)) return classifyCall(last);
  if (LoadAPIKeyError.isInstance(last)) return { ...nothing, kind: 'unauthorized' };
  if (NoSuchModelError.isInstance(last)) return { ...nothing, kind: 'unknown-model' };
  const name = last instanceof Error ? last.name : '';
  if (name === 'TimeoutError') return { ...nothing, kind: 'timeout' };
  if (/NoOutput|NoContent|InvalidResponseData|JSONParse|TypeValidation|ToolChoice/.test(name)) {
    return { ...nothing, kind: 'nonsense' };
  }
  return { ...nothing, kind: 'unknown', detail: last instanceof Error ? last.message : String(last) };
}

const nothing = { address: null, status: null, detail: null } as const;

function classifyCall(error: APICallError): ModelFailure {
  const status = error.statusCode ?? null;
  const kind = toKind(error, status);
  // An endpoint repeats a rejected key in its answer, and what is no answer could be any page.
  const hidden = kind === 'unauthorized' || kind === 'nonsense';
  const detail = hidden ? null : (findSystemCode(error) ?? error.message);
  return { kind, status, address: toAddress(error.url), detail };
}

function toKind(error: APICallError, status: number | null): ModelFailureKind {
  if (status === null) return 'unreachable';
  // The provider's own words, under a status of its own making, for an answer of another kind.
  if (/returned no (output|content)/i.test(error.message)) return 'nonsense';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status < 400) return 'nonsense';
  if (tooLong.test(`${error.message} ${error.responseBody ?? ''}`)) return 'context-too-long';
  if (status === 404) return 'unknown-model';
  if (status === 429) return 'rate-limited';
  return status >= 500 ? 'server-error' : 'refused';
}

/** The code of the system call beneath a failed request, such as ECONNREFUSED. */
function findSystemCode(error: unknown): string | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && /^[A-Z_]+$/.test(code)) return code;
  }
  return null;
}

function toAddress(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
