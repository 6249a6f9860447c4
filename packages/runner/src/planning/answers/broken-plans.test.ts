import { describe, expect, it } from 'vitest';
import { brokenPlans } from '../../../test/broken-plans/index.ts';
import { planTools } from '../../../test/sample-plan.ts';
import { checkPlan } from '../check-plan.ts';
import { readCompletion, readExecution } from './ends.ts';
import { readPlan } from './plan.ts';
import { readReflection, readRevision } from './reflection.ts';
import { readReplanDecision } from './replan.ts';
import { readVerification } from './verification.ts';

const rules = { tools: planTools, maxSubtasks: 100 };
const kinds = { bad: ['bad'], readable: ['ok'], 'unclear-goal': ['unclear-goal'], any: ['ok', 'bad'] };

describe('a broken plan', () => {
  it('is one of two hundred and more, each of its own', () => {
    expect(brokenPlans.length).toBeGreaterThanOrEqual(200);
    const texts = brokenPlans.map(({ text }) => text);
    expect(brokenPlans.filter(({ text }, index) => texts.indexOf(text) !== index)).toEqual([]);
    expect(new Set(brokenPlans.map(({ name }) => name)).size).toBe(brokenPlans.length);
  });

  it.each(brokenPlans)('is typed: $name [NX-116]', ({ text, expected }) => {
    const reading = readPlan(text, rules);
    expect(kinds[expected], JSON.stringify(reading).slice(0, 500)).toContain(reading.kind);
    if (reading.kind === 'ok') {
      expect(checkPlan(reading.value, rules)).toEqual([]);
      expect(JSON.parse(JSON.stringify(reading.value))).toEqual(reading.value);
      expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
    } else {
      const told = reading.kind === 'bad' ? reading.reasons : reading.questions;
      expect(told.length).toBeGreaterThan(0);
      expect(told.length).toBeLessThanOrEqual(10);
      expect(JSON.stringify(reading).length).toBeLessThan(5_000);
      expect(JSON.stringify(reading).isWellFormed()).toBe(true);
    }
  });

  it('is typed by every other reader, too [NX-116]', () => {
    const readers = [
      readExecution,
      readReflection,
      readRevision,
      readReplanDecision,
      readVerification,
      readCompletion,
    ];
    for (const { text } of brokenPlans) {
      for (const read of readers) {
        const reading = read(text);
        expect(['ok', 'bad']).toContain(reading.kind);
        expect(reading.kind === 'bad' ? reading.reasons.length : reading.notes.length).toBeLessThanOrEqual(
          21,
        );
      }
    }
  });
});
