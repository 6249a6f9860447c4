import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createGitHubPlatform } from '@agent/platforms/github';
import { type GitHubSimulator, startGitHubSimulator } from '@agent/simulators/github';
import { MockLanguageModelV4 } from 'ai/test';
import { parseRunSettings } from '../../src/config/index.ts';
import { createLabelTrigger, createOrchestrator } from '../../src/index.ts';

/** Milliseconds of a poll, which no other pause has; five minutes of the forge pass with each that finds nothing at work. */
const pollMs = 777;

export const repo = 'owner/demo';
export const path = 'src/sum.js';

const labels = {
  waiting: 'agent',
  processing: 'agent works',
  completed: 'agent done',
  failed: 'agent failed',
  paused: 'agent paused',
  stopped: 'agent stopped',
};

/** A repository whose tests want a sum, an issue that asks for it, and an agent that stays with its pull request. */
export interface FollowUpBed {
  readonly simulator: GitHubSimulator;
  /** Number of the issue. */
  readonly issue: number;
  /** Number of the pull request; throws where there is none. */
  readonly pull: () => number;
  /** Moves the clock of all. */
  readonly pass: (milliseconds: number) => void;
  /** Requests that the model was sent so far. */
  readonly asked: () => number;
  /** Runs one process; after each poll `step` does what people do, and ends the process by `end`. */
  readonly run: (step: (tick: number, end: () => void) => Promise<void> | void) => Promise<void>;
  /** Runs that have ended, by status, in the last process. */
  readonly ended: () => Readonly<Record<string, number>>;
  readonly close: () => Promise<void>;
}

export interface FollowUpBedOptions {
  readonly script: Script;
  /** `.agent.yml` of the base branch. Default none. */
  readonly repositoryFile?: string | undefined;
  readonly followUp?: Settings['follow_up'];
  /** Default loop mode. */
  readonly planning?: Settings['planning'];
}

type Settings = NonNullable<Parameters<typeof parseRunSettings>[0]>;

/** A conversation as the model sees it. */
export interface ConversationView {
  /** What it was told, oldest first. */
  readonly said: readonly string[];
  /** Texts of the files that it wrote. */
  readonly written: readonly string[];
  /** Names of the tools that it is offered. */
  readonly tools: readonly string[];
  /** What tools answered it. */
  readonly answered: readonly string[];
  /** How many of them since it was last told something. */
  readonly made: number;
  /** Ends the process that asks. */
  readonly end: () => void;
}

/** Text of a file to write, another call of a tool, or a final answer. */
export type Script = (view: ConversationView) => ScriptedReply;

type ScriptedReply =
  | { readonly write: string }
  | { readonly call: string; readonly input: object }
  | { readonly text: string };

