import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRunSettings } from '../src/config/index.ts';
import { createLabelTrigger, createOrchestrator } from '../src/index.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'requests-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const labels = {
  waiting: 'agent',
  processing: 'agent works',
  completed: 'agent done',
  failed: 'agent failed',
  paused: 'agent paused',
  stopped: 'agent stopped',
};
const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const settings = parseRunSettings({
  planning: { enabled: false },
  tools: { run_command: { sandbox: 'off', allow_root: true } },
});

/** A platform whose threads are given by labels, and an orchestrator that works on all that wait. `onAsked`: when the model is asked. */
function setUp({ onAsked = () => {} }: { readonly onAsked?: (times: number) => void } = {}) {
  let aheadMs = 0;
  let asked = 0;
  const now = () => Date.now() + aheadMs;
  const platform = createMemoryPlatform({
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write' } }],
    answersOnly: true,
    now: () => new Date(now()),
  });
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      asked += 1;
      onAsked(asked);
      return {
        content: [{ type: 'text', text: 'It is four.' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage,
        warnings: [],
      };
    },
  });
  const trigger = createLabelTrigger(platform, labels);
  const setups = [{ platform, trigger }];
  return {
    people: platform.people,
    model,
    /** Lets a second pass: platforms give the times of labels in whole ones. */
    passSecond: () => {
      aheadMs += 1_000;
    },
    runOnce: () =>
      createOrchestrator({ platforms: setups, model, directory, settings, now }).run({ once: true }),
  };
}

describe('a label', () => {
  it('given while its run is at work begins another one, and is not taken away with the end of the first [NX-95]', async () => {
    const { people, passSecond, runOnce } = setUp({
      onAsked: (times) => {
        if (times > 1) return;
        passSecond();
        people.setLabels(key, [...people.labelsOn(key), labels.waiting], { by: 'alice' });
      },
    });
    const key = people.openIssue({ author: 'alice', title: 'Two and two?', labels: [labels.waiting] });
    expect(await runOnce()).toBe(true);
    const answers = people.commentsOn(key).filter(({ body }) => body.includes('It is four.'));
    expect(answers).toHaveLength(2);
    expect(people.labelsOn(key)).toEqual([labels.completed]);
  });
});

describe('a request', () => {
  it('from a fork is sent back with one comment that says why, before the model is asked, and is not begun again [NX-29]', async () => {
    const { people, model, runOnce } = setUp();
    const key = people.openPullRequest({
      ...{ author: 'bob', title: 'Mend the total', labels: [labels.waiting] },
      ...{ headBranch: 'bob/total', fromFork: true },
    });
    for (let start = 0; start < 2; start += 1) expect(await runOnce()).toBe(true);
    expect(people.commentsOn(key)).toMatchObject([{ body: expect.stringContaining('is in a fork') }]);
    expect(people.labelsOn(key)).toEqual([labels.failed]);
    expect(model.doGenerateCalls).toEqual([]);
  });
});
