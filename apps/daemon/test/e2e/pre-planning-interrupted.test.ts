// @module-tag release
import { afterEach, describe, expect, it } from 'vitest';
import { interruptPreparation } from '../support/interrupted-preparation.ts';
import { preparationMoments } from '../support/preparation-moments.ts';
import { type PreparationStory, searched, startPreparationStory } from '../support/preparation-story.ts';
import { sampleOf } from '../support/samples.ts';

let story: PreparationStory | null = null;
afterEach(async () => {
  await story?.close();
  story = null;
});

const { understanding, planning, beforeFirstItem, toolCalls } = preparationMoments;
const { firstAssumptionTold, secondAssumption, endTold, firstStep } = preparationMoments;
const kinds = [
  ['github', 'responses'],
  ['gitlab', 'chat'],
] as const;
describe.each(sampleOf(kinds, ([forge]) => forge === 'gitlab'))(
  'a run that gets ready on %s, with a model behind /%s',
  (forge, api) => {
    it('goes on where it was paused, in the middle of whatever it did, and asks and tells nothing again [PP-57, PP-58]', {
      tags: ['release'],
    }, async () => {
      story = await startPreparationStory(forge, api);
      const all = [
        understanding,
        planning,
        beforeFirstItem,
        toolCalls,
        firstAssumptionTold,
        secondAssumption,
      ];
      // What is said during a pause has the request understood anew, before the run goes on.
      const anew = ['PAUSE', 'question understanding', 'notice Task understood'];
      expect(await interruptPreparation(story, 'pause', [...all, endTold])).toEqual([
        'notice Task analysis started',
        'question understanding',
        'notice Task understood',
        ...anew,
        'question needs',
        ...anew,
        'notice Collecting information',
        ...anew,
        ...anew,
        'question assumption rounding',
        'notice Information assumed',
        ...anew,
        'question assumption currency',
        'notice Information assumed',
        ...anew,
        'notice Information collected',
        'PAUSE',
        'step',
        'step',
        'notice Nothing to change',
      ]);
      const searches = story.sights.seen.filter(({ name }) => name.startsWith('search '));
      expect(searches.map(({ name }) => name.slice(7)).sort()).toEqual([...searched].sort());
    });

    it('goes on where it was killed, in the middle of whatever it did, and asks and tells nothing more than that again [PP-57, PP-58]', async () => {
      story = await startPreparationStory(forge, api);
      const early = [understanding, planning, beforeFirstItem, toolCalls];
      const late = [firstAssumptionTold, secondAssumption, endTold, firstStep];
      // What is said while nobody carries the run has the request understood anew, before the run goes on.
      const anew = ['KILL', 'question understanding', 'notice Task understood'];
      expect(await interruptPreparation(story, 'kill', [...early, ...late])).toEqual([
        'notice Task analysis started',
        'question understanding',
        ...anew,
        'question needs',
        ...anew,
        'question needs',
        'notice Collecting information',
        ...anew,
        ...anew,
        'question assumption rounding',
        'notice Information assumed',
        ...anew,
        'question assumption currency',
        ...anew,
        'question assumption currency',
        'notice Information assumed',
        'notice Information collected',
        ...anew,
        'step',
        'KILL',
        'step',
        'step',
        'notice Nothing to change',
      ]);
    });
  },
);
