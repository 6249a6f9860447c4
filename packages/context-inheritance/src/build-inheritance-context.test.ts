import { describe, expect, it } from 'vitest';
import { withoutDecisions } from './build-inheritance-context.ts';

describe('a decision that no longer holds', () => {
  it('takes the lines of the summary with it that repeat it', () => {
    const summary = 'Done.\n- Pages begin at 0\nThe rest stays.';
    expect(withoutDecisions(summary, [{ text: 'Pages begin at 0' }])).toBe('Done.\nThe rest stays.');
    expect(withoutDecisions('Use B.\n- B\n1. B \nB?', [{ text: 'B' }])).toBe('Use B.\nB?');
    expect(withoutDecisions(summary, [{ text: ' ' }])).toBe(summary);
  });
});
