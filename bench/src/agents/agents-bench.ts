import { join } from 'node:path';
import type { SteeringWay } from '@agent/runner/executors';
import { type AgentScriptInput, scriptedAgentCommand } from '@agent/simulators/acp';
import { findOpencode, opencodeVersion, toOpencodeEnvironment } from '@agent/simulators/real-agents';
import type { Bench, Report } from '../report.ts';
import { findMedian, findPercentile } from '../statistics.ts';
import { type AgentProgram, type CommentTimes, measureAgent } from './measure-agent.ts';

interface Row {
  readonly name: string;
  readonly times: readonly CommentTimes[];
}

const scriptedRounds = 15;
const opencodeRounds = 5;
const limitMs = 50;

/** Time that a comment takes from an agent's word that it has it to the agent's next request to its model. */
export const agentsBench: Bench = {
  name: 'agents',
  fromSources: true,
  run: async ({ onProgress }) => {
    const rows: Row[] = [];
    const measure = async (name: string, { program, steering, rounds }: Measured): Promise<void> => {
      onProgress(name);
      const times: CommentTimes[] = [];
      for (let round = 0; round < rounds; round += 1) times.push(await measureAgent(program, { steering }));
      rows.push({ name, times });
    };
    for (const steering of ['steering', 'prompt', 'cancel', 'wait'] as const) {
      const program = toScripted(steering);
      await measure(`scripted agent: ${steering}`, { program, steering, rounds: scriptedRounds });
    }
    const opencode = findOpencode(process.env);
    if (opencode !== null) {
      const program = toOpencode(opencode);
      const options = { program, steering: 'prompt', rounds: opencodeRounds } as const;
      await measure(`opencode ${opencodeVersion}: prompt`, options);
    }
    return toReport(rows, { hasOpencode: opencode !== null });
  },
};

interface Measured {
  readonly program: AgentProgram;
  readonly steering: SteeringWay;
  readonly rounds: number;
}

function toScripted(steering: SteeringWay): AgentProgram {
  const way = steering === 'steering' || steering === 'prompt' ? steering : 'none';
  return ({ baseUrl, directory }) => {
    const script: AgentScriptInput = { calls: 1, steering: way, model: baseUrl };
    const environment = { PATH: process.env.PATH ?? '' };
    return { ...scriptedAgentCommand({ directory: join(directory, 'sessions'), script }), environment };
  };
}

function toOpencode(command: string): AgentProgram {
  return ({ baseUrl, directory }) => {
    const own = { HOME: directory, PATH: process.env.PATH ?? '' };
    return { command, args: ['acp'], environment: { ...own, ...toOpencodeEnvironment({ baseUrl }) } };
  };
}

function toReport(rows: readonly Row[], { hasOpencode }: { readonly hasOpencode: boolean }): Report {
  const format = (values: readonly number[]) =>
    [findMedian(values), findPercentile(values, 0.95)].map((ms) => ms.toFixed(1)).join(', ');
  const requests = (row: Row) => row.times.map(({ toRequest }) => toRequest);
  return {
    title: 'agents: a comment on its way into an agent that works',
    tables: [
      {
        caption: 'Milliseconds, p50 and p95',
        columns: [
          'agent and way',
          'comments',
          'journal to ack',
          'ack to the next request',
          'a step of its own',
        ],
        rows: rows.map((row) => [
          row.name,
          row.times.length,
          format(row.times.map(({ toAck }) => toAck)),
          format(requests(row)),
          format(row.times.map(({ ownStep }) => ownStep)),
        ]),
      },
    ],
    goals: rows.map((row) =>
      row.name.startsWith('scripted')
        ? {
            name: `${row.name}: ack to the next request that has the comment, p95`,
            measured: findPercentile(requests(row), 0.95),
            atMost: limitMs,
            unit: 'ms',
          }
        : {
            name: `${row.name}: the same beyond a step of its own, p50`,
            measured: findMedian(row.times.map(({ toRequest, ownStep }) => toRequest - ownStep)),
            atMost: limitMs,
            unit: 'ms',
          },
    ),
    notes: [
      'Each comment meets an agent in a process of its own that waits for its model; the model answers the moment the agent has acknowledged the comment.',
      'Where an agent has no acknowledgement (cancel, wait), the time begins when it was canceled, or left to end its turn.',
      'A step of its own is the time from an answer with a call to the next request, while nobody says anything: what the agent itself takes.',
      'The time between polls of the thread is left out.',
      hasOpencode
        ? `opencode is the real one (${opencodeVersion}), with a model on loopback.`
        : `opencode is not installed here: \`npm install -g opencode-ai@${opencodeVersion}\`, or name its program in OPENCODE_BIN.`,
    ],
  };
}
