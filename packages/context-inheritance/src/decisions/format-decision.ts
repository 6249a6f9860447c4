import { formatTime } from '@agent/text';
import { shortenUuid } from '../format-values.ts';
import type { PromptTexts } from '../texts.ts';
import type { DecisionConflict, InheritedDecision } from './decision.ts';

export interface DecisionFormat {
  readonly texts: PromptTexts;
  /** IANA name. */
  readonly timeZone: string;
  readonly conflicts: readonly DecisionConflict[];
}

/** One line: text, source, state, date and run. */
export function formatDecision(
  decision: InheritedDecision,
  { texts: { decision: texts }, timeZone, conflicts }: DecisionFormat,
): string {
  const { id, text, source, isTrusted, state, decidedAt, runUuid } = decision;
  const isContradicted = conflicts.some(({ decisions }) => decisions.some((one) => one.id === id));
  const notes = [
    ...(source.kind === 'comment' ? [texts.comment(source.commentId)] : []),
    ...(source.kind === 'thread' ? [texts.thread] : []),
    ...(source.kind === 'agent' ? [texts.agent] : []),
    ...(source.kind !== 'agent' && !isTrusted ? [texts.untrusted] : []),
    formatTime(decidedAt, timeZone),
    `#${shortenUuid(runUuid)}`,
    ...(isContradicted ? [texts.conflict] : []),
    ...formatState(state, texts),
  ];
  return `- ${oneLine(text)} (${notes.map(oneLine).join(texts.separator)})`;
}

function formatState(state: InheritedDecision['state'], texts: PromptTexts['decision']): readonly string[] {
  if (state.kind === 'open') return [];
  if (state.kind === 'replaced') return [texts.replaced(state.by.text)];
  return [state.reason === 'missing-path' ? texts.missingPath(state.path) : texts.missingLine(state.path)];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
