import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentScriptInput, openSessionFiles, scriptedAgentCommand } from '@agent/simulators/acp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript } from '../support/fix-script.ts';
import { fixStory, followPlan } from '../support/planning-script.ts';
import { repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sessions-'));
});
afterEach(async () => {
  await world?.close();
  world = null;
  await rm(directory, { recursive: true, force: true });
});

/** A world in which a scripted agent works on issues, and one issue waits. */
async function startAgentWorld(
  script: AgentScriptInput,
  { plans = false }: { readonly plans?: boolean } = {},
): Promise<World> {
  const acp = { ...scriptedAgentCommand({ directory, script }), plans };
  const planning = { pre_planning: { enabled: false }, reflection: { trigger_interval: 0 } };
  world = await startWorld({
    script: plans ? followPlan(fixStory) : answerScript,
    config: { comment_detection: { enabled: true }, executor: { acp }, ...(plans ? { planning } : {}) },
  });
  world.gitHub.openIssue({
    ...{ repo: repository, author: 'alice', title: 'The total is wrong', body: 'It forgets the quantity.' },
    labels: ['coding agent'],
  });
  return world;
}

/** Messages of the user that the agent's conversations hold, each with all of its texts. */
function userMessages(): readonly string[] {
  const sessions = openSessionFiles(directory);
  return sessions
    .list()
    .flatMap((id) => sessions.read(id))
    .flatMap((record) => (record.role === 'user' ? [record.texts.join('\n')] : []));
}

describe('an agent of the configuration', () => {
  it('works on an issue, whose draft has its changes, and knows no token of ours [NX-277]', async () => {
    const writes = { path: 'total.js', text: 'export const total = 1;\n' };
    const at = await startAgentWorld({ writes, tellsEnvironment: true });
    const exit = await startDaemonProcess(at.configFile).exited;
    expect(exit.output).toContain('task ended');
    const [draft] = at.forge.changeRequests();
    expect(await at.forge.readFile(draft?.changeRequest?.head ?? '', 'total.js')).toBe(writes.text);
    const report = at.thread(1).comments.at(-1)?.body ?? '';
    expect(report).toContain('I have read 1 messages.');
    expect(report).not.toMatch(/TOKEN|API_KEY/u);
    expect(userMessages()).toHaveLength(1);
    expect(userMessages()[0]).toContain('It forgets the quantity.');
  });

  it('hears a comment in the middle of its turn, once [NX-277]', async () => {
    const at = await startAgentWorld({ waits: true });
    const daemon = startDaemonProcess(at.configFile, { nodeArguments: quickWaits });
    await expect.poll(userMessages, { timeout: 120_000 }).toHaveLength(1);
    at.gitHub.comment({ repo: repository, number: 1, author: 'alice', body: 'Think of PURPLE.' });
    await daemon.exited;
    expect(userMessages().filter((message) => message.includes('PURPLE'))).toHaveLength(1);
    expect(at.thread(1).labels).toContain('coding agent done');
  });

  it('does the actions of a plan that the model makes [NX-280]', async () => {
    const writes = { path: 'total.js', text: 'export const total = 1;\n' };
    const says = JSON.stringify({ phase: 'execution', expected_outcome_met: true, evidence: 'seen' });
    const at = await startAgentWorld({ writes, says }, { plans: true });
    const exit = await startDaemonProcess(at.configFile).exited;
    expect(at.thread(1).labels, exit.output).toContain('coding agent done');
    const [draft] = at.forge.changeRequests();
    expect(await at.forge.readFile(draft?.changeRequest?.head ?? '', 'total.js')).toBe(writes.text);
    const requests = userMessages().filter((message) => message.includes('Planning phase: '));
    expect(requests).toHaveLength(3);
    for (const request of requests) expect(request).toContain('Planning phase: execution');
    expect(openSessionFiles(directory).list()).toHaveLength(1);
  });

  it('goes on in its session after the daemon was killed, and is told nothing twice [NX-278]', async () => {
    const at = await startAgentWorld({ waits: true });
    const killed = startDaemonProcess(at.configFile, { nodeArguments: quickWaits, alone: true });
    await expect.poll(userMessages, { timeout: 120_000 }).toHaveLength(1);
    killed.child.kill('SIGKILL');
    await killed.exited;
    at.gitHub.comment({ repo: repository, number: 1, author: 'alice', body: 'Think of PURPLE.' });
    await startDaemonProcess(at.configFile, { nodeArguments: quickWaits }).exited;
    const messages = userMessages();
    expect(messages.filter((message) => message.includes('PURPLE'))).toHaveLength(1);
    expect(messages.filter((message) => message.includes('It forgets the quantity.'))).toHaveLength(1);
    expect(openSessionFiles(directory).list()).toHaveLength(1);
    expect(at.thread(1).labels).toContain('coding agent done');
  });
});
