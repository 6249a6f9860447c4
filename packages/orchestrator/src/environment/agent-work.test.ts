import { executorSchema } from '@agent/runner/executors/config';
import { describe, expect, it } from 'vitest';
import { maxCostSchema } from '../config/spending-settings.ts';
import { type AgentWorkOptions, createAgentWork } from './agent-work.ts';

const acp = { command: 'opencode', args: ['acp'] };

function toOptions(
  executor: object | null,
  { max_cost = {}, environment = {} }: { readonly max_cost?: unknown; readonly environment?: object } = {},
): AgentWorkOptions {
  return {
    executor: executorSchema.parse(executor),
    llm: { currency: 'USD' },
    limits: { max_cost: maxCostSchema.parse(max_cost) },
    environment: environment as AgentWorkOptions['environment'],
    findAgent: async () => '/usr/bin/opencode',
  };
}

describe('createAgentWork', () => {
  it('leaves runs to the own loop where no agent is named [NX-277]', () => {
    expect(createAgentWork(toOptions(null))).toBeNull();
  });

  it.each([5, { day: 20 }])(
    'refuses a limit of costs at the start, unless the agent is said to tell what it spends: %j [NX-281]',
    (max_cost) => {
      expect(() => createAgentWork(toOptions({ acp }, { max_cost }))).toThrow(
        'limits.max_cost needs an agent that reports its costs. If yours does, set executor.acp.tells_cost: true',
      );
      expect(createAgentWork(toOptions({ acp: { ...acp, tells_cost: true } }, { max_cost }))).not.toBeNull();
    },
  );

  it('misses a variable of the agent at the start [NX-277]', () => {
    const executor = { acp: { ...acp, env: ['OPENCODE_API_KEY'] } };
    expect(() => createAgentWork(toOptions(executor))).toThrow(
      'OPENCODE_API_KEY must be set in the environment: executor.acp.env',
    );
    const environment = { OPENCODE_API_KEY: 'x' };
    expect(createAgentWork(toOptions(executor, { environment }))).not.toBeNull();
  });

  it.each(['GITHUB_TOKEN', 'GITLAB_TOKEN', 'DISCORD_TOKEN', 'AGENT_HTTP_TOKEN'])(
    'gives the agent no credential of the service itself: %s [NX-277]',
    (name) => {
      expect(executorSchema.safeParse({ acp: { ...acp, env: [name] } }).success).toBe(false);
    },
  );
});
