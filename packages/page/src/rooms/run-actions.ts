import type { RunControl, RunView } from '@agent/orchestrator/watch';
import { type Markup, markup } from '../html/markup.ts';
import { runAddress, type Visit } from './visit.ts';

/** Controls in the order in which they stand. */
export const runControls: readonly RunControl[] = [
  'approve',
  'pause',
  'resume',
  'stop',
  'retry',
  'settle',
  'budget',
];

/** Forms by which a person acts on a run; nothing where no act makes sense. */
export function runActions({ row, controls, pause }: RunView, visit: Visit): Markup | null {
  const { texts, csrf, createNonce } = visit;
  if (controls.length === 0 || row.uuid === null) return null;
  const target = `${runAddress(visit, row.uuid)}/actions`;
  // Held changes wait for a comment: resuming alone does not release them.
  const isHeld = pause?.waitsFor === 'held';
  const inOrder = isHeld
    ? [...runControls.filter((one) => one !== 'resume'), 'resume' as const]
    : runControls;
  const forms = inOrder
    .filter((control) => controls.includes(control))
    .map(
      (control) => markup`<form method="post" action="${target}" id="act-${control}">
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="nonce" value="${createNonce()}"><input type="hidden" name="control" value="${control}">
${control === 'budget' && markup`<label>${texts.amount}<input name="amount" inputmode="decimal" pattern="[0-9]{1,9}([.][0-9]{1,6})?" required maxlength="16"></label>`}
<button${control === 'approve' && markup` class="primary"`}>${texts.controls[control]}</button></form>`,
    );
  return markup`<section class="card" aria-labelledby="actions"><h2 id="actions">${texts.actions}</h2><div class="actions">${forms}</div></section>`;
}
