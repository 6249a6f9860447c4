import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../test/plans.ts';
import { findInvalidated } from './invalidate.ts';

const plan = planOf([
  { id: 'task_1', rests_on: ['A2'] },
  { id: 'task_2', rests_on: ['A1'] },
  { id: 'task_3', dependencies: ['task_2'] },
  { id: 'task_4', dependencies: ['task_1'] },
  { id: 'task_5', dependencies: ['task_3'] },
]);

describe('a rejected assumption', () => {
  it('invalidates what rests on it, and all that depends on that', () => {
    expect(findInvalidated(plan, { rejected: new Set(['A1']), done: new Set(['task_1']) })).toEqual({
      undone: ['task_2', 'task_3', 'task_5'],
      done: [],
    });
  });

  it('invalidates through a step that is done already, which it names apart', () => {
    expect(findInvalidated(plan, { rejected: new Set(['A1']), done: new Set(['task_1', 'task_2']) })).toEqual(
      { undone: ['task_3', 'task_5'], done: ['task_2'] },
    );
  });

  it('that no step rests on invalidates nothing', () => {
    expect(findInvalidated(plan, { rejected: new Set(['A9', '__proto__']), done: new Set() })).toEqual({
      undone: [],
      done: [],
    });
  });

  it('leaves no step that rests on it, in any graph, with circles too', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const subtask = fc.record({
      dependencies: fc.subarray(ids),
      rests_on: fc.subarray(['A1', 'A2']),
    });
    fc.assert(
      fc.property(fc.array(subtask, { minLength: 6, maxLength: 6 }), (subtasks) => {
        const any = planOf(subtasks.map((one, index) => ({ id: ids[index] ?? '', ...one })));
        const { undone } = findInvalidated(any, { rejected: new Set(['A1']), done: new Set() });
        for (const { id, dependencies, rests_on } of any.task_decomposition.subtasks) {
          const falls = rests_on.includes('A1') || dependencies.some((one) => undone.includes(one));
          expect(undone.includes(id)).toBe(falls);
        }
      }),
    );
  });
});
