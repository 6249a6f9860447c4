// @module-tag full
import type { Script } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import type { ForgeName, ForgeThread } from '../support/forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { quietSpell } from '../support/quiet-spell.ts';
import { forgesToTry, itInFullInFiles } from '../support/samples.ts';
import { type ThreadStage, threadStages } from '../support/thread-stages.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Looks at a file twice, then answers, and says whether it was told of the word. */
const listenScript: Script = (view) => {
  if (view.exchanges.length < 2) return { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] };
  return { text: JSON.stringify(view.messages).includes('PURPLE') ? 'Heard: PURPLE.' : 'Heard nothing.' };
};

type Say = (author: string, body: string) => string;

interface Story {
  readonly stage: ThreadStage;
  /** What happens while the model is asked for the first time, the second, … */
  readonly happenings: readonly ((say: Say, at: World) => unknown)[];
  readonly detection?: object;
}

async function open({ stage, happenings, detection = {} }: Story): Promise<World & { thread: ForgeThread }> {
  let asked = 0;
  const started = await startWorld({
    script: listenScript,
    api: stage.api,
    forges: [stage.forge],
    config: { comment_detection: { enabled: true, ...detection } },
    onModelRequest: async () => {
      const say: Say = (author, body) => started.forge.comment(thread.reference, { author, body });
      asked += 1;
      const happening = happenings[asked - 1];
      if (happening === undefined) return;
      await happening(say, started);
      await quietSpell();
    },
  });
  world = started;
  const thread = await stage.open(started.forge);
  return Object.assign(started, { thread });
}

const runOnce = (at: World) => startDaemonProcess(at.configFile, { nodeArguments: quickWaits }).exited;
/** The reactions to each comment, by a word in it. */
const reactionsTo = (at: World & { thread: ForgeThread }, word: string): readonly string[] | undefined =>
  at.forge.thread(at.thread.reference).comments.find(({ body }) => body.includes(word))?.reactions;
const stageOn = (forge: ForgeName): ThreadStage => {
  const found = threadStages.find((stage) => stage.forge === forge);
  if (found === undefined) throw new Error(`there is no stage on ${forge}`);
  return found;
};
const thumbOf = { github: '+1', gitlab: 'thumbsup' } as const;

describe.each(forgesToTry('github').map(stageOn))('reactions on $name', (stage) => {
  it('show that the model was told of a comment, and that a stranger commands nothing: once each [NX-4]', async () => {
    let id = '';
    const at = await open({
      stage,
      happenings: [
        (say) => {
          id = say('alice', 'Make it PURPLE.');
          say('bob', '/stop STRANGER');
        },
        (_, { forge }) => forge.editComment(id, 'Make it PURPLE, please.'),
      ],
    });
    at.forge.comment(at.thread.reference, { author: 'alice', body: 'EARLIER' });
    const { output } = await runOnce(at);
    const { labels, comments } = at.forge.thread(at.thread.reference);
    expect(labels, output).toEqual(['coding agent done']);
    expect(reactionsTo(at, 'PURPLE, please')).toEqual(['robot: eyes']);
    expect(reactionsTo(at, 'STRANGER')).toEqual(['robot: confused', 'robot: eyes']);
    expect(reactionsTo(at, 'EARLIER')).toEqual([]);
    expect(comments.at(-1)).toMatchObject({ author: 'robot', reactions: [] });
    expect(comments.at(-1)?.body).toContain('Heard: PURPLE.');
    expect(at.forge.reactionCount()).toBe(3);
    const requests = listTurns(at.model);
    expect(requests.at(-1)?.split('[Comment Edited by').length).toBe(2);
  });

  it('show that a command was obeyed [RL-2]', async () => {
    const at = await open({ stage, happenings: [(say) => say('alice', '/stop')] });
    await runOnce(at);
    expect(at.forge.thread(at.thread.reference).labels).toEqual(['coding agent stopped']);
    // The model was told of it, too, where it was heard between two steps.
    expect(reactionsTo(at, '/stop')?.[0]).toBe(`robot: ${thumbOf[stage.forge]}`);
  });
});

describe.each(forgesToTry('gitlab'))('reactions that %s does not take', (forge) => {
  it.each(['server-error', 'unauthorized'] as const)('change nothing for the run: %s', async (kind) => {
    const at = await open({
      stage: stageOn(forge),
      happenings: [(say) => say('alice', 'Make it PURPLE.'), (say) => say('alice', 'ORANGE is fine, too.')],
    });
    at.forge.failReactions(kind);
    const { code, output } = await runOnce(at);
    expect(code).toBe(0);
    expect(output).toContain('failed to add reaction');
    const { labels, comments } = at.forge.thread(at.thread.reference);
    expect(labels).toEqual(['coding agent done']);
    expect(comments.at(-1)?.body).toContain('Heard: PURPLE.');
    expect(comments.at(-1)?.body.match(/, delivered to the agent$/gm)).toHaveLength(2);
    expect(comments.flatMap(({ reactions }) => reactions)).toEqual([]);
    expect(at.forge.reactionCount()).toBe(2);
  });

  it('are not asked for where nobody wants them', async () => {
    const at = await open({
      stage: stageOn(forge),
      happenings: [(say) => say('alice', 'Make it PURPLE.')],
      detection: { reactions: false },
    });
    await runOnce(at);
    expect(at.forge.thread(at.thread.reference).comments.at(-1)?.body).toContain('Heard: PURPLE.');
    expect(at.forge.reactionCount()).toBe(0);
  });
});

itInFullInFiles(
  'a reaction that hangs lets the run end, and the process as soon as it is asked to',
  async () => {
    const at = await open({
      stage: stageOn('gitlab'),
      happenings: [(say) => say('alice', 'Make it PURPLE.')],
    });
    at.forge.failReactions('slow');
    const daemon = startDaemonProcess(at.configFile, { nodeArguments: quickWaits, flags: [] });
    const labels = () => at.forge.thread(at.thread.reference).labels;
    await until('the run is done', () => labels().includes('coding agent done'));
    expect(reactionsTo(at, 'PURPLE')).toEqual([]);
    expect(at.forge.reactionCount()).toBe(1);
    daemon.child.kill('SIGTERM');
    expect(await daemon.exited).toMatchObject({ code: 143, signal: null });
  },
);
