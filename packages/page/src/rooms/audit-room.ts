import { moment } from '../html/figures.ts';
import { foreignText } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import type { AuditEntry } from '../ports.ts';
import { runAddress, type Visit } from '../server/visit.ts';
import { layout } from './layout.ts';

const signs = { accepted: 'good', refused: 'off', failed: 'bad' } as const;

/** What people did, the latest first. */
export function auditRoom(entries: readonly AuditEntry[], visit: Visit): Markup {
  const { texts } = visit;
  const table = markup`<div class="scroll" tabindex="0" role="region" aria-label="${texts.audit}"><table><thead><tr><th scope="col">${texts.time}</th><th scope="col">${texts.who}</th><th scope="col">${texts.action}</th><th scope="col">${texts.target}</th><th scope="col">${texts.outcome}</th></tr></thead>
<tbody>${entries.map((entry) => auditLine(entry, visit))}</tbody></table></div>`;
  const content = markup`<h1>${texts.audit}</h1>
<div class="card" id="audit" data-live>${entries.length === 0 ? markup`<p>${texts.noAudit}</p>` : table}</div>`;
  return layout(visit, { title: texts.audit, room: 'audit', content, isLive: true });
}

function auditLine({ at, actor, action, target, outcome, reason }: AuditEntry, visit: Visit): Markup {
  const { texts } = visit;
  return markup`<tr><td>${moment(at)}</td><td>${foreignText(actor, { maxChars: 80 })}</td><td>${actionName(action, texts)}</td>
<td>${target !== null && markup`<a href="${runAddress(visit, target.slice(0, 300))}">${foreignText(target, { maxChars: 60 })}</a>`}</td>
<td><span class="state ${signs[outcome]}"><span>${texts.auditOutcomes[outcome]}</span></span>${reason !== null && markup`<br>${foreignText(reason, { maxChars: 300 })}`}</td></tr>`;
}

function actionName(action: string, texts: Visit['texts']): Markup {
  const name = action.replace(/-result$/, '');
  const controls: Readonly<Record<string, string>> = { ...texts.controls, login: texts.login };
  const word = Object.hasOwn(controls, name) ? controls[name] : undefined;
  return markup`${word ?? foreignText(name, { maxChars: 60 })}${name !== action && markup` – ${texts.auditResult}`}`;
}
