import type { PrePlanningEvent } from '@agent/pre-planning';
import { expect, it } from 'vitest';
import { toEventFields } from './notices.ts';

it('says of pre-planning what is being done and how far it came, and nothing that was found out', () => {
  const progress: PrePlanningEvent = { type: 'collection-progress', done: 2, total: 7, notice: null };
  expect(toEventFields(progress)).toEqual({ event: 'collection-progress', done: 2, total: 7 });
  const start: PrePlanningEvent = { type: 'analysis-start', status: 'reading', notice: 'secret' };
  expect(toEventFields(start)).toEqual({ event: 'analysis-start' });
});
