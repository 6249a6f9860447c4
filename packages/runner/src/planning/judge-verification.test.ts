import { describe, expect, it } from 'vitest';
import { actionOf, verificationAnswer } from '../../test/plans.ts';
import { judgeVerification } from './judge-verification.ts';

const first = { found: [], round: 1, maxRounds: 2 };
const last = { ...first, round: 2 };
const fix = [actionOf('verification_fix_1')];

describe('a verification', () => {
  it('is passed when the model says so and code found nothing', () => {
    const answer = verificationAnswer();
    expect(judgeVerification(answer, first)).toEqual({ result: answer, next: 'passed' });
  });

  it('is not passed while a placeholder that code found is not explained', () => {
    const { result, next } = judgeVerification(verificationAnswer(), { ...first, found: ['src/a.ts:3'] });
    expect(next).toBe('again');
    expect(result).toMatchObject({
      verification_passed: false,
      issues_found: ['src/a.ts:3: a placeholder that is not explained'],
      placeholder_detected: { count: 1, locations: ['src/a.ts:3'] },
    });
  });

  it('is passed with placeholders that the model explains one by one', () => {
    const explained = [{ location: '`src/a.ts:3`', reason: 'an interface of others throws it' }];
    const answer = verificationAnswer({ placeholder_detected: { count: 0, locations: [], explained } });
    expect(judgeVerification(answer, { ...first, found: ['src/a.ts:3'] }).next).toBe('passed');
    expect(judgeVerification(answer, { ...first, found: ['src/a.ts:3', 'src/a.ts:31'] }).next).toBe('again');
    const longer = [{ location: 'src/a.ts:31', reason: 'so' }];
    const other = verificationAnswer({
      placeholder_detected: { count: 0, locations: [], explained: longer },
    });
    expect(judgeVerification(other, { ...first, found: ['src/a.ts:3'] }).next).toBe('again');
  });

  it('brings additional work until its rounds are used up, and is partial then', () => {
    const answer = verificationAnswer({ verification_passed: false, additional_actions: fix });
    expect(judgeVerification(answer, first).next).toBe('extend');
    expect(judgeVerification(answer, last).next).toBe('partial');
    expect(judgeVerification(verificationAnswer(), { ...last, found: ['src/a.ts:3'] }).next).toBe('partial');
  });

  it('that finds faults and names no work for them is partial at once', () => {
    expect(judgeVerification(verificationAnswer({ verification_passed: false }), first).next).toBe('partial');
  });
});
