import type { FileRunJournal } from '@agent/run-store';
import type { ModelMessage } from 'ai';

/**
 * How often a run called each tool, most used first: by what its journal says, and before it was opened by `before`.
 */
export async function countToolCalls(
  journal: Pick<FileRunJournal<ModelMessage>, 'read'>,
  { before = {} }: { readonly before?: Readonly<Record<string, number>> } = {},
): Promise<readonly { readonly tool: string; readonly calls: number }[]> {
  const counts = new Map(Object.entries(before));
  for await (const entry of journal.read()) {
    if (entry.type !== 'message' || typeof entry.message.content === 'string') continue;
    for (const part of entry.message.content) {
      if (part.type === 'tool-call') counts.set(part.toolName, (counts.get(part.toolName) ?? 0) + 1);
    }
  }
  return [...counts].map(([tool, calls]) => ({ tool, calls })).sort((a, b) => b.calls - a.calls);
}
