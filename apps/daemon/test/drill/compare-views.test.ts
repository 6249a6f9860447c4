import { describe, expect, it } from 'vitest';
import { findDisagreements, findRemaining, type ShownProblem, type View } from './compare-views.ts';

const harmedAt = Date.parse('2026-01-02T00:00:00Z');
const expected = { cause: 'no_poller', harmedAt };
const problem: ShownProblem = {
  cause: 'no_poller',
  what: 'No process polls for tasks',
  since: harmedAt - 2_000,
  remedy: 'Start one.',
};

function withAnswer(problems: View['problems']): readonly View[] {
  return [
    { name: 'status', problems: [problem] },
    { name: 'worker-1 /metrics', problems: [{ ...problem, what: null, remedy: null }] },
    { name: 'worker-1 /health', problems },
  ];
}

const find = (problems: View['problems']) => findDisagreements(withAnswer(problems), expected);

describe('the comparison of views', () => {
  it('accepts views that name the same cause, start and remedy', () => {
    expect(find([problem])).toEqual([]);
  });

  it.each<[string, View['problems'], RegExp]>([
    ['lacks the cause', [], /health does not name no_poller, but nothing/],
    ['names another cause', [{ ...problem, cause: 'disk' }], /does not name no_poller, but disk/],
    ['does not answer', null, /health does not answer/],
    ['does not say since when', [{ ...problem, since: null }], /does not say since when/],
    ['shows another start', [{ ...problem, since: harmedAt + 8_000 }], /differ by 10 s in the start/],
    ['shows a start before the harm', [{ ...problem, since: harmedAt - 60_000 }], /60 s before the harm/],
    ['has no remedy', [{ ...problem, remedy: '' }], /does not say what to do/],
    ['has another remedy', [{ ...problem, remedy: 'Wait.' }], /differ in remedies/],
    ['names a further cause', [problem, { ...problem, cause: 'disk' }], /differ in causes/],
  ])('reports a view that %s', (_, problems, message) => {
    expect(find(problems)).toContainEqual(expect.stringMatching(message));
  });

  it('reports words without the expected name, and an empty list of views', () => {
    const named = { ...expected, names: 'carol' };
    expect(findDisagreements(withAnswer([problem]), named)).toContainEqual(expect.stringContaining('carol'));
    expect(findDisagreements([], expected)).toEqual(['no view was asked']);
  });

  it('lists what views still name after the repair', () => {
    expect(findRemaining([{ name: 'status', problems: [] }])).toEqual([]);
    expect(findRemaining(withAnswer([]), new Set(['no_poller']))).toEqual([]);
    expect(findRemaining(withAnswer(null))).toEqual([
      'status still names no_poller',
      'worker-1 /metrics still names no_poller',
      'worker-1 /health does not answer',
    ]);
  });
});
