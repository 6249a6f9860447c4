// @module-tag full
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { Forge } from '../support/forge.ts';
import { createModelGate } from '../support/model-gate.ts';
import { forgesToTry, sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const hourMs = 3_600_000;

const openIssue = (forge: Forge) =>
  forge.openIssue({ title: 'The total is wrong', body: null, labels: ['coding agent'] });

/** Another daemon of the same account, with a directory of its own. */
async function startSecond({ directory, configFile }: World): Promise<DaemonProcess> {
  const other = join(directory, 'second');
  await mkdir(other);
  await cp(configFile, join(other, 'agent.config.yaml'));
  return startDaemonProcess(join(other, 'agent.config.yaml'), { alone: true });
}

/** Requests that wait for each other. */
interface Barrier {
  readonly pass: (label: string) => Promise<void>;
  /** Lets all go, as when nobody else comes any more. */
  readonly open: () => void;
  /** Tells whether two came before it was opened. */
  readonly isMet: () => boolean;
}

/** The first two requests of a kind wait for each other. */
function createBarrier(pattern: RegExp): Barrier {
  let seen = 0;
  let isMet = false;
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    open: () => {
      seen = 2;
      open();
    },
    isMet: () => isMet,
    pass: async (label) => {
      if (!pattern.test(label) || seen >= 2) return;
      seen += 1;
      isMet = seen >= 2;
      if (isMet) open();
      await opened;
    },
  };
}

/** What the runs of a directory ended with. */
async function readReasons(directory: string): Promise<readonly unknown[]> {
  const completed = join(directory, 'contexts', 'completed');
  const names = await readdir(completed).catch(() => []);
  const ends = names.map(async (name) => readFile(join(completed, name, 'outcome.json'), 'utf8'));
  return (await Promise.all(ends)).map((text) => (JSON.parse(text) as { reason: unknown }).reason);
}

const listings = {
  github: /^GET .*\/issues\/1\/comments(?:\?|$)/,
  gitlab: /^GET .*\/issues\/1\/notes(?:\?|$)/,
};
const writes = { github: /^POST .*\/issues\/1\/comments$/, gitlab: /^POST .*\/issues\/1\/notes$/ };

