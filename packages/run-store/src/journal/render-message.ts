import type { MessageLike } from '../journal-model.ts';

interface Part {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly toolName?: unknown;
  readonly input?: unknown;
  readonly output?: { readonly value?: unknown };
}

/** A message as plain text, for people and for readers that know no tool calls. @see seed 002 §6 */
export function renderMessage(message: MessageLike): string {
  if (typeof message.content === 'string') return message.content;
  if (!Array.isArray(message.content)) return '';
  return (message.content as Part[]).map(renderPart).filter(isNotEmpty).join('\n');
}

/** The tool that a tool's message answers for; null for the messages of everybody else. */
export function findToolName(message: MessageLike): string | null {
  if (message.role !== 'tool' || !Array.isArray(message.content)) return null;
  const part = (message.content as Part[]).find((candidate) => typeof candidate.toolName === 'string');
  return part === undefined ? null : String(part.toolName);
}

function renderPart(part: Part): string {
  if (part.type === 'text') return String(part.text);
  if (part.type === 'tool-call') return `[${String(part.toolName)}] ${JSON.stringify(part.input)}`;
  if (part.type === 'tool-result') return renderValue(part.output?.value);
  return '';
}

function renderValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isNotEmpty(text: string): boolean {
  return text !== '';
}
