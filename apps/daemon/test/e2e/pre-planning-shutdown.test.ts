// @module-tag full
import { afterEach, expect, it } from 'vitest';
import { interruptPreparation } from '../support/interrupted-preparation.ts';
import { preparationMoments } from '../support/preparation-moments.ts';
import { type PreparationStory, startPreparationStory } from '../support/preparation-story.ts';
import { toTimeLimit } from '../support/world-runs.ts';

let story: PreparationStory | null = null;
afterEach(async () => {
  await story?.close();
  story = null;
});

const slow = { timeout: toTimeLimit(90_000) };

it('leaves calls of tools that a shutdown cut off to the next start [PP-57, PP-58, RL-12]', {
  ...slow,
  tags: ['release'],
}, async () => {
  story = await startPreparationStory('gitlab', 'chat');
  expect(await interruptPreparation(story, 'shutDown', [preparationMoments.toolCalls])).toEqual([
    'notice Task analysis started',
    'question understanding',
    'notice Task understood',
    'question needs',
    'notice Collecting information',
    'SHUTDOWN',
    'question understanding',
    'notice Task understood',
    'question assumption rounding',
    'notice Information assumed',
    'question assumption currency',
    'notice Information assumed',
    'notice Information collected',
    'step',
    'step',
    'notice Nothing to change',
  ]);
});
