import { expect, it } from 'vitest';
import { makePlan } from '../test/inheritance-setup.ts';
import { decidePlanUse } from './decide-plan-use.ts';

const facts = {
  now: new Date('2026-11-20T10:00:00Z'),
  expiryDays: 90,
  plannedRequest: 'same',
  presentRequest: 'same',
};
const stopped = makePlan({ status: 'stopped' });
const done = makePlan({ status: 'stopped', plan: stopped.plan && { ...stopped.plan, executedCount: 4 } });

it('goes on with a plan that was stopped halfway for the same request, and refers to all others', () => {
  expect(decidePlanUse(stopped, facts)).toBe('continue');
  expect(decidePlanUse(makePlan({ status: 'completed' }), facts)).toBe('refer');
  expect(decidePlanUse(makePlan({ status: 'stopped', plan: null }), facts)).toBe('refer');
  expect(decidePlanUse(done, facts)).toBe('refer');
  expect(decidePlanUse(stopped, { ...facts, expiryDays: 19 })).toBe('continue');
  expect(decidePlanUse(stopped, { ...facts, expiryDays: 18 })).toBe('refer');
  expect(decidePlanUse(stopped, { ...facts, presentRequest: 'other' })).toBe('refer');
  expect(decidePlanUse(stopped, { ...facts, plannedRequest: null, presentRequest: null })).toBe('refer');
});
