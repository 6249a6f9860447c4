import { stripVTControlCharacters } from 'node:util';
import { type ModelFailure, toFailure } from './model-failure.ts';
import type { ErrorBody } from './read-error-body.ts';
import { type Headers, readBodyWait, readHeaderWait, readResetWait } from './read-retry-time.ts';
import { readTokenCounts } from './read-token-counts.ts';
import { sortRefusal } from './sort-refusal.ts';

/** An answer of an endpoint that is an error, or holds one. */
export interface ErrorAnswer {
  /** Null for an error without HTTP. */
  readonly status: number | null;
  readonly body: ErrorBody;
  readonly headers: Headers;
}

/** Sorts an answer that is an error, or holds one. `now`: milliseconds since 1970. */
export function classifyAnswer({ status, body, headers }: ErrorAnswer, now: () => number): ModelFailure {
  const awsCode = headers['x-amzn-errortype']?.split(':')[0];
  const codes = awsCode === undefined ? body.codes : [...body.codes, awsCode.toLowerCase()];
  const bodyWaitMs = readBodyWait(body, now);
  const named = status === null || status < 400 ? body.status : status;
  const kind = sortRefusal({ status: named, body: { ...body, codes }, bodyWaitMs });
  const isLimited = kind === 'rate-limited';
  return toFailure(kind, {
    status: named ?? status,
    // An endpoint repeats a rejected key in its answer.
    detail: kind === 'unauthorized' ? null : toDetail(body),
    retryAfterMs:
      readHeaderWait(headers, now) ??
      bodyWaitMs ??
      (isLimited
        ? (readResetWait(headers, now) ?? readResetWait(Object.fromEntries(body.fields), now))
        : null),
    ...(kind === 'context-too-long' ? readTokenCounts(body) : {}),
  });
}

/** Sentences that say nothing where another one stands beside them. */
const empty = /^(provider returned error|bad request|error|invalid request|internal server error)\W*$/i;

function toDetail({ words }: ErrorBody): string | null {
  const said = words.find((one) => !empty.test(one.trim())) ?? words[0];
  return said === undefined ? null : toLine(said) || null;
}

/** Characters of a server's words that are shown anywhere. */
const maxDetailChars = 4_000;

/** Words of a server as part of a sentence: one line, nothing that a terminal obeys, no longer than is read. */
export function toLine(words: string): string {
  const plain = stripVTControlCharacters(words.slice(0, maxDetailChars)).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu,
    ' ',
  );
  return plain.trim();
}
