import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
}, 90_000);

it('gives a run up that is killed three times at the same place [RL-10]', async () => {
  story = await startPreparationStory('github', 'responses');
  // None of these lives has an answer.
  for (let life = 0; life < 3; life += 1) await (await story.liveUntil(/^question understanding$/)).kill();
  await story.liveOn(1);
  expect(story.world.forge.thread('#1').labels).toEqual(['coding agent failed']);
}, 90_000);

it('does not take what a life gets further for what the one before it did, also where that life begins again [RL-4, RL-10]', async () => {
  story = await startPreparationStory('github', 'responses');
  await (await story.liveUntil(/^question needs$/)).kill();
  // In this life the run is to be paused, which cannot be saved: it goes on, and gets further than it was.
  const further = await story.liveUntil(/^question assumption rounding$/);
  const contexts = join(story.world.directory, 'contexts');
  const [uuid = ''] = await readdir(join(contexts, 'running'));
  const blocked = join(contexts, 'paused', uuid);
  await mkdir(join(blocked, 'in the way'), { recursive: true });
  await writeFile(join(contexts, 'pause_signal'), '');
  story.sights.letGo();
  await story.sights.hold(/^question assumption currency$/);
  await rm(join(contexts, 'pause_signal'));
  await rm(blocked, { recursive: true });
  await further.kill();
  // This one gets no further; it is the second in the row, and not the third.
  await (await story.liveUntil(/^question assumption currency$/)).kill();
  await story.liveOn();
  expect(story.world.forge.thread('#1').labels).toEqual(['coding agent done']);
}, 90_000);
