import type { RequestComment, ShowComments, WrapText } from '@agent/pre-planning';
import { fitComments, type OlderComments, type ShownComment } from '@agent/thread-context';
import { formatShortened, type ThreadShares, untrustedShare } from './thread-shares.ts';

export interface ShowRequestCommentsOptions {
  readonly shares: Omit<ThreadShares, 'batch' | 'result'>;
  readonly wrap: WrapText;
}

/** Creates what shows the comments of a request in the prompts of pre-planning, within the thread's budget. */
export function createShowRequestComments({ shares, wrap }: ShowRequestCommentsOptions): ShowComments {
  const formatOne = ({ item, text, isShortened }: ShownComment<RequestComment>): string => {
    const { author, createdAt, body, isTrusted } = item;
    const shown = wrap(text, { what: `comment of ${createdAt}`, author, isTrusted });
    if (!isShortened) return shown;
    const size = { id: item.id ?? '', shown: text.length, total: body.length };
    const { readTool } = shares;
    return `${shown}\n${formatShortened(size, { readTool: item.id === undefined ? undefined : readTool })}`;
  };
  const formatOlder = ({ listed, counted }: OlderComments<RequestComment>): string => {
    if (listed.length === 0 && counted === null) return '';
    const lines = listed.map(
      ({ item: { id, author, createdAt }, firstLine }) =>
        `- ${id === undefined ? '' : `(id ${id}) `}@${author}, ${createdAt}: ${firstLine}`,
    );
    const list = wrap(lines.join('\n'), {
      what: 'first lines of older comments',
      author: null,
      isTrusted: false,
    });
    return [
      `Not all comments are shown.${shares.readTool === undefined ? '' : ` The tool \`${shares.readTool}\` reads them, by id or by number.`}`,
      ...(counted === null ? [] : [`${counted.count} older comments are not listed.`]),
      ...(lines.length === 0 ? [] : [list]),
    ].join('\n');
  };
  return (comments) => {
    const fitted = fitComments(comments, {
      maxTokens: shares.thread,
      textOf: ({ body }) => body,
      formatShown: (shown) => `${formatOne(shown)}\n\n`,
      formatOlder: (older) => `${formatOlder(older)}\n\n`,
      isTrusted: ({ isTrusted }) => isTrusted,
      untrustedShare,
      maxCommentTokens: shares.comment,
      maxShown: shares.maxShown,
    });
    const older = formatOlder(fitted);
    return [...(older === '' ? [] : [older]), ...fitted.shown.map(formatOne)];
  };
}
