// @module-tag full
import type { Script } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import type { Forge, ForgeName } from '../support/forge.ts';
import { createModelGate } from '../support/model-gate.ts';
import { listTurns } from '../support/model-requests.ts';
import { quietSpell } from '../support/quiet-spell.ts';
import { forgesToTry, itInFullInFiles } from '../support/samples.ts';
import { startWorld, type World, type WorldOptions } from '../support/world.ts';

type Way = 'assignment' | 'mention';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Looks at a file once, then answers, and says which of the words it was told of. */
const listenScript: Script = (view) => {
  const told = ['PURPLE', 'ORANGE'].filter((word) => JSON.stringify(view.messages).includes(word));
  if (view.exchanges.length < 1) return { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] };
  return { text: `Heard: ${told.join(' and ') || 'nothing'}.` };
};

const give: Readonly<Record<Way, (forge: Forge, reference: string, author: string) => void>> = {
  assignment: (forge, reference, author) => forge.assign(reference, 'robot', author),
  mention: (forge, reference, author) =>
    void forge.comment(reference, { author, body: '@robot, could you look into this?' }),
};

/** A world in which a daemon ran once, before anybody gave it anything. */
async function open(name: ForgeName, way: Way, options: Partial<WorldOptions> = {}) {
  const at = await startWorld({
    script: listenScript,
    forges: [name],
    config: { comment_detection: { enabled: true } },
    section: { trigger: way },
    ...options,
  });
  world = at;
  const poll = async () => {
    const { code, output } = await startDaemonProcess(at.configFile, { nodeArguments: quickWaits }).exited;
    expect(code, output).toBe(0);
  };
  await poll();
  const { reference } = at.forge.openIssue({
    title: 'The total is wrong',
    body: 'It forgets the quantity.',
    labels: [],
  });
  return {
    ...{ at, reference, poll },
    give: (author: string) => give[way](at.forge, reference, author),
    thread: () => at.forge.thread(reference),
    ends: () => at.forge.thread(reference).comments.filter(({ body }) => body.includes('Nothing to change')),
    turns: () => listTurns(at.model).length,
  };
}

describe.each<Way>(['assignment', 'mention'])('a task that is given by %s', (way) => {
  describe.each(forgesToTry(way === 'assignment' ? 'github' : 'gitlab'))('on %s', (name) => {
    it('begins, hears what is said while it works, ends, and begins again when it is given again [NX-72] [NX-74]', {
      tags: way === 'assignment' ? ['release'] : [],
    }, async () => {
      let isSaid = false;
      const here = await open(name, way, {
        onModelRequest: async () => {
          if (isSaid) return;
          isSaid = true;
          here.at.forge.comment(here.reference, { author: 'alice', body: '@robot make it PURPLE.' });
          await quietSpell();
        },
      });
      await here.poll();
      expect(here.turns()).toBe(0);
      here.give('alice');
      await here.poll();
      expect(here.ends().map(({ body }) => body)).toEqual([expect.stringContaining('Heard: PURPLE.')]);
      expect(here.thread().labels).toEqual([]);
      const turns = here.turns();
      await here.poll();
      expect(here.turns()).toBe(turns);
      here.give('alice');
      await here.poll();
      expect(here.ends()).toHaveLength(2);
    });

    itInFullInFiles('is not lost when the process is killed, nor begun twice [NX-70] [NX-74]', async () => {
      const gate = createModelGate();
      const here = await open(name, way, { onModelRequest: gate.onModelRequest });
      here.give('alice');
      const first = startDaemonProcess(here.at.configFile, { nodeArguments: quickWaits });
      await gate.asked(1);
      first.child.kill('SIGKILL');
      await first.exited;
      gate.letThrough({ forEver: true });
      await here.poll();
      expect(here.ends()).toHaveLength(1);
      await here.poll();
      expect(here.ends()).toHaveLength(1);
    });

    it('begins nothing when a stranger gives it [NX-71] [NX-74]', async () => {
      const here = await open(name, way);
      here.give('bob');
      await here.poll();
      expect(here.turns()).toBe(0);
      expect(here.thread().comments.filter(({ author }) => author === 'robot')).toHaveLength(
        way === 'mention' ? 0 : 1,
      );
      await here.poll();
      expect(here.turns()).toBe(0);
      if (way === 'assignment') here.at.forge.assign(here.reference);
      here.give('alice');
      await here.poll();
      expect(here.ends()).toHaveLength(1);
    });
  });
});

it.each(forgesToTry('github'))(
  'a daemon on %s answers no mention from before its first start [NX-70]',
  async (name) => {
    world = await startWorld({ script: listenScript, forges: [name], section: { trigger: 'mention' } });
    const { forge, configFile, model } = world;
    const { reference } = forge.openIssue({ title: 'Old', body: '@robot fix it', labels: [] });
    forge.comment(reference, { author: 'alice', body: '@robot please' });
    const poll = () => startDaemonProcess(configFile, { nodeArguments: quickWaits }).exited;
    await poll();
    expect(listTurns(model)).toEqual([]);
    const { reference: request } = await forge.openChangeRequest({
      title: 'New',
      body: 'It is for @robot.',
      labels: [],
      headBranch: 'new',
      files: { 'new.js': 'export {};\n' },
    });
    await poll();
    expect(forge.thread(request).comments.at(-1)?.body).toContain('Nothing to change');
    expect(forge.thread(reference).comments).toHaveLength(1);
  },
);
