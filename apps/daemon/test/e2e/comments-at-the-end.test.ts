// @module-tag full
import type { Script } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonExit, quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { readingFirst } from '../support/fix-script.ts';
import type { ForgeName } from '../support/forge.ts';
import type { GitHubForge } from '../support/github-forge.ts';
import type { GitLabForge } from '../support/gitlab-forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { quietSpell } from '../support/quiet-spell.ts';
import { forgesToTry, sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const seesOnly = (name: ForgeName, work: Partial<Parameters<typeof startWorld>[0]>) =>
  startWorld({
    script: listenScript,
    forges: [name],
    config: { comment_detection: { enabled: true } },
    ...work,
  });

/** Looks at a file once, then answers, and says which of the words it was told of. */
const listenScript: Script = (view) => {
  const told = ['PURPLE', 'ORANGE'].filter((word) => JSON.stringify(view.messages).includes(word));
  return readingFirst(() => ({ text: `Heard: ${told.join(' and ') || 'nothing'}.` }))(view);
};

const start = (at: World): Promise<DaemonExit> =>
  startDaemonProcess(at.configFile, { nodeArguments: quickWaits }).exited;
const requests = (at: World): readonly string[] => listTurns(at.model);
const bodies = (at: World, reference: string): readonly string[] =>
  at.forge.thread(reference).comments.map(({ body }) => body);
const isComment = /^POST .*\/(comments|notes)$/;
const isCommentPath = /\/(comments|notes)$/;

describe.each(forgesToTry('gitlab'))('a run that is paused on %s', { tags: ['full'] }, (name) => {
  async function pause(): Promise<{ readonly at: World; readonly reference: string }> {
    let asked = 0;
    const at = await seesOnly(name, {
      onModelRequest: async () => {
        asked += 1;
        if (asked > 1) return;
        at.forge.comment(reference, { author: 'alice', body: '/pause for lunch' });
        await quietSpell();
      },
    });
    world = at;
    const { reference } = at.forge.openIssue(issue);
    await start(at);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent paused']);
    return { at, reference };
  }

  it('goes on when somebody trusted says so, and hears once what was said meanwhile [RL-5, NX-2, NX-4]', async () => {
    const { at, reference } = await pause();
    at.forge.comment(reference, { author: 'alice', body: 'Make it PURPLE.' });
    at.forge.comment(reference, { author: 'bob', body: '/resume' });
    await start(at);
    expect(await at.runs.list('paused')).toHaveLength(1);
    at.forge.comment(reference, { author: 'alice', body: '/resume\nAnd ORANGE.' });
    await start(at);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    const told = requests(at).map((request) => request.split(/PURPLE|ORANGE/).length - 1);
    expect(told.slice(0, 2)).toEqual([0, 2]);
    expect(requests(at).at(-1)).toContain('The command /resume. It was applied');
    expect(bodies(at, reference).at(-1)).toContain('Heard: PURPLE and ORANGE.');
  });

  it('is stopped when somebody trusted says so, and never said to go on [RL-7, NX-4]', async () => {
    const { at, reference } = await pause();
    at.forge.comment(reference, { author: 'alice', body: '/stop' });
    await start(at);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent stopped']);
    expect(requests(at)).toHaveLength(1);
    expect(bodies(at, reference).join()).not.toContain('Resuming the paused task');
  });
});

describe.each(forgesToTry('gitlab'))('the last look at a thread on %s', { tags: ['full'] }, (name) => {
  /** Somebody speaks while the final comment is on its way: the forge takes it at the second attempt only. */
  async function endWith(author: string, ...said: string[]): Promise<{ at: World; reference: string }> {
    let written = 0;
    const simulator = () => (at.forge as GitHubForge | GitLabForge).simulator;
    const at = await seesOnly(name, {
      onForgeRequest: (label) => {
        if (!isComment.test(label)) return;
        written += 1;
        // The first is the status comment.
        if (written === 1) simulator().fail({ method: 'POST', path: isCommentPath, kind: 'server-error' });
        if (written === 2) for (const body of said) at.forge.comment(reference, { author, body });
      },
    });
    world = at;
    const { reference } = at.forge.openIssue(issue);
    await start(at);
    return { at, reference };
  }

  it('puts the label back for what somebody trusted said before the final comment, and the next run takes it up [NX-3, B21]', async () => {
    const { at, reference } = await endWith('alice', 'Make it PURPLE, please.');
    expect(bodies(at, reference).filter((body) => body.includes('Heard: nothing.'))).toHaveLength(1);
    expect(bodies(at, reference).at(-1)).toContain('Heard: PURPLE.');
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    expect(await at.runs.list('completed')).toHaveLength(2);
  });

  it('opens the next run with all of it, also with more than a conversation shows of a thread [NX-96]', async () => {
    const words = Array.from({ length: 14 }, (_, index) => `melon${index}.`);
    const { at } = await endWith('alice', ...words);
    expect(await at.runs.list('completed')).toHaveLength(2);
    expect(words.filter((word) => !requests(at).at(-1)?.includes(word))).toEqual([]);
  });

  const quiet = [
    ['a stranger says', 'bob', 'Make it PURPLE.'],
    ['is a command alone', 'alice', '/stop'],
  ] as const;
  it.each(sampleOf(quiet, ([, author]) => author === 'bob'))(
    'leaves the end as it is for what %s [NX-3, NX-4]',
    async (_, author, body) => {
      const { at, reference } = await endWith(author, body);
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
      expect(await at.runs.list('completed')).toHaveLength(1);
    },
  );
});

describe('what a run heard', () => {
  it('is counted in outcome.json, in one line of the log and in the final comment, whatever the end [CD-53, CD-54, CD-55, CD-56, B19]', async () => {
    // A stop that is heard while tools work ends the run before it is told to anybody; one that is heard after them is told.
    for (const [body, status, mayBeAdded] of [
      ['Make it PURPLE.', 'nothing_to_change', [1]],
      ['/stop', 'stopped', [0, 1]],
    ] as const) {
      let asked = 0;
      const at = await seesOnly('github', {
        onModelRequest: async () => {
          asked += 1;
          if (asked > 1) return;
          at.forge.comment('#1', { author: 'alice', body });
          await quietSpell();
        },
      });
      world = at;
      at.forge.openIssue(issue);
      const { output } = await start(at);
      const [run = ''] = await at.runs.list('completed');
      const outcome = JSON.parse(await at.runs.readFile(run, 'outcome.json'));
      const { added_comments: added, ...counts } = outcome.details.comment_detection;
      expect(outcome.status).toBe(status);
      expect(mayBeAdded).toContain(added);
      expect(counts).toEqual({ detection_events: 1, detected_comments: 1, errors: 0 });
      expect(output.split('\n').filter((line) => line.includes('finished comment detection'))).toHaveLength(
        1,
      );
      const report = bodies(at, '#1').at(-1);
      expect(report).toContain(`New comments: 1 (${added} delivered to the agent)`);
      await at.close();
      world = null;
    }
  });
});