describe.each(forgesToTry('gitlab'))(
  'two daemons of one account on %s, with directories of their own',
  (name) => {
    const races = [
      ['both look before one writes', [listings[name]]],
      ['both write before one reads back', [listings[name], writes[name]]],
    ] as const;
    it.each(sampleOf(races, ([, patterns]) => patterns.length > 1))(
      'one works and the other withdraws, where %s [NX-99]',
      async (_when, patterns) => {
        const barriers = patterns.map(createBarrier);
        world = await startWorld({
          script: fixScript,
          forges: [name],
          onForgeRequest: async (label) => {
            for (const { pass } of barriers) await pass(label);
          },
        });
        const { forge, directory, configFile } = world;
        const { reference } = openIssue(forge);
        const daemons = [startDaemonProcess(configFile, { alone: true }), await startSecond(world)];
        for (const { exited } of daemons) {
          void exited.then(() => {
            for (const { open } of barriers) open();
          });
        }
        const exits = await Promise.all(daemons.map(({ exited }) => exited));
        expect(exits.map(({ code }) => code)).toEqual([0, 0]);
        const thread = forge.thread(reference);
        expect(thread.comments.map(({ author }) => author)).toEqual(['robot']);
        expect(thread.comments[0]?.body).toContain('## ✅ Task completed');
        expect(thread.labels).toEqual(['coding agent done']);
        expect(thread.statusComments).toHaveLength(1);
        expect(thread.statusComments[0]?.body).toContain('[final report](');
        expect(forge.changeRequests()).toHaveLength(1);
        const reasons = await Promise.all([directory, join(directory, 'second')].map(readReasons));
        const withdrawn = reasons.flat().filter((reason) => reason !== null);
        // Who only looked may still find the thread taken before it has written anything.
        if (barriers[1]?.isMet()) expect(withdrawn).toHaveLength(1);
        for (const reason of withdrawn)
          expect(reason).toMatch(/^Withdrawn: run [0-9a-f-]{36} of the same account/);
      },
    );

    it('a thread that shows the claim of another directory is left to it, and run --once ends [NX-99]', async () => {
      world = await startWorld({ script: fixScript, forges: [name] });
      const { forge } = world;
      const { reference } = openIssue(forge);
      const rival = '<!-- agent-comment: run:01234567-89ab-4cde-8f01-23456789abcd:status -->';
      const note = `<!-- agent-note: state=working at=${new Date().toISOString()} -->`;
      forge.comment(reference, { author: 'robot', body: `${rival}\n${note}\nAnother one works here.` });
      const exit = await startDaemonProcess(world.configFile).exited;
      expect(exit.code).toBe(0);
      expect(exit.output.match(/is skipped: run 01234567/g)).toHaveLength(1);
      expect(forge.thread(reference)).toMatchObject({ comments: [], labels: ['coding agent'] });
    });

    it('a run that finds its thread claimed by another stops before it pushes, and says nothing [NX-99]', async () => {
      const rival = '<!-- agent-comment: run:01234567-89ab-4cde-8f01-23456789abcd:status -->';
      const note = `<!-- agent-note: state=working at=${new Date().toISOString()} -->`;
      let isTaken = false;
      const takeOver = (forge: Forge): void => {
        if (isTaken) return;
        isTaken = true;
        const [ours] = forge.thread('#1').statusComments;
        forge.deleteComment(String(ours?.id));
        forge.comment('#1', { author: 'robot', body: `${rival}\n${note}\nAnother one works here.` });
      };
      world = await startWorld({
        script: fixScript,
        forges: [name],
        onModelRequest: () => takeOver((world as World).forge),
      });
      const { forge, directory } = world;
      const { reference } = openIssue(forge);
      const exit = await startDaemonProcess(world.configFile).exited;
      expect(exit.code).toBe(0);
      const thread = forge.thread(reference);
      expect(thread.comments).toEqual([]);
      expect(thread.labels).toEqual(['coding agent processing']);
      expect(thread.statusComments.map(({ body }) => body.split('\n')[0])).toEqual([rival]);
      expect(await forge.branches()).toEqual(['main']);
      expect(await readReasons(directory)).toEqual([expect.stringContaining('Withdrawn: run 01234567')]);
    });

    it.each(sampleOf([26, -26], (hours) => hours > 0))(
      'keep a claim for an hour of the platform, whose clock is %i hours ahead [NX-99]',
      { tags: ['release'] },
      async (hours) => {
        let aheadMs = hours * hourMs;
        const gate = createModelGate();
        world = await startWorld({
          script: fixScript,
          forges: [name],
          now: () => Date.now() + aheadMs,
          onModelRequest: gate.onModelRequest,
        });
        const { reference } = openIssue(world.forge);
        const first = startDaemonProcess(world.configFile, { flags: [], alone: true });
        await gate.asked(1);
        first.child.kill('SIGKILL');
        await first.exited;
        gate.letThrough({ forEver: true });
        // A user asks again.
        world.forge.addLabels(reference, ['coding agent']);
        await (await startSecond(world)).exited;
        expect(world.forge.thread(reference).comments).toEqual([]);
        aheadMs += 1.02 * hourMs;
        const { output } = await startDaemonProcess(join(world.directory, 'second', 'agent.config.yaml'), {
          alone: true,
        }).exited;
        const { comments, statusComments } = world.forge.thread(reference);
        expect(comments, output).toEqual([
          expect.objectContaining({ body: expect.stringContaining('Task completed') }),
        ]);
        expect(statusComments).toHaveLength(1);
      },
    );
  },
);
