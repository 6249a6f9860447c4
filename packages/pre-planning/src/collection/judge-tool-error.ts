import { toRecord } from '@agent/text/json';
import type { ToolAnswer } from '../ports.ts';

const transient =
  /\b(?:408|425|429|50[0-4])\b|\bE(?:CONNRESET|CONNREFUSED|TIMEDOUT|PIPE|AI_AGAIN|BUSY|MFILE|NFILE)\b|\btime(?:d )?.?out\b|rate.?limit|too many requests|temporar|try again|unavailable|socket hang up|fetch failed|タイムアウト|混み合って|時間をおいて/i;
const refusals = 'E(?:NOENT|ACCES|PERM|ISDIR|NOTDIR|INVAL|LOOP|NAMETOOLONG)';
/** Codes of HTTP, of systems, of JSON-RPC and of platforms. */
const deterministicCode = new RegExp(
  `\\b4\\d\\d\\b|\\b${refusals}\\b|-3260[0-2]\\b|not.?found|invalid|forbidden|unauthorized|unsupported`,
  'i',
);
/** "Unknown error" and "invalid JSON in the response" are not among them: they say nothing of the request. */
const deterministicWords = new RegExp(
  [
    `(?:^|\\b(?:http|status|code|error)[ :]{1,3})4\\d\\d\\b|\\b${refusals}\\b`,
    '\\bnot[ _-]found\\b|\\bno such\\b|does not exist|\\bmissing\\b.{0,20}\\b(?:parameter|argument)',
    '\\binvalid (?:argument|param(?:eter)?|input|path|pattern|regular expression|regex|query|url|name|option|request|type|format)s?\\b',
    '\\bunknown (?:tool|method|parameter|argument|option|command|field|property|revision|branch)\\b',
    '\\bunsupported\\b|\\bnot (?:allowed|permitted|supported)\\b|\\bdenied\\b|\\bforbidden\\b|\\bunauthorized\\b',
    '見つかりません|存在しません|許可されていません',
  ].join('|'),
  'i',
);

/**
 * A failure of a tool: one that would only repeat itself is not transient, one that says nothing of the kind may be.
 * The error's own word (`retryable`, `isRetryable`) counts most, then its codes, then its words.
 * @see decision E3
 */
export function judgeToolError(error: unknown): ToolAnswer {
  const reason = describeError(error).trim() || 'the tool failed';
  return { status: 'failed', reason, isTransient: isTransientFailure(toRecord(error) ?? {}, reason) };
}

function isTransientFailure(error: Readonly<Record<string, unknown>>, reason: string): boolean {
  const told = [error.retryable, error.isRetryable].find((one) => typeof one === 'boolean');
  if (told !== undefined) return told;
  const code = [error.status, error.statusCode, error.code].filter((one) => one !== undefined).join(' ');
  if (transient.test(code)) return true;
  if (deterministicCode.test(code)) return false;
  return transient.test(reason) || !deterministicWords.test(reason);
}

function describeError(error: unknown): string {
  if (error instanceof Error) return error.message;
  const record = toRecord(error);
  if (record === null) return String(error);
  const { message, error: inner } = record;
  if (typeof message === 'string') return message;
  if (inner !== undefined && inner !== record) return describeInner(inner);
  return Object.keys(record).length === 0 ? '' : renderOutput(record);
}

function describeInner(inner: unknown): string {
  const message = toRecord(inner)?.message;
  return typeof message === 'string' ? message : renderOutput(inner);
}

/** Renders the result of a tool as text: an MCP server's by its parts, everything else as it is or as JSON. */
export function renderOutput(value: unknown): string {
  const record = toRecord(value);
  if (record === null || !isMcpResult(record)) return toText(value);
  const { content, structuredContent } = record;
  const rendered = Array.isArray(content) ? content.map(renderPart).filter((text) => text !== '') : [];
  return rendered.length > 0 ? rendered.join('\n') : toText(structuredContent);
}

const mcpFields = new Set(['content', 'structuredContent', 'isError', '_meta']);

function isMcpResult(record: Readonly<Record<string, unknown>>): boolean {
  const hasContent = Array.isArray(record.content) || 'structuredContent' in record;
  return hasContent && Object.keys(record).every((field) => mcpFields.has(field));
}

/** @see https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool-result */
function renderPart(part: unknown): string {
  const record = toRecord(part);
  if (record === null) return toText(part);
  if (typeof record.text === 'string') return record.text;
  const resource = toRecord(record.resource);
  if (resource !== null) return `${toText(resource.uri)}\n${toText(resource.text)}`.trim();
  if (record.type === 'resource_link')
    return [record.name, record.uri, record.description].map(toText).filter(Boolean).join(' ');
  const isShown = record.type !== 'image' && record.type !== 'audio';
  return isShown ? toText(part) : `[${record.type}, ${toText(record.mimeType)}, not shown]`;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return String(value);
  }
}
