import { toRecord } from '../json/lenient.ts';
import type { ToolAnswer } from '../ports.ts';
import { isNotFound } from './is-not-found.ts';
import { findFailure, isEmptyData, parseData } from './judge-data.ts';
import { judgeToolError } from './judge-tool-error.ts';
import { renderOutput } from './render-output.ts';

/** A line that tells of an error, with the places in code that may follow it; nothing else. */
const errorLine =
  /^(?:[A-Za-z]{0,40}Error|(?:[a-z]{1,40} )?failed|failure|fatal|エラー)(?: \d{3})?: ?[^\r\n]{1,200}(?:\r?\n[ \t]+at [^\r\n]*)*$/i;

/** A count of failures, or what is said of an error in code. */
const aboutErrors =
  /^(?:failed|failure): ?\d+$|^[A-Za-z]{0,40}Error: ?(?:(?:is|are|gets) )?(?:raised|thrown|returned|used|caught|emitted|logged|defined|occurs|happens)\b/i;

/**
 * Whether a tool's output is what was wanted. Nothing, an error that came as a result, "not found" and what is no text
 * are failures. The output is whole: whoever keeps it cuts it. @see decision E4
 */
export function judgeToolOutput(value: unknown): ToolAnswer {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return fail('the output is not text');
  const output = renderOutput(value);
  if (toRecord(value)?.isError === true) return judgeToolError(new Error(output));
  const trimmed = output.trim();
  if (/^(?:""|null|undefined|none|nil)?$/i.test(trimmed)) return fail('not found: the output is empty');
  if (isBinary(output)) return fail('the output is not text');
  if (isNotFound(trimmed)) return fail(`not found: ${trimmed}`);
  if (errorLine.test(trimmed) && !aboutErrors.test(trimmed)) return judgeToolError(new Error(trimmed));
  return judgeData(parseData(output)) ?? { status: 'success', output };
}

function judgeData(data: object | undefined): ToolAnswer | null {
  if (data === undefined) return null;
  const failure = findFailure(data);
  if (failure !== null) return judgeToolError(failure);
  return isEmptyData(data) ? fail('not found: the output is empty') : null;
}

function fail(reason: string): ToolAnswer {
  return { status: 'failed', reason, isTransient: false };
}

/** Judged by its beginning, as `git` and `grep` do. */
function isBinary(text: string): boolean {
  const beginning = text.slice(0, 8_000);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text does not have
  const strange = beginning.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  return beginning.includes('\0') || strange > beginning.length / 10;
}
