import { describe, expect, it } from 'vitest';
import { state } from './finding.ts';
import { PlaceProblems } from './place-problems.ts';
import { en } from './texts.en.ts';

describe('PlaceProblems', () => {
  it('lists equal problems of repositories once, with their number and the first names', () => {
    const problems = new PlaceProblems(en);
    const names = Array.from({ length: 6 }, (_, index) => `acme/svc-${index}`);
    for (const name of names) problems.add(name, state.warning(`${name}: no label`, { fix: `Open ${name}` }));
    problems.add('acme/old', state.failed('acme/old is archived', { fix: 'Unarchive it' }));
    expect(problems.list().map(({ status, text, fix }) => [status, text, fix])).toEqual([
      [
        'warning',
        'acme/svc-0: no label (The same in 5 more repositories: acme/svc-1, acme/svc-2, acme/svc-3, …)',
        'Open acme/svc-0',
      ],
      ['failed', 'acme/old is archived', 'Unarchive it'],
    ]);
  });
});
