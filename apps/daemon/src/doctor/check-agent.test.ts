import { scriptedAgentCommand } from '@agent/simulators/acp';
import { findSandbox, sandboxed } from '@agent/workspace/testing';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { inlineAgentCommand } from '../../test/support/inline-agent.ts';
import { type Config, configSchema } from '../config/schema.ts';
import { checkAgent } from './check-agent.ts';
import type { Finding } from './finding.ts';
import { en } from './texts.en.ts';

const sandbox = await findSandbox();
const directory = '/nonexistent';
const open = { run_command: { sandbox: 'off', allow_root: true } };

async function examine(
  acp: object | null,
  { environment = {}, ...config }: { readonly environment?: object; readonly [key: string]: unknown } = {},
): Promise<readonly string[]> {
  const executor = acp === null ? null : { acp };
  const platforms = { github: { repositories: ['acme/shop'] } };
  const settings: Config = configSchema.parse({ platforms, executor, tools: open, ...config });
  const findings: Finding[] = [];
  const tools = {
    ...{
      texts: en,
      report: (found: Finding) => void findings.push(found),
      logger: pino({ level: 'silent' }),
    },
    ...{ fetch: globalThis.fetch, signal: new AbortController().signal, now: () => 0 },
    ...{ environment: {}, processEnvironment: {} },
  };
  const servers = Object.keys(settings.mcp_servers);
  const known = environment as Record<string, string>;
  await checkAgent(tools, { settings, servers, environment: known, hidden: [] });
  return findings.map(({ status, text }) => `${status} ${text}`);
}

describe('doctor, of an agent', () => {
  it('says nothing where none is named [NX-308]', async () => {
    expect(await examine(null)).toEqual([]);
  });

  it('starts it where commands run, and says what it is and what cannot be seen [NX-308]', async () => {
    const told = await examine(scriptedAgentCommand({ directory }));
    expect(told).toEqual([
      expect.stringContaining(
        'ok scripted-agent 1.0.0 starts in the sandbox and responds. It receives new comments by steering, and can reload its session',
      ),
      expect.stringContaining('ok not checked: its login'),
    ]);
  });

  it('warns of one that keeps no session, and of tools that it does not get [NX-308]', async () => {
    const forgetful = scriptedAgentCommand({ directory, script: { loadSession: false, steering: 'none' } });
    const told = await examine(forgetful, { mcp_servers: { wiki: { command: 'wiki' } } });
    expect(told).toContainEqual(
      expect.stringContaining('warning the agent does not receive the tools of mcp_servers: wiki'),
    );
    expect(told).toContainEqual(expect.stringContaining('new comments by cancel, and does not store its session'));
    expect(told).toContainEqual(expect.stringContaining('warning the agent cannot reload its session'));
  });

  it.each([
    ['no-such-agent', 'failed The agent "no-such-agent" (executor.acp.command) is not installed'],
    ['/no/such/agent', 'failed The agent "/no/such/agent" (executor.acp.command) is not installed'],
  ])('says that it is not there: %s [NX-308]', async (command, said) => {
    expect(await examine({ command })).toEqual([expect.stringContaining(said)]);
  });

  it('says with what words one ends that does not start [NX-308]', async () => {
    const command = process.execPath;
    const args = ['-e', "console.error('log in first'); process.exit(3)"];
    expect(await examine({ command, args })).toEqual([
      'failed The agent exited: it ended with exit code 3 and said: log in first.',
    ]);
  });

  it('says all that is wrong with its settings, beside [NX-308]', async () => {
    const acp = { ...scriptedAgentCommand({ directory }), env: ['PLUM_KEY'] };
    const told = await examine(acp, { limits: { max_cost: 5 } });
    expect(told[0]).toContain('failed limits.max_cost needs an agent that reports its costs');
    expect(told[1]).toContain('failed PLUM_KEY must be set in the environment');
  });

  it(
    sandboxed('warns of a sandbox without a network, in which it starts all the same [NX-308]', sandbox),
    async () => {
      if (sandbox === null) return;
      const tools = { run_command: { sandbox: 'required', allow_root: true } };
      const told = await examine(inlineAgentCommand(), { tools });
      expect(told[0]).toContain('warning the agent has no network access');
      expect(told[1]).toContain('ok inline-agent 1.0.0');
    },
  );
});
