import { describe, expect, it } from 'vitest';
import { toUuid } from '../test/inheritance-setup.ts';
import { splitStaleDecisions, withoutDecisions } from './build-inheritance-context.ts';
import type { InheritedDecision } from './model.ts';

const decision = (commentId: string | null, sha256: string | null = 'old'): InheritedDecision => ({
  text: `decision on ${commentId}`,
  source: commentId === null ? null : { commentId, sha256 },
  runUuid: toUuid('a1'),
});

describe('a decision of an earlier run', () => {
  const comments = new Map([
    ['1', 'old'],
    ['2', 'new'],
  ]);

  it('is left out when its comment was edited or deleted since', () => {
    const { valid, stale } = splitStaleDecisions([decision('1'), decision('2'), decision('3')], comments);
    expect(valid).toEqual([decision('1')]);
    expect(stale.map(({ source, reason }) => [source?.commentId, reason])).toEqual([
      ['2', 'edited'],
      ['3', 'deleted'],
    ]);
  });

  it('stays without a source, without a hash, and when the thread could not be read', () => {
    const kept = [decision(null), decision('2', null)];
    expect(splitStaleDecisions(kept, comments)).toEqual({ valid: kept, stale: [] });
    expect(splitStaleDecisions([decision('3')], null).valid).toHaveLength(1);
  });

  it('takes the lines of the summary with it that repeat it', () => {
    const summary = 'Done.\n- Pages begin at 0\nThe rest stays.';
    expect(withoutDecisions(summary, [{ text: 'Pages begin at 0' }])).toBe('Done.\nThe rest stays.');
    expect(withoutDecisions('Use B.\n- B\n1. B \nB?', [{ text: 'B' }])).toBe('Use B.\nB?');
    expect(withoutDecisions(summary, [{ text: ' ' }])).toBe(summary);
  });
});
