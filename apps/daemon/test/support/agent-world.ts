import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentScriptInput, openSessionFiles, scriptedAgentCommand } from '@agent/simulators/acp';
import { answerScript } from './fix-script.ts';
import { fixStory, followPlan } from './planning-script.ts';
import { repository, startWorld, type World } from './world.ts';

/** Environment for `quickWaits`: an agent is a process of its own, which on a busy machine starts slower than a hundredth of the time that it has. */
export const agentWaits = { WAIT_SPEED: '10' };

/** A world in which a scripted agent works on issues. */
export interface AgentWorld extends World {
  /** Directory of the agent's sessions. */
  readonly sessions: string;
  /** Messages of the user that the agent's conversations hold, each with all of its texts. */
  readonly userMessages: () => readonly string[];
}

export interface AgentWorldOptions {
  readonly script?: AgentScriptInput;
  /** True: the model plans, and the agent does the actions. */
  readonly plans?: boolean;
  /** Keys of `executor.acp` that differ. */
  readonly acp?: Readonly<Record<string, unknown>>;
  /** Sections of the configuration that differ. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly llm?: Readonly<Record<string, unknown>>;
}

/** Starts it, with one issue that waits. */
export async function startAgentWorld({
  script = {},
  plans = false,
  acp = {},
  config = {},
  llm = {},
}: AgentWorldOptions = {}): Promise<AgentWorld> {
  const sessions = await mkdtemp(join(tmpdir(), 'sessions-'));
  const executor = { acp: { ...scriptedAgentCommand({ directory: sessions, script }), plans, ...acp } };
  const planning = { pre_planning: { enabled: false }, reflection: { trigger_interval: 0 } };
  const world = await startWorld({
    script: plans ? followPlan(fixStory) : answerScript,
    config: { comment_detection: { enabled: true }, executor, ...(plans ? { planning } : {}), ...config },
    llm,
  });
  const texts = { title: 'The total is wrong', body: 'It forgets the quantity.' };
  world.gitHub.openIssue({ repo: repository, author: 'alice', ...texts, labels: ['coding agent'] });
  return {
    ...world,
    gitHub: world.gitHub,
    sessions,
    userMessages: () => listUserMessages(sessions),
    close: async () => {
      await world.close();
      await rm(sessions, { recursive: true, force: true });
    },
  };
}

function listUserMessages(directory: string): readonly string[] {
  const sessions = openSessionFiles(directory);
  return sessions
    .list()
    .flatMap((id) => sessions.read(id))
    .flatMap((record) => (record.role === 'user' ? [record.texts.join('\n')] : []));
}
