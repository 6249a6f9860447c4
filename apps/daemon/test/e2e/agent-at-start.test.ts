import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type AgentWorld,
  type AgentWorldOptions,
  agentWaits,
  startAgentWorld,
} from '../support/agent-world.ts';
import { quickWaits, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { until } from '../support/until.ts';

let world: AgentWorld | null = null;
let directory: string | null = null;
afterEach(async () => {
  await world?.close();
  if (directory !== null) await rm(directory, { recursive: true, force: true });
  [world, directory] = [null, null];
});

async function start(options: AgentWorldOptions): Promise<AgentWorld> {
  world = await startAgentWorld(options);
  return world;
}

const prices = { 'scripted-model': { input: 1, output: 1 } };

describe('the settings of an agent', () => {
  it('are checked as a whole before the daemon is ready, and touch no thread [NX-281, NX-307]', async () => {
    const at = await start({
      acp: { env: ['PLUM_KEY', 'PEAR_KEY'] },
      config: { limits: { max_cost: 5 } },
      llm: { prices },
    });
    const exit = await startDaemonProcess(at.configFile).exited;
    expect(exit.code).toBe(1);
    expect(exit.output).toContain('limits.max_cost needs an agent that reports its costs');
    expect(exit.output).toContain('PLUM_KEY, PEAR_KEY');
    expect(exit.output).not.toContain('"ready"');
    expect(at.thread(1).comments).toEqual([]);
    expect(at.thread(1).labels).toEqual(['coding agent']);
  });

  it('name a program by its name or its absolute path, as the configuration is read [NX-307]', async () => {
    const at = await start({ acp: { command: './bin/agent' } });
    const exit = await startDaemonProcess(at.configFile).exited;
    expect(exit.code).toBe(1);
    expect(exit.output).toContain('executor.acp.command');
    expect(exit.output).toContain('must be the name of a program in PATH, or its absolute path');
  });
});

describe('an agent that is not installed', () => {
  it('ends what works once, which takes no task and fails none [NX-307]', async () => {
    const at = await start({ acp: { command: 'no-such-agent' } });
    const exit = await startDaemonProcess(at.configFile, { nodeArguments: quickWaits }).exited;
    expect(exit.code).toBe(1);
    expect(exit.output).toContain('agent is not available; not starting tasks');
    expect(at.thread(1).comments).toEqual([]);
    expect(at.thread(1).labels).toEqual(['coding agent']);
  });

  it('keeps tasks from beginning, is seen in status, and lets them begin once it is there [NX-307]', {
    tags: ['full'],
  }, async () => {
    directory = await mkdtemp(join(tmpdir(), 'agents-'));
    const command = join(directory, 'agent');
    const at = await start({ acp: { command } });
    const daemon = startDaemonProcess(at.configFile, {
      flags: [],
      nodeArguments: quickWaits,
      environment: agentWaits,
    });
    await daemon.printed(/agent is not available; not starting tasks/);
    await until('status says so', async () =>
      /Problem: The program of the external agent .*executor\.acp\.command/u.test(
        (await runDaemonCommand(at.configFile, ['status'])).output,
      ),
    );
    expect(at.thread(1).labels).toEqual(['coding agent']);
    await symlink(process.execPath, command);
    await daemon.printed(/finished task/);
    daemon.child.kill('SIGTERM');
    await daemon.exited;
    expect(at.thread(1).labels, daemon.output()).toEqual(['coding agent done']);
  });
});
