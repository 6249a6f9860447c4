import { describe, expect, it } from 'vitest';
import { parseStatus } from './read-memory.ts';

describe('parseStatus', () => {
  it('reads the resident and the anonymous memory', () => {
    const status = 'Name:\tnode\nVmRSS:\t  100 kB\nRssAnon:\t   60 kB\nRssFile:\t   40 kB\n';
    expect(parseStatus(status)).toEqual({ residentKb: 100, anonymousKb: 60 });
  });

  it('does not take a missing figure for none', () => {
    expect(() => parseStatus('Name:\tkthreadd\n')).toThrow('VmRSS');
  });
});
