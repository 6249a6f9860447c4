import { describe, expect, it } from 'vitest';
import type { Violation } from './cruise-imports.ts';
import {
  findFixedViolations,
  findNewViolations,
  parseKnownViolations,
  renewKnownViolations,
} from './known-violations.ts';

const cycle = (from: string, to: string): Violation => ({
  rule: 'no-folder-cycles',
  from: `packages/a/src/${from}`,
  to: `packages/a/src/${to}`,
  wayBack: [],
  imports: [],
});

const list = `# Known.

no-folder-cycles:
  # Until the store is split.
  - packages/a/src/x → packages/a/src/y
  - packages/a/src/y → packages/a/src/x
`;

describe('the list of known violations', () => {
  it('hides known imports and reports new and fixed ones', () => {
    const known = parseKnownViolations(list);
    const now = [cycle('x', 'y'), cycle('x', 'z')];
    expect(findNewViolations(now, known)).toEqual([cycle('x', 'z')]);
    expect(findFixedViolations(now, known)).toEqual([
      'no-folder-cycles: packages/a/src/y → packages/a/src/x',
    ]);
  });

  it('loses fixed entries and keeps the comments of the others', () => {
    expect(renewKnownViolations(list, [cycle('x', 'y')])).toBe(
      list.replace('  - packages/a/src/y → packages/a/src/x\n', ''),
    );
    expect(renewKnownViolations(list, [])).toBe('# Known.\n\n{}\n');
  });

  it('takes the new names of moved folders, but no further violation', () => {
    const renamed = [cycle('x', 'y'), cycle('y', 'w')];
    expect(renewKnownViolations(list, renamed)).toContain('packages/a/src/y → packages/a/src/w');
    expect(() => renewKnownViolations(list, [...renamed, cycle('w', 'x')])).toThrow(
      'packages/a has 3 violations of no-folder-cycles, had 2: fix the new ones',
    );
  });
});
