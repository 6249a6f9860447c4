import { createHash } from 'node:crypto';
import type { DecisionConflict, DecisionSource } from '@agent/context-inheritance';
import type { Locale } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import type { Run } from '../run/run.ts';

interface ConflictTexts {
  readonly title: string;
  readonly subject: (subject: string) => string;
  readonly source: (source: DecisionSource) => string;
  readonly question: string;
  readonly more: (count: number) => string;
}

const texts: Readonly<Record<Locale, ConflictTexts>> = {
  en: {
    title: '### ❓ Which decision is valid?',
    subject: (subject) => `The decisions on ${subject} contradict each other:`,
    source: (source) => (source.kind === 'comment' ? `comment ${source.commentId}` : 'text of the issue'),
    question:
      'Please answer in a comment. Until then, the agent knows both and follows neither without asking.',
    more: (count) => `- ${count} older decisions`,
  },
  ja: {
    title: '### ❓ どちらの決定が有効ですか？',
    subject: (subject) => `${subject} についての決定が矛盾しています:`,
    source: (source) => (source.kind === 'comment' ? `コメント ${source.commentId}` : 'Issue の本文'),
    question:
      'コメントでお答えください。それまでエージェントは両方の決定を参照しますが、確認せずにどちらかに従うことはありません。',
    more: (count) => `- 以前の決定 ${count} 件`,
  },
};

/** Decisions in a question; a comment has room for no more. */
const mostDecisions = 20;

/** The comment that asks which of contradicting decisions is valid. Decisions are shown as code, so that they mention no one. */
function formatConflict(conflict: DecisionConflict, locale: Locale): string {
  const { title, subject, source, question, more } = texts[locale];
  const decisions = conflict.decisions
    .slice(0, mostDecisions)
    .map((one) => `- ${toCodeSpan(one.text)} (${source(one.source)})`);
  const rest = conflict.decisions.length - decisions.length;
  const list = [subject(toCodeSpan(conflict.subject)), '', ...decisions, ...(rest > 0 ? [more(rest)] : [])];
  return [title, list.join('\n'), question].join('\n\n');
}

/** Questions that a run asks at most at a time. */
const mostQuestions = 5;

/** A run that asks. */
export interface AskingRun {
  readonly thread: Pick<Run['thread'], 'writer'>;
  readonly facts: Pick<Run['facts'], 'locale'>;
}

/** Asks on the thread which decisions are valid. Never rejects. */
export async function postConflicts(run: AskingRun, conflicts: readonly DecisionConflict[]): Promise<void> {
  for (const conflict of conflicts.slice(0, mostQuestions)) await postConflict(run, conflict);
}

/** The question has a topic of its own on the thread: no later run asks it again. */
async function postConflict(run: AskingRun, conflict: DecisionConflict): Promise<void> {
  const ids = conflict.decisions.map(({ id }) => id).toSorted();
  const hash = createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, 16);
  const body = formatConflict(conflict, run.facts.locale);
  await run.thread.writer.post({ topic: `decisions:${hash}`, body, since: null });
}
