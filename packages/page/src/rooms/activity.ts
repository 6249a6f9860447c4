import type { BoardRow } from '@agent/orchestrator/watch';
import { formatDuration } from '../html/figures.ts';
import { foreignText } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import type { Visit } from './visit.ts';

/** Model call, agent turn or tool that is under way, and how long it has taken; null without one. */
export function activity(row: BoardRow, { texts, now }: Visit): Markup | null {
  const { tool, toolSince, asking, askingSince } = row;
  const took = (since: number | null) => (since === null ? '' : `, ${formatDuration(now - since)}`);
  if (tool !== null)
    return markup`${texts.tool} <code>${foreignText(tool, { maxChars: 60 })}</code>${took(toolSince)}`;
  return asking === null ? null : markup`${texts.current.asking[asking]}${took(askingSince)}`;
}
