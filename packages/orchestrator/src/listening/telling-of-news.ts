import type { OpenRun } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import type { CommentsNews } from '../board/board-event.ts';
import { parseObserved } from '../thread/detection-record.ts';

type Journal = OpenRun<ModelMessage>['journal'];

/**
 * The same journal, which tells of comments that come while the run is under way: when it notes that they were seen, that the
 * model was told of them, and the first answer after that. The opening of the conversation is no news.
 */
export function tellingOfNews(journal: Journal, tell: (news: CommentsNews) => void): Journal {
  const links = new Map<string, string | null>();
  let untold: string[] = [];
  const tellOf = (state: CommentsNews['state'], ids: readonly string[]): void => {
    const comments = [...new Set(ids)].map((id) => ({ id, url: links.get(id) ?? null }));
    if (comments.length > 0) tell({ state, comments });
  };
  let openUntil = 0;
  const hear = (event: Parameters<Journal['append']>[0], line: number): void => {
    if (event.type === 'fact' && event.name === 'observed') {
      const { opening, observations } = parseObserved(event.data).poll;
      for (const { id, url } of observations) links.set(id, url ?? null);
      if (opening === null)
        tellOf(
          'received',
          observations.map(({ id }) => id),
        );
    }
    if (event.type !== 'message') return;
    if (event.opens !== undefined) openUntil = line + event.opens;
    if (event.usage !== null) {
      tellOf('answered', untold);
      untold = [];
    }
    if (line < openUntil) return;
    const ids = event.delivers.map(({ id }) => id);
    tellOf('delivered', ids);
    untold.push(...ids);
  };
  return {
    ...journal,
    append: async (event) => {
      const line = await journal.append(event);
      hear(event, line);
      return line;
    },
  };
}
