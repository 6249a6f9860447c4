import { createMemoryPlatform } from '@agent/platforms/memory';
import { expect, it } from 'vitest';
import { createLabelTrigger, type TaskLabels } from './label-trigger.ts';

const labels: TaskLabels = {
  waiting: 'agent',
  processing: 'agent works',
  paused: 'agent paused',
  completed: 'agent done',
  failed: 'agent failed',
  stopped: 'agent stopped',
};

/** A thread with these labels, and the changes that are asked of them. */
async function openThread(names: readonly string[]) {
  const platform = createMemoryPlatform({ repositories: [{ path: 'acme/shop', files: {} }] });
  const key = platform.people.openIssue({ author: 'ada', title: 'T', labels: names });
  const ports = platform.openThread(key);
  const asked: string[] = [];
  const editor = ports.labels;
  if (editor === null) throw new Error('the memory platform has labels');
  const watched = {
    ...ports,
    labels: {
      addLabel: async (name: string) => {
        asked.push(`+${name}`);
        await editor.addLabel(name);
      },
      removeLabel: async (name: string) => {
        asked.push(`-${name}`);
        await editor.removeLabel(name);
      },
    },
  };
  const listed = async () => (await ports.reader.readThread({})).labels.toSorted();
  return { trigger: createLabelTrigger(platform, labels), ports: watched, asked, listed, platform, key };
}

it('adds the label of the state first, and takes away those of ours that are there', async () => {
  const { trigger, ports, asked, listed } = await openThread(['bug', 'agent']);
  await trigger.setState(ports, { state: 'processing' });
  expect(asked).toEqual(['+agent works', '-agent']);
  await trigger.setState(ports, { state: 'processing' });
  expect(asked).toHaveLength(2);
  expect(await listed()).toEqual(['agent works', 'bug']);
});

it('leaves a request for another run as it is, and shows no end beside it', async () => {
  const { trigger, ports, asked, listed, platform, key } = await openThread(['agent works']);
  platform.people.setLabels(key, ['agent works', 'agent'], { by: 'ada' });
  const event = await ports.labelEvents?.lastLabeled('agent', {});
  if (event == null) throw new Error('the label was given');
  const own = await platform.identity.whoAmI({});
  const answers = { at: new Date(Date.parse(event.at) - 60_000).toISOString(), own };
  await trigger.setState(ports, { state: 'processing', answers });
  expect(asked).toEqual([]);
  await trigger.setState(ports, { state: 'completed', answers });
  expect(asked).toEqual(['-agent works']);
  expect(await listed()).toEqual(['agent']);
});

it('shows a task of which something is left by a label of its own, where there is one [NX-125]', async () => {
  const { trigger, ports, listed, platform } = await openThread(['bug', 'agent works']);
  await trigger.setState(ports, { state: 'partial' });
  expect(await listed()).toEqual(['agent done', 'bug']);
  const telling = createLabelTrigger(platform, { ...labels, partial: 'agent partial' });
  await telling.setState(ports, { state: 'partial' });
  expect(await listed()).toEqual(['agent partial', 'bug']);
  const thread = await ports.reader.readThread({});
  expect(await telling.signs.shows({ ports, thread }, ['partial'])).toBe(true);
  await telling.setState(ports, { state: 'processing' });
  expect(await listed()).toEqual(['agent works', 'bug']);
});
