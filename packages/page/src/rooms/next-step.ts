import type { RunView } from '@agent/orchestrator/watch';
import { foreignBlock, foreignText, foreignWords } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import type { Visit } from './visit.ts';

/** Command on the machine and comment on the thread with which a paused, waiting or failed run continues; null for another. */
export function nextStep({ row, pause, held }: RunView, { texts }: Visit): Markup | null {
  const name = foreignWords(row.name, { maxChars: 120 });
  const ways = (verb: string) =>
    markup`<code>agent-daemon ${verb} ${name}</code> ${texts.current.orComment} <code>/${verb}</code>`;
  if (pause?.waitsFor === 'held') return held.length === 0 ? null : markup`<p>${texts.current.heldNext}</p>`;
  if (pause?.waitsFor === null) return markup`<p>${texts.current.toResume} ${ways('resume')}</p>`;
  return row.state === 'ended' && row.status === 'failed'
    ? markup`<p>${texts.current.toRetry} ${ways('retry')}</p>`
    : null;
}

/** Changes that wait for permission, each with its patch folded; null without any. */
export function heldList({ held }: RunView, { texts }: Visit): Markup | null {
  if (held.length === 0) return null;
  return markup`<section class="card" aria-labelledby="held"><h2 id="held">${texts.current.heldHeading}</h2><ul class="list">${held.map(
    ({ id, path, text, patch, allow }) =>
      markup`<li id="held-${id}"><strong>${id}</strong> ${foreignText(text, { maxChars: 800 })}${
        allow !== null &&
        markup`<br><span class="small">${texts.current.heldAllow} <code>${allow}</code></span>`
      }${
        patch !== null &&
        markup`<details><summary>${texts.current.patch} ${foreignText(path, { maxChars: 200 })}</summary>${foreignBlock(patch, { maxChars: 8_000 })}</details>`
      }</li>`,
  )}</ul></section>`;
}
