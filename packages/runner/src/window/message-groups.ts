import type { ModelMessage } from 'ai';
import type { ContextItem } from '../model.ts';

/** Messages of a conversation by the order in which they may be shortened. */
export interface MessageGroups {
  /** Results of tools that the model has seen. */
  readonly oldResults: readonly ContextItem[];
  /** Results of the calls of the last answer. */
  readonly newResults: readonly ContextItem[];
  /** Newest message of a trusted user, and newest message of any user or of the runner. */
  readonly kept: readonly ContextItem[];
  /** Messages in neither of the last two groups. */
  readonly others: readonly ContextItem[];
  /** Index of the first message of the newest turn. */
  readonly newestTurn: number;
}

export function toGroups(items: readonly ContextItem[]): MessageGroups {
  const answer = items.findLastIndex(({ message }) => message.role === 'assistant');
  const isResult = ({ message }: ContextItem) => message.role === 'tool';
  const newResults = items.slice(answer + 1).filter(isResult);
  const kept = findKept(items);
  return {
    oldResults: items.slice(0, Math.max(0, answer)).filter(isResult),
    newResults,
    kept,
    others: items.filter((item) => !kept.includes(item) && !newResults.includes(item)),
    newestTurn: newResults.length > 0 ? answer : items.length - 1,
  };
}

function findKept(items: readonly ContextItem[]): readonly ContextItem[] {
  const newest = items.findLast(({ message }) => message.role === 'user');
  const trusted = items[findNewestTrusted(items)];
  return [...new Set([trusted, newest])].filter((item) => item !== undefined);
}

/** Finds the newest message of a trusted user; -1 without one. */
export function findNewestTrusted(items: readonly ContextItem[]): number {
  const firstAnswer = items.findIndex(({ message }) => message.role === 'assistant');
  const opening = firstAnswer === -1 ? items.length : firstAnswer;
  return items.findLastIndex((item, index) => isTrusted(item, { isOpening: index < opening }));
}

/** Texts without envelopes are trusted, unless they are notices of the runner itself. */
function isTrusted(
  { message, delivers }: ContextItem,
  { isOpening }: { readonly isOpening: boolean },
): boolean {
  if (message.role !== 'user') return false;
  const text = typeof message.content === 'string' ? message.content : JSON.stringify(message.content);
  if (/={5} BEGIN TEXT [A-Za-z0-9-]{16,128} /.test(text)) return text.includes('| authority: trusted ');
  return delivers || isOpening;
}

/** Calls of a message that expect a result from this side. */
export function countCalls({ role, content }: ModelMessage): number {
  if (role !== 'assistant' || typeof content === 'string') return 0;
  return content.filter((part) => part.type === 'tool-call' && part.providerExecuted !== true).length;
}
