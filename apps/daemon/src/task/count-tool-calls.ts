import type { FileRunJournal } from '@agent/context-inheritance';
import type { ModelMessage } from 'ai';

/** How often a run called each tool, most used first, by what its journal says. */
export async function countToolCalls(
  journal: Pick<FileRunJournal<ModelMessage>, 'read'>,
): Promise<readonly { readonly tool: string; readonly calls: number }[]> {
  const counts = new Map<string, number>();
  for await (const entry of journal.read()) {
    if (entry.type !== 'message' || typeof entry.message.content === 'string') continue;
    for (const part of entry.message.content) {
      if (part.type === 'tool-call') counts.set(part.toolName, (counts.get(part.toolName) ?? 0) + 1);
    }
  }
  return [...counts].map(([tool, calls]) => ({ tool, calls })).sort((a, b) => b.calls - a.calls);
}
