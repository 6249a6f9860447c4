import { test as base } from 'vitest';
import { type DiscordSimulator, startDiscordSimulator } from '../discord/index.ts';
import { type GitHubSimulator, startGitHubSimulator } from '../github/index.ts';
import { type GitLabSimulator, startGitLabSimulator } from '../gitlab/index.ts';
import { type Script, type ScriptedModel, startScriptedModel } from '../model/index.ts';

/** A scripted model whose script a test may change while it runs. */
export interface PlayableModel extends ScriptedModel {
  /** Answers by this script from now on. Until it is called, each answer says that no script is played. */
  readonly play: (script: Script) => void;
}

/** Simulators that a test may ask for. */
export interface SimulatorFixtures {
  readonly discord: DiscordSimulator;
  readonly github: GitHubSimulator;
  readonly gitlab: GitLabSimulator;
  readonly model: PlayableModel;
}

/**
 * Gives each test the simulators that it names: empty, on free ports of 127.0.0.1. One that no test names does not start; all end
 * with the test.
 *
 * @example
 * test('finds the issue', async ({ github }) => {
 *   github.addUser({ login: 'alice' });
 *   await github.addRepository({ owner: 'alice', name: 'shop' });
 *   const { number } = github.openIssue({ repo: 'alice/shop', author: 'alice', title: 'Broken' });
 *   expect(await findTitle(github.url, number)).toBe('Broken');
 * });
 */
export const test = base.extend<SimulatorFixtures>({
  discord: lend(startDiscordSimulator),
  github: lend(startGitHubSimulator),
  gitlab: lend(startGitLabSimulator),
  model: lend(startPlayableModel),
});

interface Closable {
  readonly close: () => Promise<void>;
}

/** Makes a fixture of a simulator: started for the test, closed after it. */
function lend<Simulator extends Closable>(start: () => Promise<Simulator>) {
  // Vitest reads in the pattern which other fixtures are needed: none.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  return async ({}, use: (simulator: Simulator) => Promise<void>): Promise<void> => {
    const simulator = await start();
    try {
      await use(simulator);
    } finally {
      await simulator.close();
    }
  };
}

async function startPlayableModel(): Promise<PlayableModel> {
  let current: Script = () => ({ text: 'No script is played.' });
  const model = await startScriptedModel({ script: (view) => current(view) });
  return {
    ...model,
    play: (script) => {
      current = script;
    },
  };
}
