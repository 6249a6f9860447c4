import { afterEach, describe, expect, it } from 'vitest';
import { interruptPreparation } from '../support/interrupted-preparation.ts';
import { preparationMoments } from '../support/preparation-moments.ts';
import { type PreparationStory, searched, startPreparationStory } from '../support/preparation-story.ts';

let story: PreparationStory | null = null;
afterEach(async () => {
  await story?.close();
  story = null;
});

const { understanding, planning, beforeFirstItem, toolCalls } = preparationMoments;
const { firstAssumptionTold, secondAssumption, endTold, firstStep } = preparationMoments;
const slow = { timeout: 90_000 };

describe.each([
  ['github', 'responses'],
  ['gitlab', 'chat'],
] as const)('a run that gets ready on %s, with a model behind /%s', (forge, api) => {
  it(
    'goes on where it was paused, in the middle of whatever it did, and asks and tells nothing again [PP-57, PP-58]',
    slow,
    async () => {
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
      const anew = ['PAUSE', 'question understanding', 'notice Task Understood'];
      expect(await interruptPreparation(story, 'pause', [...all, endTold])).toEqual([
        'notice Task Analysis Started',
        'question understanding',
        'notice Task Understood',
        ...anew,
        'question needs',
        ...anew,
        'notice Collecting Information',
        ...anew,
        ...anew,
        'question assumption rounding',
        'notice Information Assumed',
        ...anew,
        'question assumption currency',
        'notice Information Assumed',
        ...anew,
        'notice Information Collected',
        'PAUSE',
        'step',
        'notice Task completed',
      ]);
      const searches = story.sights.seen.filter(({ name }) => name.startsWith('search '));
      expect(searches.map(({ name }) => name.slice(7)).sort()).toEqual([...searched].sort());
    },
  );

  it(
    'goes on after kills at the questions for understanding and for what has to be known [PP-57, PP-58]',
    slow,
    async () => {
      story = await startPreparationStory(forge, api);
      expect(await interruptPreparation(story, 'kill', [understanding, planning])).toEqual([
        'notice Task Analysis Started',
        'question understanding',
        'KILL',
        'question understanding',
        'notice Task Understood',
        'question needs',
        'KILL',
        'question understanding',
        'notice Task Understood',
        'question needs',
        'notice Collecting Information',
        ...assumingToTheEnd,
      ]);
    },
  );

  it(
    'goes on after kills before the first item, and when some have ended while tools are at work on others [PP-57, PP-58]',
    slow,
    async () => {
      story = await startPreparationStory(forge, api);
      expect(await interruptPreparation(story, 'kill', [beforeFirstItem, toolCalls])).toEqual([
        ...understandingToCollection,
        'KILL',
        'question understanding',
        'notice Task Understood',
        'KILL',
        'question understanding',
        'notice Task Understood',
        ...assumingToTheEnd,
      ]);
    },
  );

  it(
    'goes on after kills between the notices of two assumptions, and at the question for the second [PP-57, PP-58]',
    slow,
    async () => {
      story = await startPreparationStory(forge, api);
      expect(await interruptPreparation(story, 'kill', [firstAssumptionTold, secondAssumption])).toEqual([
        ...understandingToCollection,
        'question assumption rounding',
        'notice Information Assumed',
        'KILL',
        'question understanding',
        'notice Task Understood',
        'question assumption currency',
        'KILL',
        'question understanding',
        'notice Task Understood',
        'question assumption currency',
        'notice Information Assumed',
        'notice Information Collected',
        'step',
        'notice Task completed',
      ]);
    },
  );

  it(
    'goes on after kills when its last notice is written, and when it is ready and asks for its first step [PP-57, PP-58]',
    slow,
    async () => {
      story = await startPreparationStory(forge, api);
      expect(await interruptPreparation(story, 'kill', [endTold, firstStep])).toEqual([
        ...understandingToCollection,
        ...assumingToTheEnd.slice(0, 5),
        'KILL',
        'question understanding',
        'notice Task Understood',
        'step',
        'KILL',
        'step',
        'notice Task completed',
      ]);
    },
  );
});

it(
  'leaves calls of tools that a shutdown cut off to the next start [PP-57, PP-58, RL-12]',
  slow,
  async () => {
    story = await startPreparationStory('gitlab', 'chat');
    expect(await interruptPreparation(story, 'shutDown', [toolCalls])).toEqual([
      ...understandingToCollection,
      'SHUTDOWN',
      'question understanding',
      'notice Task Understood',
      ...assumingToTheEnd,
    ]);
  },
);

const understandingToCollection = [
  'notice Task Analysis Started',
  'question understanding',
  'notice Task Understood',
  'question needs',
  'notice Collecting Information',
];
const assumingToTheEnd = [
  'question assumption rounding',
  'notice Information Assumed',
  'question assumption currency',
  'notice Information Assumed',
  'notice Information Collected',
  'step',
  'notice Task completed',
];
