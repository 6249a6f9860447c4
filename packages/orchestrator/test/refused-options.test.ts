import { createMemoryPlatform } from '@agent/platforms/memory';
import { createMemoryStorage } from '@agent/run-store/testing';
import { describe, expect, it } from 'vitest';
import { parseRunSettings } from '../src/config/index.ts';
import { createOrchestrator } from '../src/index.ts';

const platform = createMemoryPlatform();
const whole = { platforms: [platform], model: 'openai/gpt-5', directory: '/nowhere' };

describe('createOrchestrator', () => {
  it.each([
    [undefined, ' must be an object; it is undefined.'],
    [
      { ...whole, model: undefined },
      '.model must be a model of the AI SDK, or a function that loads one; it is undefined.',
    ],
    [
      { ...whole, directory: undefined },
      '.directory must be a path, or an object of contexts, paused, workspaces, pauseSignalFile',
    ],
    [
      { ...whole, directory: { contexts: '/a' } },
      '.directory.paused must be a text that is not empty; it is undefined.',
    ],
    [{ ...whole, platforms: platform }, '.platforms must be an array, each entry a platform'],
    [
      { ...whole, platforms: [{ platform, gitTokn: () => 'x' }] },
      '.platforms[0].gitTokn is unknown. Did you mean gitToken?',
    ],
    [
      { ...whole, settings: { limits: { max_steps: 1 } } },
      '.settings must be what parseRunSettings returns; it is an object (limits).',
    ],
    [{ ...whole, concurrency: '2' }, '.concurrency must be a whole number of at least 1; it is "2".'],
    [{ ...whole, logger: console }, '.logger must be a logger with debug, info, warn, error and child'],
    [{ ...whole, pollIntervalMS: 5 }, '.pollIntervalMS is unknown. Did you mean pollIntervalMs?'],
  ])('names the option that it refuses: %o', (options, message) => {
    expect(() => createOrchestrator(options as never)).toThrow(TypeError);
    expect(() => createOrchestrator(options as never)).toThrow(`OrchestratorOptions${message}`);
  });

  it('refuses an unknown option of a run, and a second run during the first', async () => {
    const orchestrator = createOrchestrator({ ...whole, storage: createMemoryStorage() });
    await expect(orchestrator.run({ onece: true } as never)).rejects.toThrow(
      'RunOptions.onece is unknown. Did you mean once?',
    );
    const first = orchestrator.run({ once: true });
    await expect(orchestrator.run({ once: true })).rejects.toThrow('The orchestrator is running.');
    await first.catch(() => undefined);
    await expect(orchestrator.run({ onece: true } as never)).rejects.toThrow('RunOptions.onece');
  });
});

describe('parseRunSettings', () => {
  it.each([
    [{ limit: { max_steps: 1 } }, 'limit is not a known key. Did you mean limits?'],
    [{ plannning: {} }, 'plannning is not a known key. Did you mean planning?'],
    [{ llm: { curency: 'EUR' } }, 'llm.curency is not a known key. Did you mean'],
    [{ limits: { max_steps: '100' } }, 'limits.max_steps'],
  ])('refuses the settings %o with a sentence', (settings, message) => {
    expect(() => parseRunSettings(settings as never)).toThrow(TypeError);
    expect(() => parseRunSettings(settings as never)).toThrow(message);
  });
});
