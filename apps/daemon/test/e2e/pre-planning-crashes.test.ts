// @module-tag full
import { afterEach, expect, it } from 'vitest';
import { type PreparationStory, startPreparationStory } from '../support/preparation-story.ts';

let story: PreparationStory | null = null;
afterEach(async () => {
  await story?.close();
  story = null;
});

/** Each further than the one before. */
const moments = [
  /^question needs$/,
  /^question assumption rounding$/,
  /^question assumption currency$/,
  /^step$/,
];

it('goes on with a run that gets further in each life, however often it is killed before its first step [RL-10, PP-57]', async () => {
  story = await startPreparationStory('github', 'responses');
  for (const moment of moments) {
    const life = await story.liveUntil(moment);
    await life.kill();
  }
  await story.liveOn();
  expect(story.world.forge.thread('#1').labels).toEqual(['coding agent done']);
});

it('gives a run up that is killed three times at the same place [RL-10]', { tags: ['release'] }, async () => {
  story = await startPreparationStory('github', 'responses');
  // None of these lives has an answer.
  for (let life = 0; life < 3; life += 1) await (await story.liveUntil(/^question understanding$/)).kill();
  await story.liveOn(1);
  expect(story.world.forge.thread('#1').labels).toEqual(['coding agent failed']);
});
