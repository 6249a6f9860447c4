import { toRecord } from '../json/lenient.ts';
import type { ToolAnswer } from '../ports.ts';
import { fitStart } from '../prompts/fit-start.ts';

const maxReasonChars = 500;

const deterministic =
  /\b(?:40[0134]|405|410|422)\b|\bnot found\b|\bno such\b|does not exist|\binvalid\b|\bmissing\b.{0,20}\b(?:parameter|argument)|\bunknown\b|\bunsupported\b|\bnot (?:allowed|permitted|supported)\b|\bdenied\b|\bforbidden\b|\bunauthorized\b|\bE(?:NOENT|ACCES|PERM|ISDIR|NOTDIR|INVAL)\b|見つかりません|存在しません|許可されていません/i;
const transient =
  /\b(?:408|429|50[0234])\b|time(?:d )?.?out|rate limit|too many requests|temporar|try again|unavailable|\bE(?:CONNRESET|CONNREFUSED|TIMEDOUT|PIPE|AI_AGAIN|BUSY)\b|socket hang up|fetch failed/i;

/**
 * A failure of a tool: one that would only repeat itself is not transient, one that says nothing of the kind may be.
 * @see decision E3
 */
export function judgeToolError(error: unknown): ToolAnswer {
  const { status, statusCode, code, retryable } = toRecord(error) ?? {};
  const message = error instanceof Error ? error.message : String(error);
  const said = [status, statusCode, code, message].filter((part) => part !== undefined).join(' ');
  const reason = fitStart(message.trim() === '' ? 'the tool failed' : message.trim(), maxReasonChars);
  if (typeof retryable === 'boolean') return { status: 'failed', reason, isTransient: retryable };
  return { status: 'failed', reason, isTransient: transient.test(said) || !deterministic.test(said) };
}
