import type { BoardRow, RunState } from '@agent/orchestrator/watch';
import { formatDuration } from '../html/figures.ts';
import { foreignText } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import type { Outcome } from '../ports.ts';
import type { Visit } from './visit.ts';

/** Sign of each outcome. */
const endSigns: Readonly<Record<Outcome, string>> = {
  completed: 'good',
  answered: 'good',
  nothing_to_change: 'good',
  partial: 'part',
  needs_input: 'paused',
  stopped: 'off',
  failed: 'bad',
};

/** Sign of each state. */
export const stateSigns: Readonly<Record<RunState, string>> = {
  running: 'running',
  delivering: 'waiting',
  queued: 'waiting',
  needs_input: 'paused',
  paused: 'paused',
  in_review: 'waiting',
  ended: 'off',
};

/** Shows the state of a run by a sign and a word, never by color alone. */
export function stateSign(row: BoardRow, { texts }: Visit): Markup {
  const { state, status } = row;
  if (status === null || (state !== 'ended' && state !== 'delivering'))
    return markup`<span class="state ${stateSigns[state]}"><span>${texts.states[state]}</span></span>`;
  const more = state === 'delivering' && markup` <span class="small">${texts.states.delivering}</span>`;
  return markup`<span class="state ${endSigns[status]}"><span>${texts.runOutcomes[status]}</span></span>${more}`;
}

/** Model call, agent turn or tool that is under way, and how long it has taken; null without one. */
export function activity(row: BoardRow, { texts, now }: Visit): Markup | null {
  const { tool, toolSince, asking, askingSince } = row;
  const took = (since: number | null) => (since === null ? '' : `, ${formatDuration(now - since)}`);
  if (tool !== null)
    return markup`${texts.tool} <code>${foreignText(tool, { maxChars: 60 })}</code>${took(toolSince)}`;
  return asking === null ? null : markup`${texts.current.asking[asking]}${took(askingSince)}`;
}
