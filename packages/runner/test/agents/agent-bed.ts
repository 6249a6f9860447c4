import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AgentScriptInput,
  openSessionFiles,
  scriptedAgentCommand,
  scriptedDeath,
  startAgentInProcess,
} from '@agent/simulators/acp';
import {
  type AcpExecutorOptions,
  type AgentProcess,
  type AgentTaskOptions,
  createAcpExecutor,
  runAgentTask,
  startAgentProcess,
} from '../../src/executors/index.ts';
import {
  type CommentInbox,
  createMemoryRunJournal,
  type MemoryRunJournal,
  type RunEvent,
  type RunResult,
} from '../../src/index.ts';

/** A run of an agent that a script plays. */
export interface AgentRun {
  /** Script of the n-th process of the agent, from 0; the last one is that of all further ones. */
  readonly scripts?: readonly AgentScriptInput[];
  readonly journal?: MemoryRunJournal;
  readonly comments?: CommentInbox | undefined;
  readonly executor?: Partial<AcpExecutorOptions>;
  readonly task?: Partial<AgentTaskOptions>;
}

export interface PlayedRun {
  readonly result: RunResult;
  readonly journal: MemoryRunJournal;
  readonly events: readonly RunEvent[];
  /** Times that the agent was started. */
  readonly starts: number;
}

export interface AgentBedOptions {
  /** True where the agent is a process of its own, which dies by SIGKILL. Default: it is played in this one, which is quicker. */
  readonly isProcess?: boolean;
}

export interface AgentBed {
  /** Gives what an executor needs of an agent whose processes follow these scripts, one after the other. */
  readonly agent: (
    scripts: readonly AgentScriptInput[],
    onStart?: () => void,
  ) => Pick<AcpExecutorOptions, 'start' | 'rules'>;
  readonly play: (run?: AgentRun) => Promise<PlayedRun>;
  /** Messages of the user in the conversation of the agent's last session, each with all of its texts. */
  readonly userMessages: () => readonly string[];
  readonly sessions: () => readonly string[];
  /** Times that the agent died by itself. */
  readonly deaths: () => number;
  readonly remove: () => Promise<void>;
}

/** Makes a place for an agent whose processes come and go, but whose sessions stay. */
export function createAgentBed({ isProcess = false }: AgentBedOptions = {}): AgentBed {
  const base = mkdtempSync(join(tmpdir(), 'agent-bed-'));
  const directory = join(base, 'work');
  const sessions = openSessionFiles(join(base, 'sessions'));
  mkdirSync(directory);
  let deaths = 0;
  const launch = async (script: AgentScriptInput | undefined): Promise<AgentProcess> => {
    const played = { directory: join(base, 'sessions'), script };
    if (!isProcess) return startAgentInProcess(played);
    const environment = { PATH: process.env.PATH ?? '' };
    return startAgentProcess({ ...scriptedAgentCommand(played), environment, directory, graceMs: 0 });
  };
  const agent: AgentBed['agent'] = (scripts, onStart = () => undefined) => {
    let starts = 0;
    const start = async () => {
      const script = scripts[Math.min(starts, scripts.length - 1)];
      starts += 1;
      onStart();
      const started = await launch(script);
      void started.ended.then((how) => {
        if (how.includes(scriptedDeath)) deaths += 1;
      });
      return started;
    };
    return { start, rules: { directory, isSandboxed: true } };
  };
  return {
    agent,
    play: async ({ scripts = [{}], journal = createMemoryRunJournal(), comments, executor, task } = {}) => {
      let starts = 0;
      const played = agent(scripts, () => {
        starts += 1;
      });
      const events: RunEvent[] = [];
      const result = await runAgentTask({
        executor: createAcpExecutor({ ...played, ...executor }),
        journal,
        comments,
        openConversation: async () => ({
          instructions: 'You mend things.',
          messages: [{ role: 'user', content: 'Mend it.' }],
        }),
        onEvent: (event) => events.push(event),
        ...task,
      });
      return { result, journal, events, starts };
    },
    sessions: sessions.list,
    deaths: () => deaths,
    userMessages: () => {
      const last = sessions.list().at(-1);
      const records = last === undefined ? [] : sessions.read(last);
      return records.flatMap((record) => (record.role === 'user' ? [record.texts.join('\n')] : []));
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

/** Counts the messages that hold a text. */
export function countHolding(messages: readonly string[], text: string): number {
  return messages.filter((message) => message.includes(text)).length;
}
