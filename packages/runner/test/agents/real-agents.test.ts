// @module-tag full
import { installOpencode, realAgents } from '@agent/simulators/real-agents';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { anyRealAgentTrial, playRealKills, type RealAgentTrial } from './real-agent-kills.ts';

let program = '';

beforeAll(async () => {
  program = await installOpencode(process.env);
}, 600_000);

/** The moment after it was told, and before it has answered: what only stands in its memory is lost. */
const atOnce: RealAgentTrial = { comments: [2], kills: [{ poll: 2, delayMs: 50, whom: 'run' }] };

/** Each takes half a minute: before a release also one without a kill, and two that are drawn. */
const others =
  process.env.TEST_RELEASE === '1'
    ? ([
        ['', { comments: [2, 4], kills: [] }],
        ...fc
          .sample(anyRealAgentTrial, { numRuns: 2, seed: 1 })
          .map((trial) => [', over kills', trial] as const),
      ] as const)
    : [];

it.each([[', killed the moment after', atOnce] as const, ...others])(
  'has opencode work on a task and hear each comment once%s [NX-302]',
  { timeout: 600_000, tags: ['release'] },
  async (_, trial) => {
    const { counts, status } = await playRealKills({ agent: realAgents.opencode, program }, trial);
    expect({ counts, status }).toEqual({ counts: trial.comments.map(() => 1), status: 'completed' });
  },
);
