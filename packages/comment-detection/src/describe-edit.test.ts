import { describe, expect, it } from 'vitest';
import { describeEdit } from './format-changes-message.ts';

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, line) => `${word} ${line}`).join('\n');

describe('describeEdit', () => {
  it('is a unified diff of at most 20 lines that says how many are left out [NX-1]', () => {
    const diff = describeEdit(lines(30, 'old'), lines(30, 'new'))?.split('\n');
    expect(diff).toHaveLength(20);
    expect(diff?.[0]).toBe('@@ -1,30 +1,30 @@');
    expect(diff?.at(-1)).toBe('… (42 more lines)');
  });

  it('keeps long lines short, and says nothing where nothing can be told shortly [NX-1]', () => {
    expect(describeEdit('a', 'b'.repeat(1_000_000))?.length).toBeLessThan(500);
    expect(describeEdit(lines(5000, 'old'), lines(5000, 'new'))).toBeNull();
    expect(describeEdit('same', 'same')).toBeNull();
  });
});
