import { type Markup, markup } from '../html/markup.ts';
import type { Visit } from '../server/visit.ts';
import type { BoardRow } from '../views.ts';

const endSigns: Readonly<Record<string, string>> = { completed: 'good', failed: 'bad', stopped: 'off' };

/** Shows the state of a run by a sign and a word, never by color alone. */
export function stateSign(row: BoardRow, { texts }: Visit): Markup {
  const { state, status, isPartial } = row;
  const sign = state === 'ended' ? (endSigns[status ?? ''] ?? 'off') : state;
  const word = state === 'ended' ? (texts.statuses[status ?? ''] ?? texts.states.ended) : texts.states[state];
  return markup`<span class="state ${sign}"><span>${word}${isPartial && ` (${texts.partial})`}</span></span>`;
}
