import type { BoardRow } from '@agent/orchestrator/watch';
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

/** Shows the state of a run by a sign and a word, never by color alone. */
export function stateSign(row: BoardRow, { texts }: Visit): Markup {
  const { state, status } = row;
  const live = state === 'in_review' ? 'waiting' : state;
  const sign = state === 'ended' ? (status === null ? 'off' : endSigns[status]) : live;
  const word = state !== 'ended' || status === null ? texts.states[state] : texts.runOutcomes[status];
  return markup`<span class="state ${sign}"><span>${word}</span></span>`;
}
