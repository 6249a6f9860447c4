import { foreignText } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import type { Visit } from '../server/visit.ts';
import { layout } from './layout.ts';

/** Page that says what went wrong and what to do. */
export function problemRoom(
  visit: Visit,
  { kind, reason }: { readonly kind: string; readonly reason: string | null },
): Markup {
  const { texts, base } = visit;
  const [title, advice] = texts.problems[kind] ?? texts.problems.failed ?? ['', ''];
  const content = markup`<div class="narrow"><h1>${title}</h1>
${reason !== null && markup`<p class="notice">${foreignText(reason, { maxChars: 1000 })}</p>`}
<p>${advice}</p>
<p><a href="${base}/">${texts.home}</a>${kind === 'unauthorized' && markup` · <a href="${base}/login">${texts.login}</a>`}</p></div>`;
  return layout(visit, { title, room: null, content });
}
