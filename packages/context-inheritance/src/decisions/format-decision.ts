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

/** Stale and replaced decisions, and those of the agent, that are told; the others are told without a limit. */
const mostInformation = 20;

/** Decisions for a prompt, most important first, and how many others there are. */
export interface ListedDecisions {
  readonly shown: readonly InheritedDecision[];
  readonly leftOut: number;
  /** Those left out that are in effect and of trusted users. */
  readonly trustedLeftOut: number;
}

/** Lists decisions, as many as there is room for. @param limit default: as many as are told at most */
export function listDecisions(told: readonly InheritedDecision[], limit?: number): ListedDecisions {
  const inEffect = told.filter(isInEffect).length;
  const shown = told.slice(0, Math.min(limit ?? told.length, inEffect + mostInformation));
  const trustedLeftOut = inEffect - shown.filter(isInEffect).length;
  return { shown, leftOut: told.length - shown.length, trustedLeftOut };
}

function isInEffect({ state, isTrusted }: InheritedDecision): boolean {
  return isTrusted && state.kind === 'open';
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
