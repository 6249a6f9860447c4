import { toRecord } from '../json/lenient.ts';
import type { ToolAnswer } from '../ports.ts';
import { fitStart } from '../prompts/fit-start.ts';
import { judgeToolError } from './judge-tool-error.ts';

/** More is never kept, not even in a file: a file of this size is still opened by an editor. */
const maxOutputChars = 2_000_000;
/** Longer outputs are contents, whatever words are in them. */
const maxNoticeChars = 200;

const notFound =
  /^(?:error\b.{0,3})?404\b|\b(?:not found|no such file|does not exist|no (?:\w+ ){0,2}found|no (?:matches|results|hits)|nothing found)\b|見つかりません|存在しません|該当(?:なし|する\S{0,10}(?:ありません|なし))/i;

/**
 * Whether a tool's output is what was wanted. Nothing, an error that came as a result, "not found" and what is no text
 * are failures. @see decision E4
 */
export function judgeToolOutput(value: unknown): ToolAnswer {
  const record = toRecord(value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return fail('the output is not text');
  const output = toText(Array.isArray(record?.content) ? joinContent(record.content) : value);
  if (record?.isError === true) return judgeToolError(new Error(output));
  const trimmed = output.trim();
  if (trimmed === '' || trimmed === '[]' || trimmed === '{}' || trimmed === 'null' || trimmed === '""') {
    return fail('not found: the output is empty');
  }
  if (isBinary(output)) return fail('the output is not text');
  if (trimmed.length <= maxNoticeChars && notFound.test(trimmed)) return fail(`not found: ${trimmed}`);
  return { status: 'success', output: fitStart(output, maxOutputChars).toWellFormed() };
}

function fail(reason: string): ToolAnswer {
  return { status: 'failed', reason, isTransient: false };
}

/** The text parts of a result as MCP writes them. */
function joinContent(content: readonly unknown[]): string {
  return content.map((part) => toText(toRecord(part)?.text ?? '')).join('\n');
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return String(value);
  }
}

/** Judged by its beginning, as `git` and `grep` do. */
function isBinary(text: string): boolean {
  const beginning = text.slice(0, 8_000);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text does not have
  const strange = beginning.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  return beginning.includes('\0') || strange > beginning.length / 10;
}
