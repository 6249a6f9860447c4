import { describe, expect, it } from 'vitest';
import { actionOf, verificationAnswer } from '../../test/plans.ts';
import { judgeVerification } from './judge-verification.ts';

const explaining = (location: string) =>
  verificationAnswer({
    placeholder_detected: { count: 0, locations: [], explained: [{ location, reason: 'a text about them' }] },
  });

describe('a verification', () => {
  it('is passed when the model says so and code found nothing', () => {
    const answer = verificationAnswer();
    expect(judgeVerification(answer, [])).toEqual({ result: answer, unexplained: [] });
  });

  it('is not passed while a placeholder that code found is not explained', () => {
    const { result, unexplained } = judgeVerification(verificationAnswer(), ['src/a.ts:3']);
    expect(unexplained).toEqual(['src/a.ts:3']);
    expect(result).toMatchObject({
      verification_passed: false,
      issues_found: ['src/a.ts:3: a placeholder that is not explained'],
      placeholder_detected: { count: 1, locations: ['src/a.ts:3'] },
    });
  });

  it('is passed with placeholders that the model explains, each by its place', () => {
    const answer = explaining('`src/a.ts:3`');
    expect(judgeVerification(answer, ['src/a.ts:3']).result.verification_passed).toBe(true);
    expect(judgeVerification(answer, ['src/a.ts:3', 'src/a.ts:31']).unexplained).toEqual(['src/a.ts:31']);
    expect(judgeVerification(answer, ['a.ts:3']).unexplained).toEqual(['a.ts:3']);
    expect(judgeVerification(explaining('src/a.ts:31'), ['src/a.ts:3']).unexplained).toEqual(['src/a.ts:3']);
  });

  it('is not passed by code that could not look', () => {
    const { result } = judgeVerification(verificationAnswer(), null);
    expect(result).toMatchObject({
      verification_passed: false,
      issues_found: ['What the run changed could not be read, so placeholders were not looked for.'],
    });
  });

  it('keeps what the model found, and the work that it names', () => {
    const additional_actions = [actionOf('verification_fix_1')];
    const issues_found = ['a test is missing'];
    const answer = verificationAnswer({ verification_passed: false, issues_found, additional_actions });
    expect(judgeVerification(answer, []).result).toEqual(answer);
  });
});
