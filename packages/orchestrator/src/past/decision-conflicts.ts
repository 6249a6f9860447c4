import type { DecisionConflict, DecisionSource } from '@agent/context-inheritance';
import type { Locale } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';

interface ConflictTexts {
  readonly title: string;
  readonly subject: (subject: string) => string;
  readonly source: (source: DecisionSource) => string;
  readonly question: string;
}

const texts: Readonly<Record<Locale, ConflictTexts>> = {
  en: {
    title: '### ❓ Which decision is valid?',
    subject: (subject) => `The decisions on ${subject} contradict each other:`,
    source: (source) => (source.kind === 'comment' ? `comment ${source.commentId}` : 'text of the issue'),
    question:
      'Please answer in a comment. Until then, the agent knows both and follows neither without asking.',
  },
  ja: {
    title: '### ❓ どちらの決定が有効ですか？',
    subject: (subject) => `${subject} についての決定が矛盾しています:`,
    source: (source) => (source.kind === 'comment' ? `コメント ${source.commentId}` : 'Issue の本文'),
    question:
      'コメントでお答えください。それまでエージェントは両方の決定を参照しますが、確認せずにどちらかに従うことはありません。',
  },
};

/** The comment that asks which of contradicting decisions holds. Decisions are shown as code, so that they mention no one. */
export function formatConflicts(conflicts: readonly DecisionConflict[], locale: Locale): string {
  const { title, subject, source, question } = texts[locale];
  const lists = conflicts.map((conflict) => {
    const decisions = conflict.decisions.map((one) => `- ${toCodeSpan(one.text)} (${source(one.source)})`);
    return [subject(toCodeSpan(conflict.subject)), '', ...decisions].join('\n');
  });
  return [title, ...lists, question].join('\n\n');
}
