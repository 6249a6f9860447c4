// @module-tag full
import { readFile, writeFile } from 'node:fs/promises';
import { findSandbox, sandboxed } from '@agent/workspace/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  type AgentWorld,
  type AgentWorldOptions,
  agentWaits,
  startAgentWorld,
} from '../support/agent-world.ts';
import {
  type DaemonProcess,
  quickWaits,
  runDaemonCommand,
  startDaemonProcess,
} from '../support/daemon-process.ts';
import { inlineAgentCommand } from '../support/inline-agent.ts';
import { itInFullInFiles } from '../support/samples.ts';
import { repository } from '../support/world.ts';

const sandbox = await findSandbox();
let world: AgentWorld | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

async function start(options: AgentWorldOptions): Promise<AgentWorld> {
  world = await startAgentWorld(options);
  return world;
}

/** Starts a daemon that stays, and waits until its agent has the request. */
async function startAtWork(at: AgentWorld): Promise<DaemonProcess> {
  const running = startDaemonProcess(at.configFile, {
    flags: [],
    nodeArguments: quickWaits,
    environment: agentWaits,
  });
  daemon = running;
  await expect.poll(at.userMessages, { timeout: 120_000 }).toHaveLength(1);
  return running;
}

const say = ({ gitHub }: AgentWorld, body: string) =>
  gitHub.comment({ repo: repository, number: 1, author: 'alice', body });

/** Waits for a label: a platform may take it after the line of the log that tells of the state. */
const expectLabel = (at: AgentWorld, label: string) =>
  expect.poll(() => at.thread(1).labels, { timeout: 60_000 }).toContain(label);

const comments = (at: AgentWorld) =>
  at
    .thread(1)
    .comments.map(({ body }) => body)
    .join('\n');

describe('an agent at work', () => {
  it('is paused and resumed by people on the thread, in its session, and shown as who works [NX-276, NX-289]', async () => {
    const at = await start({ script: { waits: true } });
    const running = await startAtWork(at);
    say(at, '/pause');
    await running.printed(/paused task/);
    await expectLabel(at, 'coding agent paused');
    say(at, '/resume');
    await running.printed(/finished task/);
    await expectLabel(at, 'coding agent done');
    expect(at.userMessages().filter((text) => text.includes('It forgets the quantity.'))).toHaveLength(1);
    expect(running.output()).toContain('starting agent turn');
    expect(running.output()).not.toContain('calling model');
    const { output } = await runDaemonCommand(at.configFile, ['show', `${repository}#1`]);
    expect(output).toContain('── agent session');
    expect(output).not.toContain('secret');
  });

  it('is stopped by people on the thread [NX-276]', async () => {
    const at = await start({ script: { waits: true } });
    const running = await startAtWork(at);
    say(at, '/stop');
    await running.printed(/finished task/);
    await expectLabel(at, 'coding agent stopped');
  });

  itInFullInFiles('ends at the longest time that a run may take [NX-276]', async () => {
    const at = await start({ script: { waits: true }, config: { limits: { max_duration_minutes: 0.05 } } });
    await startDaemonProcess(at.configFile, { nodeArguments: quickWaits, environment: agentWaits }).exited;
    await expectLabel(at, 'coding agent failed');
    expect(comments(at)).toContain('limits.max_duration_minutes');
  });

  it('gives a run that was paused to the model, where `executor` was taken out meanwhile [NX-289]', {
    tags: ['release'],
  }, async () => {
    const at = await start({ script: { waits: true } });
    const first = await startAtWork(at);
    say(at, '/pause');
    await first.printed(/paused task/);
    first.child.kill('SIGTERM');
    await first.exited;
    const { executor, ...config } = parse(await readFile(at.configFile, 'utf8'));
    expect(executor).toBeDefined();
    await writeFile(at.configFile, stringify(config));
    const second = startDaemonProcess(at.configFile, {
      flags: [],
      nodeArguments: quickWaits,
      environment: agentWaits,
    });
    daemon = second;
    await second.printed(/ready/);
    say(at, '/resume');
    await second.printed(/finished task/);
    expect(second.output()).toContain('calling model');
    await expectLabel(at, 'coding agent done');
    expect(comments(at)).toContain('it works as described');
  });

  it(sandboxed('works in bubblewrap, in which its changes become a draft [NX-277]', sandbox), async () => {
    const writes = { path: 'total.js', text: 'export const total = 1;\n' };
    const run_command = { sandbox: sandbox === null ? 'off' : 'required', allow_root: true };
    const at = await start({ acp: inlineAgentCommand(writes), config: { tools: { run_command } } });
    const exit = await startDaemonProcess(at.configFile).exited;
    expect(exit.output.includes('agent cannot reach its model')).toBe(sandbox !== null);
    const [draft] = at.forge.changeRequests();
    expect(await at.forge.readFile(draft?.changeRequest?.head ?? '', 'total.js')).toBe(writes.text);
  });
});

/** An agent that refuses whatever it is asked. */
const refusing = `process.stdin.on('data', (data) => {
  const { id } = JSON.parse(data);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'Authentication required' } }));
})`;

describe('an agent that cannot work', () => {
  it.each([
    ['en', 'log in first', `console.error('log in first'); process.exit(3)`],
    ['ja', 'log in first', `console.error('log in first'); process.exit(3)`],
    ['en', 'Authentication required', refusing],
  ])('fails the run, whose thread says why (%s): %s [NX-274, NX-289]', async (locale, said, script) => {
    const acp = { command: process.execPath, args: ['-e', script] };
    const at = await start({ acp, config: { locale } });
    // By the clock of the wall: an agent's last words may take their time.
    await startDaemonProcess(at.configFile).exited;
    await expectLabel(at, 'coding agent failed');
    expect(comments(at)).toContain(said);
    expect(comments(at)).toMatch(locale === 'ja' ? /エージェント/u : /The agent couldn't continue\./u);
  });
});
