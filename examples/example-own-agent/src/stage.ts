import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createFilePauseSignal } from '@agent/run-store/file';
import { startGitHubSimulator } from '@agent/simulators/github';
import { startScriptedModel } from '@agent/simulators/model';
import { playModel } from './play-model.ts';
import { startShop } from './shop.ts';

const repo = 'ann/picnic';

/** Event at one moment of the play. */
export type Happening = () => void | Promise<void>;

/** The world of the agent, all on loopback. */
export interface Stage {
  /** Starts the agent. Resolves with its last line of output; null if it was killed. */
  readonly startAgent: () => Promise<string | null>;
  /** Kills it as it is. */
  readonly kill: Happening;
  readonly say: (body: string) => void;
  readonly setPause: (on: boolean) => Promise<void>;
  /** Lets something happen while the model is asked for the n-th time, counted over all starts. */
  readonly atRequest: (count: number, happening: Happening) => void;
  /** Lets something happen after the shop took this order and before it answers. */
  readonly atOrder: (item: string, happening: Happening) => void;
  readonly orders: readonly string[];
  readonly comments: () => readonly { readonly author: string | null; readonly body: string }[];
  /** Every request to the model, as it came in. */
  readonly prompts: readonly string[];
  readonly close: () => Promise<void>;
}

/** Opens the stage with one issue by a trusted user. */
export async function openStage(issue: { readonly title: string; readonly body: string }): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'own-agent-'));
  const pauseSignal = createFilePauseSignal(join(directory, 'pause_signal'));
  const github = await startGitHubSimulator();
  github.addUser({ login: 'ann' });
  github.addUser({ login: 'shopper', type: 'Bot' });
  github.addToken({ token: 'shopper-token', login: 'shopper' });
  await github.addRepository({ owner: 'ann', name: 'picnic', collaborators: { shopper: 'write' } });
  const { number } = github.openIssue({ repo, author: 'ann', ...issue });
  const atOrder = new Map<string, Happening>();
  const atRequest = new Map<number, Happening>();
  const shop = await startShop(async (item) => atOrder.get(item)?.());
  const prompts: string[] = [];
  const model = await startScriptedModel({
    script: playModel,
    onRequest: async ({ body }) => {
      await atRequest.get(prompts.push(JSON.stringify(body)))?.();
    },
  });
  const environment = {
    ...process.env,
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: 'shopper-token',
    THREAD: `github_issue:ann:picnic:${number}`,
    LLM_BASE_URL: model.baseUrl,
    LLM_MODEL: 'scripted-model',
    SHOP_URL: shop.url,
    RUNS: directory,
  };
  let kill: Happening = () => {};
  return {
    startAgent: async () => {
      const agent = spawnAgent(environment);
      kill = agent.kill;
      return agent.ended;
    },
    kill: () => kill(),
    say: (body) => void github.comment({ repo, number, author: 'ann', body }),
    setPause: (on) => (on ? pauseSignal.set() : pauseSignal.clear()),
    atRequest: (count, happening) => void atRequest.set(count, happening),
    atOrder: (item, happening) => void atOrder.set(item, happening),
    orders: shop.orders,
    comments: () => github.thread(repo, number).comments.map(({ author, body }) => ({ author, body })),
    prompts,
    close: async () => {
      await kill();
      shop.close();
      await Promise.all([model.close(), github.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function spawnAgent(env: NodeJS.ProcessEnv): {
  readonly ended: Promise<string | null>;
  readonly kill: Happening;
} {
  const path = fileURLToPath(new URL('./start-agent.ts', import.meta.url));
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, ['--conditions=@agent/source', path], { env, stdio: [...stdio] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const closed = once(child, 'close');
  return {
    ended: closed.then(([code, signal]) => {
      if (signal === 'SIGKILL') return null;
      if (code !== 0) throw new Error(`The agent exited with ${code ?? signal}.`);
      return lines.at(-1) ?? '';
    }),
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await closed;
    },
  };
}
