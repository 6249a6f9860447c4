import type { Checkpoint } from '@agent/comment-detection/ai-sdk';
import { startGitHubSimulator } from '@agent/simulators/github';
import { Octokit } from '@octokit/rest';
import type { ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { fixExport } from './fix-export.ts';

const repo = 'alice/shop';

/** Plays it, with a line for each message of the conversation that it ends with. */
export async function play(show: (line: string) => void): Promise<readonly ModelMessage[]> {
  let clock = Date.parse('2026-01-01T10:00:00Z');
  const pass = () => {
    clock += 5_000;
    return clock;
  };
  const github = await startGitHubSimulator({ now: pass });
  for (const login of ['alice', 'bob', 'robot']) github.addUser({ login });
  github.addToken({ token: 'robot-token', login: 'robot' });
  await github.addRepository({
    owner: 'alice',
    name: 'shop',
    collaborators: { bob: 'write', robot: 'write' },
  });
  const { number } = github.openIssue({ repo, author: 'alice', title: 'Fix the export' });
  const say = (author: string, body: string) => void github.comment({ repo, number, author, body });
  const surroundings = {
    octokit: new Octokit({ auth: 'robot-token', baseUrl: github.url }),
    thread: { owner: 'alice', repo: 'shop', number },
    model: playModel(say),
    monotonicNow: pass,
    runTests: async () => {
      say('alice', 'In euros, please.');
      return '2 passed';
    },
  };
  try {
    const checkpoint = await dieAfterSecondStep(surroundings);
    show(`(The program died; it kept ${checkpoint.messages.length} messages.)`);
    const messages = await fixExport('Fix the export.', {
      ...surroundings,
      from: checkpoint,
      keep: async () => {},
    });
    for (const message of messages) show(toLine(message));
    return messages;
  } finally {
    await github.close();
  }
}

/** Runs the program until it has kept its second step, and no further: the first checkpoint is of before its first request. */
async function dieAfterSecondStep(
  surroundings: Omit<Parameters<typeof fixExport>[1], 'keep'>,
): Promise<Checkpoint> {
  const kept: string[] = [];
  const keep = async (checkpoint: Checkpoint) => {
    kept.push(JSON.stringify(checkpoint));
    if (kept.length === 3) throw new Error('killed');
  };
  await fixExport('Fix the export.', { ...surroundings, keep }).catch(() => undefined);
  return JSON.parse(kept.at(-1) ?? '');
}

/** A script in place of a model: tests first, then a plan, then an answer during which bob has another wish. */
function playModel(say: (author: string, body: string) => void): MockLanguageModelV4 {
  let asked = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      asked += 1;
      if (asked === 1)
        return toReply({ type: 'tool-call', toolCallId: '1', toolName: 'run_tests', input: '{}' });
      if (asked === 2) say('bob', 'And with a header.');
      return toReply({
        type: 'text',
        text: asked === 2 ? 'The export is in euros.' : 'It has a header, too.',
      });
    },
  });
}

type Reply = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

function toReply(part: Reply['content'][number]): Reply {
  const count = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  return {
    content: [part],
    finishReason:
      part.type === 'text' ? { unified: 'stop', raw: 'stop' } : { unified: 'tool-calls', raw: 'tool_calls' },
    usage: { inputTokens: count, outputTokens: { total: 1, text: 1, reasoning: 0 } },
    warnings: [],
  };
}

function toLine({ role, content }: ModelMessage): string {
  const [part] = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return `${role}: ${part?.type === 'text' ? part.text.replaceAll('\n', ' ') : part?.type}`;
}
