import type { CallToolResult } from '@ai-sdk/mcp';
import { createCappedOutput } from '../tools/capped-output.ts';

/** As much as a command shows. */
const maxBytes = 32 * 1024;

type Part = Readonly<Record<string, unknown>>;

/**
 * What a tool answered, as text: text as it is, resources with their addresses, a line for what a text cannot show. The
 * middle of a long answer is left out.
 */
export function renderResult(result: CallToolResult): string {
  const parts =
    'content' in result && Array.isArray(result.content) ? (result.content as readonly Part[]) : [];
  const rendered = parts.map(renderPart).filter((text) => text !== '');
  const text = rendered.length > 0 ? rendered.join('\n\n') : renderData(result);
  const capped = createCappedOutput(maxBytes);
  capped.add(Buffer.from(text));
  return capped.text();
}

/** Some servers answer data alone. */
function renderData(result: CallToolResult): string {
  const data: unknown = 'toolResult' in result ? result.toolResult : result.structuredContent;
  if (data === undefined || data === null) return '(no output)';
  return typeof data === 'string' ? data : JSON.stringify(data, null, 2);
}

function renderPart(part: Part): string {
  const { type } = part;
  if (type === 'text') return String(part.text);
  if (type === 'image' || type === 'audio') return `[${type}, ${describeBytes(part.data, part.mimeType)}]`;
  if (type === 'resource') return renderResource((part.resource ?? {}) as Part);
  if (type === 'resource_link')
    return `[link] ${[part.name, part.uri, part.description].filter(Boolean).join(' ')}`;
  return JSON.stringify(part);
}

function renderResource(resource: Part): string {
  const head = `[resource] ${String(resource.uri)}`;
  if (typeof resource.text === 'string') return `${head}\n${resource.text}`;
  return `${head} [${describeBytes(resource.blob, resource.mimeType)}]`;
}

function describeBytes(base64: unknown, mimeType: unknown): string {
  const bytes = typeof base64 === 'string' ? Buffer.byteLength(base64, 'base64') : 0;
  return `${typeof mimeType === 'string' ? mimeType : 'unknown type'}, ${bytes} bytes, not shown`;
}
