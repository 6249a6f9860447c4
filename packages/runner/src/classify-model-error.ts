import { isCertificateCode, isPassingNetworkCode, toErrorMessage } from '@agent/text';
import { APICallError, LoadAPIKeyError, NoSuchModelError, RetryError } from 'ai';
import { classifyAnswer, toLine } from './failures/classify-answer.ts';
import {
  type ModelFailure,
  type ModelFailureKind,
  ModelUnavailable,
  toFailure,
} from './failures/model-failure.ts';
import { maxReadChars, readErrorBody } from './failures/read-error-body.ts';
import type { Headers } from './failures/read-retry-time.ts';

export {
  type ModelFailure,
  type ModelFailureKind,
  ModelUnavailable,
  overBudget,
} from './failures/model-failure.ts';

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
  if (unreadable.test(name)) return classifyUnreadable(last, now);
  // A code of another kind is a mistake in a program.
  if (code !== null && (isCertificateCode(code) || isPassingNetworkCode(code)))
    return toFailure(toNetworkKind(code), { detail: code });
  // A stream gives the endpoint's error as a part of its own: as it was sent, or in an error of the SDK.
  const part = name === 'AI_StreamProviderError' ? (last as { readonly data?: unknown }).data : last;
  const said = part instanceof Error ? null : readErrorBody(part);
  if (said !== null && (said.hasError || said.words.length > 0))
    return classifyAnswer({ status: null, body: said, headers: {} }, now);
  return toFailure('unknown', { detail: toLine(toErrorMessage(last)) });
}

/** Names of the SDK's errors for an answer that is not what it asked for. */
const unreadable = /NoOutput|NoContent|InvalidResponseData|JSONParse|TypeValidation|ToolChoice/;

/** The SDK's error holds the answer that it could not parse, which may be an error of the endpoint. */
function classifyUnreadable(error: unknown, now: () => number): ModelFailure {
  const { value, data, text } = error as { value?: unknown; data?: unknown; text?: unknown };
  const body = readErrorBody(value ?? data ?? text ?? '');
  return body.hasError ? classifyAnswer({ status: null, body, headers: {} }, now) : toFailure('nonsense');
}

/** Tells what the endpoint did from what was spared it, as a retry is when its circuit has opened meanwhile. */
const isAnswer = (error: unknown): boolean => !(error instanceof ModelUnavailable);

function classifyCall(
  error: APICallError,
  { code, now }: { readonly code: string | null; readonly now: () => number },
): ModelFailure {
  const status = error.statusCode ?? null;
  const address = toAddress(error.url);
  if (status === null || (status < 400 && code !== null))
    return toFailure(toNetworkKind(code), { status, address, detail: code ?? toLine(error.message) });
  // Some providers give an answer of another kind as it was parsed.
  const text = typeof error.responseBody === 'string' ? error.responseBody : '';
  const isPage = /^\s{0,99}</.test(text);
  const said = readErrorBody(isPage ? '' : text === '' ? (error.data ?? '') : text.slice(0, maxReadChars));
  const body = said.words.length === 0 && !isPage ? { ...said, words: [error.message] } : said;
  if (status < 400 && (!said.hasError || isPage)) return toFailure('nonsense', { status, address });
  // The provider's own words, under a status of its own making, for an answer of another kind.
  if (/returned no (output|content)/i.test(error.message)) return toFailure('nonsense', { status, address });
  const headers = toLowerCase(error.responseHeaders ?? {});
  const failure = classifyAnswer({ status, body, headers }, now);
  if (isPage && failure.kind === 'unclear') return toFailure('nonsense', { status, address });
  return { ...failure, address };
}

function toLowerCase(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function toNetworkKind(code: string | null): ModelFailureKind {
  return isCertificateCode(code) ? 'untrusted-certificate' : 'unreachable';
}

/** The code of the system call beneath a failed request, such as ECONNREFUSED. */
function findSystemCode(error: unknown): string | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    const { code, name } = cause as { code?: unknown; name: unknown };
    if (code === 'answer-too-long') return code;
    if (typeof code === 'string' && (/^[A-Z][A-Z_]+$/.test(code) || isPassingNetworkCode(code))) return code;
    // Deno names its errors by what happened.
    if (typeof name === 'string' && name !== 'TimeoutError' && isPassingNetworkCode(name)) return name;
  }
  return null;
}

function toAddress(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
