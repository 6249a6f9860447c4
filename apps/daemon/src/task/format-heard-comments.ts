import type { HeardComment } from '../comments/heard-comment.ts';
import type { Locale } from './locale.ts';

const maxListed = 20;

interface Words {
  readonly heading: string;
  readonly kinds: Readonly<Record<HeardComment['kind'], string>>;
  readonly delivered: string;
  readonly undelivered: string;
  readonly more: (count: number) => string;
  readonly ghost: string;
}

const words: Readonly<Record<Locale, Words>> = {
  ja: {
    heading: '### 💬 実行中のコメント',
    kinds: { added: 'コメント', edited: '編集', deleted: '削除' },
    delivered: 'エージェントに伝えました',
    undelivered: 'エージェントには伝わっていません',
    more: (count) => `- ほか ${count} 件`,
    ghost: '削除されたアカウント',
  },
  en: {
    heading: '### 💬 Comments during the run',
    kinds: { added: 'comment', edited: 'edit', deleted: 'deletion' },
    delivered: 'the agent was told',
    undelivered: 'the agent was not told',
    more: (count) => `- and ${count} more`,
    ghost: 'a deleted account',
  },
};

/** Accounts for every comment that came while a run was under way; empty when there was none. @see NX-8 */
export function formatHeardComments(heard: readonly HeardComment[], locale: Locale): string {
  if (heard.length === 0) return '';
  const text = words[locale];
  const lines = heard.slice(0, maxListed).map(({ kind, author, createdAt, delivered }) => {
    // In code, so that nobody is called by the report.
    const who = author === null ? text.ghost : `\`@${author}\``;
    // Unknown of what was deleted before anybody could look it up.
    const when = createdAt === '' ? '' : `, ${createdAt}`;
    return `- ${who}${when}: ${text.kinds[kind]}, ${delivered ? text.delivered : text.undelivered}`;
  });
  const hidden = heard.length - lines.length;
  return [text.heading, '', ...lines, ...(hidden > 0 ? [text.more(hidden)] : [])].join('\n');
}
