import type { Locale } from '@agent/text';
import type { CommentSummary } from '../inbox/comment-summary.ts';
import type { DeliveredComment, HandledCommand } from '../inbox/delivered-comment.ts';

const maxListed = 20;

interface Words {
  readonly heading: string;
  readonly kinds: Readonly<Record<DeliveredComment['kind'], string>>;
  readonly command: (name: string) => string;
  readonly outcomes: Readonly<Record<HandledCommand['outcome'], string>>;
  readonly delivered: string;
  readonly undelivered: string;
  readonly more: (count: number) => string;
  readonly ghost: string;
  readonly unread: (since: string) => string;
}

const words: Readonly<Record<Locale, Words>> = {
  ja: {
    heading: '### 💬 実行中のコメント',
    kinds: { added: 'コメント', edited: '編集', deleted: '削除' },
    command: (name) => `コマンド \`/${name}\``,
    outcomes: {
      obeyed: '実行しました',
      refused: '権限がないため実行していません',
      unknown: '該当する推測がないため何も却下していません',
    },
    delivered: 'エージェントに伝えました',
    undelivered: 'エージェントには伝わっていません',
    more: (count) => `- ほか ${count} 件`,
    ghost: '削除されたアカウント',
    unread: (since) =>
      `このスレッドは ${since} までしか確認できませんでした。それ以降のコメントは、エージェントに伝わっていない可能性があります。`,
  },
  en: {
    heading: '### 💬 Comments during the run',
    kinds: { added: 'comment', edited: 'edit', deleted: 'deletion' },
    command: (name) => `command \`/${name}\``,
    outcomes: {
      obeyed: 'obeyed',
      refused: 'not obeyed, as its author may not steer',
      unknown: 'nothing was rejected, as there is no such assumption',
    },
    delivered: 'the agent was told',
    undelivered: 'the agent was not told',
    more: (count) => `- and ${count} more`,
    ghost: 'a deleted account',
    unread: (since) =>
      `The thread could be read until ${since} only. The agent may not have been told what was said after that.`,
  },
};

/**
 * Accounts for every comment that came while a run was under way, and says up to when the thread could be read;
 * empty when there is nothing to say. @see docs/requirements.md NX-8, B21
 */
export function formatHeardComments({ comments, readUntil }: CommentSummary, locale: Locale): string {
  const text = words[locale];
  const list = comments.length === 0 ? [] : listComments(comments, text);
  const unread = readUntil === null ? [] : [text.unread(readUntil)];
  return list.length + unread.length === 0 ? '' : [text.heading, ...list, ...unread].join('\n\n');
}

function listComments(heard: readonly DeliveredComment[], text: Words): readonly string[] {
  const lines = heard.slice(0, maxListed).map((comment) => describe(comment, text));
  const hidden = heard.length - lines.length;
  return [[...lines, ...(hidden > 0 ? [text.more(hidden)] : [])].join('\n')];
}

function describe(
  { kind, author, createdAt, url, command, delivered }: DeliveredComment,
  text: Words,
): string {
  // In code, so that nobody is called by the report.
  const who = author === null ? text.ghost : `\`@${author}\``;
  // Unknown of what was deleted before anybody could look it up.
  const when = createdAt === '' ? '' : `, ${toLink(createdAt, url)}`;
  const commanded = command === null ? [] : [text.command(command.name), text.outcomes[command.outcome]];
  // A command that was obeyed is told as obeyed: there is nothing more to account for.
  const isSettled = command?.outcome === 'obeyed';
  const told = isSettled ? [] : [delivered ? text.delivered : text.undelivered];
  return `- ${who}${when}: ${[text.kinds[kind], ...commanded, ...told].join(', ')}`;
}

function toLink(label: string, url: string | null): string {
  return url !== null && /^https?:\/\/[^\s()<>[\]]+$/.test(url) ? `[${label}](${url})` : label;
}