/** Starts the forge and the model. */
export async function openFollowUpBed({
  script,
  repositoryFile,
  followUp = {},
  planning = { enabled: false },
}: FollowUpBedOptions): Promise<FollowUpBed> {
  let now = Date.UTC(2026, 4, 1);
  const directory = await mkdtemp(join(tmpdir(), 'follow-up-'));
  const unlimited = { pointsPerMinute: 1e6, contentPerMinute: 1e6, contentPerHour: 1e6 };
  const simulator = await startGitHubSimulator({ now: () => now, secondaryLimits: unlimited });
  for (const login of ['owner', 'agent', 'alice', 'stranger']) simulator.addUser({ login });
  simulator.addToken({ token: 'agent-token', login: 'agent' });
  await simulator.addRepository({
    owner: 'owner',
    name: 'demo',
    collaborators: { agent: 'write', alice: 'write' },
    files: {
      'README.md': '# Demo\n',
      [path]: 'export const sum = (a, b) => a - b;\n',
      ...(repositoryFile === undefined ? {} : { '.agent.yml': repositoryFile }),
    },
  });
  const { number: issue } = simulator.openIssue({
    repo,
    author: 'owner',
    title: 'The sum is wrong',
    body: 'Please repair it.',
    labels: ['agent'],
  });
  let asked = 0;
  let ending = new AbortController();
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt, tools = [] }) => {
      asked += 1;
      const reply = script({
        ...toView(prompt),
        tools: tools.map(({ name }) => name),
        end: () => ending.abort(),
      });
      const isText = 'text' in reply;
      const call = { type: 'tool-call', toolCallId: `call-${asked}`, ...toCall(reply) } as const;
      return {
        content: [isText ? { type: 'text', text: reply.text } : call],
        finishReason: isText
          ? { unified: 'stop', raw: 'stop' }
          : { unified: 'tool-calls', raw: 'tool_calls' },
        usage: {
          inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 5, text: 5, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
  let ended: Readonly<Record<string, number>> = {};
  const sections = {
    planning,
    tools: { run_command: { sandbox: 'off', allow_root: true } },
    follow_up: followUp,
  } as const;
  return {
    simulator,
    issue,
    pull: () => {
      const found = simulator.threads(repo).find(({ pullRequest }) => pullRequest !== null);
      if (found === undefined) throw new Error('there is no pull request');
      return found.number;
    },
    pass: (milliseconds) => {
      now += milliseconds;
    },
    asked: () => asked,
    ended: () => ended,
    run: async (step) => {
      const platform = createGitHubPlatform({
        token: 'agent-token',
        baseUrl: simulator.url,
        repositories: [repo],
        writeSpacingMs: 0,
        recheckDelayMs: 0,
        now: () => now,
      });
      const trigger = createLabelTrigger(platform, labels);
      ending = new AbortController();
      let tick = 0;
      let idle = 0;
      let hasBegun = asked > 0;
      const orchestrator = createOrchestrator({
        platforms: [{ platform, trigger, gitToken: () => 'agent-token' }],
        ...{ model, directory, secrets: ['agent-token'], settings: parseRunSettings(sections) },
        pollIntervalMs: pollMs,
        now: () => now,
        sleep: async (milliseconds, signal) => {
          if (signal.aborted) return;
          await wait(3);
          if (milliseconds !== pollMs) return;
          await untilQuiet(simulator);
          ended = orchestrator.board.state.counts.runsEnded;
          const { running } = orchestrator.board.state;
          idle = running.size === 0 && hasBegun ? idle + 1 : 0;
          hasBegun ||= running.size > 0;
          if (idle < 2) return;
          idle = 0;
          now += 300_000;
          tick += 1;
          await step(tick, () => ending.abort());
        },
      });
      await orchestrator.run({ signal: ending.signal });
      ended = orchestrator.board.state.counts.runsEnded;
    },
    close: async () => {
      await simulator.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Waits until nothing works for a moment: no request to the forge, no child process, no file. */
async function untilQuiet({ requests }: Pick<GitHubSimulator, 'requests'>): Promise<void> {
  for (let seen = -1; seen !== requests.length || isAtWork(); await wait(20)) seen = requests.length;
}

/** A slow machine takes longer than a moment for git and for files. */
function isAtWork(): boolean {
  return process.getActiveResourcesInfo().some((name) => name === 'ProcessWrap' || name.startsWith('FSReq'));
}

function toCall(reply: ScriptedReply): { readonly toolName: string; readonly input: string } {
  if ('call' in reply) return { toolName: reply.call, input: JSON.stringify(reply.input) };
  const content = 'write' in reply ? reply.write : '';
  return { toolName: 'write_file', input: JSON.stringify({ path, content }) };
}

type Prompt = Parameters<MockLanguageModelV4['doGenerate']>[0]['prompt'];

function toView(prompt: Prompt): Omit<ConversationView, 'tools' | 'end'> {
  const said: string[] = [];
  const written: string[] = [];
  const answered: string[] = [];
  let made = 0;
  for (const { role, content } of prompt) {
    if (role === 'system') continue;
    if (role === 'user') made = 0;
    for (const part of content) {
      if (role === 'user' && part.type === 'text') said.push(part.text);
      if (part.type === 'tool-call' && part.toolName === 'write_file')
        written.push(String((part.input as { content?: unknown }).content));
      if (part.type !== 'tool-result') continue;
      answered.push(JSON.stringify(part.output));
      made += 1;
    }
  }
  return { said, written, answered, made };
}
