import { expect, it } from 'vitest';
import { outlinePreparation } from './outline-preparation.ts';

it('keeps of what was collected how much it is, and everything else as the agent was told', () => {
  const firstStep = `Rules.

===== BEGIN TEXT n | author: unknown =====
## What was found out before planning

### Understanding of the request (confidence 90%)
- primary goal: mend it

### Collected information
--- codebase, files ---
a.js
--- not an end ---

b.js
--- end of codebase, files ---
--- context, rules ---
one
--- end of context, rules ---

### Information gaps
- the login (impact: unknown)
===== END TEXT n =====

# Issue #1`;
  expect(outlinePreparation(firstStep).split('\n')).toEqual([
    'Understanding of the request (confidence 90%)',
    '- primary goal: mend it',
    'Collected information',
    '- codebase, files: 3 lines',
    '- context, rules: 1 line',
    'Information gaps',
    '- the login (impact: unknown)',
  ]);
  expect(outlinePreparation('Rules.\n\n# Issue #1')).toBe('');
});
