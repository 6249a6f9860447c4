import type { ModelMessage } from 'ai';
import {
  type ContextItem,
  type JournalEntry,
  type JsonValue,
  type OpeningCost,
  planningFactName,
  type RunSummary,
  windowFactName,
} from './model.ts';
import type { RunJournal } from './ports.ts';

type MessageEntry = Extract<JournalEntry, { type: 'message' }>;

/** Line of a run's own work: a message after the opening, or a fact of its plan. */
export type WorkLine =
  | {
      readonly type: 'message';
      readonly message: ModelMessage;
      /** True when a model call led to it. */
      readonly answers: boolean;
      /** True when it delivers comments. */
      readonly delivers: boolean;
    }
  | { readonly type: 'fact'; readonly data: JsonValue };

/** A conversation as a journal tells it. */
export interface ReplayedJournal {
  readonly instructions: string;
  /** Messages that the model sees, without the system's. */
  readonly context: readonly ContextItem[];
  /** All messages of the user, also those that a summary stands for. */
  readonly said: readonly ContextItem[];
  /** Lines after the opening, in their order: the run's own work. */
  readonly work: readonly WorkLine[];
  /** Every message ever written, for counting. */
  readonly entries: readonly MessageEntry[];
  /** Every summary ever written, for counting. */
  readonly summaries: readonly RunSummary[];
  /** State of the window as it was stored last; null if no message was shortened. */
  readonly window: JsonValue | null;
  /** Cost of preparing it; null where its journal does not say. */
  readonly spent: OpeningCost | null;
  /** Milliseconds that earlier processes worked on the run. */
  readonly activeMs: number;
}

/**
 * Rebuilds a conversation: summaries stand in the place of what they summarize, the system's message stays. Null
 * when there is no complete opening, which is before anything went to a model.
 */
export function replayJournal(journal: readonly JournalEntry[]): ReplayedJournal | null {
  const entries = journal.filter((entry) => entry.type === 'message');
  const conversation = findConversation(entries);
  if (conversation === null) return null;
  const summaries = journal.flatMap((entry) => (entry.type === 'summary' ? [entry.summary] : []));
  const system = conversation.filter(({ message }) => message.role === 'system');
  return {
    instructions: joinInstructions(system.map(({ message }) => message.content as string)),
    context: toContext(
      conversation.filter(({ message }) => message.role !== 'system'),
      summaries,
    ),
    said: conversation.filter(({ message }) => message.role === 'user').map(toItem),
    work: listWork(journal, conversation[(conversation[0]?.opens ?? 1) - 1]),
    entries,
    summaries,
    window: findWindow(journal),
    spent: conversation[0]?.spent ?? null,
    activeMs: entries.reduce((longest, { activeMs = 0 }) => Math.max(longest, activeMs), 0),
  };
}

function findWindow(journal: readonly JournalEntry[]): JsonValue | null {
  const stored = journal.findLast((entry) => entry.type === 'fact' && entry.name === windowFactName);
  return stored?.type === 'fact' ? stored.data : null;
}

function listWork(journal: readonly JournalEntry[], opening: MessageEntry | undefined): readonly WorkLine[] {
  const lines = journal.slice(opening === undefined ? 0 : journal.indexOf(opening) + 1);
  return lines.flatMap((entry): readonly WorkLine[] => {
    if (entry.type === 'fact') return entry.name === planningFactName ? [entry] : [];
    if (entry.type === 'summary') return [];
    const { message, usage, delivers = [] } = entry;
    return [{ type: 'message', message, answers: usage !== null, delivers: delivers.length > 0 }];
  });
}

/** One system's prompt out of all that there are. */
export function joinInstructions(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

/** From the last opening on: an opening that was cut short is followed by another. */
function findConversation(entries: readonly MessageEntry[]): readonly MessageEntry[] | null {
  const start = entries.findLastIndex(({ opens }) => opens !== undefined);
  const conversation = entries.slice(Math.max(0, start));
  const opening = conversation[0]?.opens ?? 1;
  return conversation.length < opening || conversation.length === 0 ? null : conversation;
}

function toContext(messages: readonly MessageEntry[], summaries: readonly RunSummary[]): ContextItem[] {
  const standing = summaries.filter((summary, index) => !isCovered(summary, summaries.slice(index + 1)));
  const kept = messages
    .filter(({ seq }) => !standing.some(({ startSeq, endSeq }) => startSeq <= seq && seq <= endSeq))
    .map(toItem);
  const replaced = standing.map(({ startSeq, text }) => ({
    seq: startSeq,
    message: { role: 'assistant' as const, content: text },
    answers: false,
    delivers: false,
  }));
  return [...kept, ...replaced].sort((a, b) => a.seq - b.seq);
}

function toItem({ seq, message, usage, delivers = [] }: MessageEntry): ContextItem {
  return { seq, message, answers: usage !== null, delivers: delivers.length > 0 };
}

function isCovered(summary: RunSummary, later: readonly RunSummary[]): boolean {
  return later.some(({ startSeq, endSeq }) => startSeq <= summary.startSeq && summary.endSeq <= endSeq);
}

/** A journal as a list, without facts that are not needed. `facts`: default those that a replay reads. */
export async function readEntries(
  journal: Pick<RunJournal, 'read'>,
  { facts = [planningFactName, windowFactName] }: { readonly facts?: readonly string[] } = {},
): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of journal.read({ facts })) entries.push(entry);
  return entries;
}
