import { openSessionFiles } from '@agent/simulators/acp';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type AgentWorld,
  type AgentWorldOptions,
  agentWaits,
  startAgentWorld,
} from '../support/agent-world.ts';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { repository } from '../support/world.ts';

let world: AgentWorld | null = null;

afterEach(async () => {
  await world?.close();
  world = null;
});

async function start(options: AgentWorldOptions): Promise<AgentWorld> {
  world = await startAgentWorld(options);
  return world;
}

describe('an agent of the configuration', () => {
  it('works on an issue, whose draft has its changes, and knows no token of ours [NX-277]', async () => {
    const writes = { path: 'total.js', text: 'export const total = 1;\n' };
    const at = await start({ script: { writes, tellsEnvironment: true } });
    const exit = await startDaemonProcess(at.configFile).exited;
    expect(exit.output).toContain('finished task');
    const [draft] = at.forge.changeRequests();
    expect(await at.forge.readFile(draft?.changeRequest?.head ?? '', 'total.js')).toBe(writes.text);
    const report = at.thread(1).comments.at(-1)?.body ?? '';
    expect(report).toContain('I have read 1 messages.');
    expect(report).not.toMatch(/TOKEN|API_KEY/u);
    expect(at.userMessages()).toHaveLength(1);
    expect(at.userMessages()[0]).toContain('It forgets the quantity.');
  });

  it('hears a comment in the middle of its turn, once [NX-277]', { tags: ['full'] }, async () => {
    const at = await start({ script: { waits: true } });
    const daemon = startDaemonProcess(at.configFile, { nodeArguments: quickWaits, environment: agentWaits });
    await expect.poll(at.userMessages, { timeout: 120_000 }).toHaveLength(1);
    at.gitHub.comment({ repo: repository, number: 1, author: 'alice', body: 'Think of PURPLE.' });
    await daemon.exited;
    expect(at.userMessages().filter((message) => message.includes('PURPLE'))).toHaveLength(1);
    expect(at.thread(1).labels).toContain('coding agent done');
  });

  it('does the actions of a plan that the model makes [NX-280]', { tags: ['full'] }, async () => {
    const writes = { path: 'total.js', text: 'export const total = 1;\n' };
    const says = JSON.stringify({ phase: 'execution', expected_outcome_met: true, evidence: 'seen' });
    const at = await start({ script: { writes, says }, plans: true });
    const exit = await startDaemonProcess(at.configFile).exited;
    expect(at.thread(1).labels, exit.output).toContain('coding agent done');
    const [draft] = at.forge.changeRequests();
    expect(await at.forge.readFile(draft?.changeRequest?.head ?? '', 'total.js')).toBe(writes.text);
    const requests = at.userMessages().filter((message) => message.includes('Planning phase: '));
    expect(requests).toHaveLength(3);
    for (const request of requests) expect(request).toContain('Planning phase: execution');
    expect(openSessionFiles(at.sessions).list()).toHaveLength(1);
  });

  it('goes on in its session after the daemon was killed, and is told nothing twice [NX-278]', {
    tags: ['full'],
  }, async () => {
    const at = await start({ script: { waits: true } });
    const killed = startDaemonProcess(at.configFile, {
      nodeArguments: quickWaits,
      environment: agentWaits,
      alone: true,
    });
    await expect.poll(at.userMessages, { timeout: 120_000 }).toHaveLength(1);
    killed.child.kill('SIGKILL');
    await killed.exited;
    at.gitHub.comment({ repo: repository, number: 1, author: 'alice', body: 'Think of PURPLE.' });
    await startDaemonProcess(at.configFile, { nodeArguments: quickWaits, environment: agentWaits }).exited;
    const messages = at.userMessages();
    expect(messages.filter((message) => message.includes('PURPLE'))).toHaveLength(1);
    expect(messages.filter((message) => message.includes('It forgets the quantity.'))).toHaveLength(1);
    expect(openSessionFiles(at.sessions).list()).toHaveLength(1);
    expect(at.thread(1).labels).toContain('coding agent done');
  });
});
