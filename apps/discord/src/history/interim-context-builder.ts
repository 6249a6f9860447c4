import type { ChatTurn, ThreadMessage, ThreadReader } from './ports.ts';

/** Turns within a budget, newest kept. */
export function createInterimBuilder({
  maxMessages,
  maxChars,
}: {
  readonly maxMessages: number;
  readonly maxChars: number;
}) {
  return {
    readContext: async (
      thread: ThreadReader,
      botUserId: string,
      { signal, trigger }: { readonly signal: AbortSignal; readonly trigger: ThreadMessage },
    ) => {
      const messages: ThreadMessage[] = [];
      let error: unknown = null;
      try {
        let before: string | null = null;
        for (;;) {
          const limit = Math.min(100, maxMessages - messages.length);
          const page: readonly ThreadMessage[] = await thread.fetchPage({ before, limit, signal });
          messages.push(...page);
          before = page.at(-1)?.id ?? null;
          if (page.length < limit) {
            const starter = await thread.fetchStarter({ signal });
            if (starter !== null) messages.push(starter);
            break;
          }
          if (messages.length >= maxMessages) break;
        }
      } catch (failure) {
        error = failure;
        if (!messages.some(({ id }) => id === trigger.id)) messages.unshift(trigger);
      }
      const turns: ChatTurn[] = [];
      let chars = 0;
      for (const message of messages) {
        const isOwn = message.authorId === botUserId;
        if (message.isSystem || (message.authorIsBot && !isOwn)) continue;
        const text = message.content.replaceAll(new RegExp(`<@!?${botUserId}>`, 'g'), '').trim();
        if (text === '') continue;
        chars += text.length + message.authorName.length + 15;
        if (chars > maxChars) break;
        turns.unshift(
          isOwn ? { role: 'assistant', text } : { role: 'user', text: `${message.authorName}: ${text}` },
        );
      }
      return { turns, complete: error === null, error };
    },
  };
}
