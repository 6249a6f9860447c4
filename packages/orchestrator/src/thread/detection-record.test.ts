import { expect, it } from 'vitest';
import { setUp, uuid } from '../../test/inbox-bed.ts';
import { listSaidBefore, wasSaidBefore } from './detection-record.ts';

it('a run that is taken up before its first prompt hears what came since it was begun, and no command that stood there [RL-2, NX-4]', async () => {
  const { openRunInbox, platform, key, clock, say, snapshot, controls } = await setUp();
  clock.ms -= 1_000;
  // All in one second: a command to the run before, the begin of this one, an edit, and a command to this one.
  const [old, edited] = [
    say('alice', '/stop'),
    platform.people.comment(key, { author: 'alice', body: 'Hm.' }),
  ];
  const begun = await snapshot();
  const said = listSaidBefore({ thread: begun.thread, listing: begun });
  expect(said.map(({ id }) => id)).toEqual(['thread', old, edited]);
  platform.people.editComment(key, edited, '/resume');
  platform.people.comment(key, { author: 'alice', body: '/pause' });
  await openRunInbox().begin(await snapshot(), { wasHeard: (change) => wasSaidBefore(said, change) });
  expect(await controls.read(uuid)).toEqual(['pause']);
});

it('what a run was begun with is as short as the second that its times leave open [NX-4]', async () => {
  const { clock, say, snapshot } = await setUp();
  say('alice', 'first');
  clock.ms += 2_000;
  const last = say('alice', 'last');
  const { thread, ...listing } = await snapshot();
  expect(listSaidBefore({ thread, listing }).map(({ id }) => id)).toEqual([last]);
});
