// @module-tag full
import { beforeAll, describe, expect, it } from 'vitest';
import { collectEvidence, type Evidence } from './evidence.ts';
import { answerPlan } from './planning-course.ts';
import { createPlanningScript } from './planning-script.ts';
import { plantedEvidence } from './planted-evidence.ts';
import type { PromiseName } from './promise.ts';
import { findBrokenPromises } from './promises.ts';
import { openBed } from './trial-bed.ts';

async function workUndisturbed(): Promise<Evidence> {
  const bed = await openBed({
    forge: 'github',
    script: createPlanningScript({ failures: 0 }),
    config: { planning: {} },
  });
  bed.at(2, () => void bed.people.say());
  try {
    // It asks, and goes on with the answer.
    await bed.start({ once: true }).exited;
    answerPlan(bed);
    await bed.start({ once: true }).exited;
    return await collectEvidence(bed);
  } finally {
    await bed.close();
  }
}

describe('the checker of trials', () => {
  let evidence: Evidence;
  beforeAll(async () => {
    evidence = await workUndisturbed();
  });

  it('finds nothing where nothing went wrong [NX-109]', () => {
    expect(findBrokenPromises(evidence)).toEqual([]);
  });

  it.each(Object.keys(plantedEvidence) as PromiseName[])(
    'sees when this does not hold: %s [NX-109]',
    (promise) => {
      const broken = findBrokenPromises(plantedEvidence[promise](evidence));
      expect(broken.map((one) => one.promise)).toContain(promise);
    },
  );
});
