import { toRecord } from '../json/lenient.ts';

/** What a tool gave, as text: what an MCP server answers by its parts, everything else as it is or as JSON. */
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
